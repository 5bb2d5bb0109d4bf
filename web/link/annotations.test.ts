import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { ns, sector } from '../lib/units'
import { AnnotationValue, annotationValue, type LinkAnnotation, MAX_ANNOTATIONS, MAX_TEXT_LENGTH } from './annotations'
import { anyAnnotation } from './annotations.testing'
import { decodeLink, encodeLink } from './link'

const opened = (value: string) => v.safeParse(AnnotationValue, value).output as LinkAnnotation | undefined
describe('an annotation in a link', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(anyAnnotation, annotation => {
        expect(opened(annotationValue(annotation))).toEqual(annotation)
      }),
    )
  })

  it('comes back in a link with others, spaces as plus signs', () => {
    fc.assert(
      fc.property(fc.array(anyAnnotation, { minLength: 1, maxLength: 5 }), annotations => {
        const { link, problems } = decodeLink(encodeLink({ annotations }))
        expect({ link, problems }).toEqual({ link: { annotations }, problems: [] })
      }),
    )
    expect(
      encodeLink({ annotations: [{ run: 'B', at: ns(1.25e9), lba: sector(8), text: 'a b + c', author: 'Jo' }] }),
    ).toBe('v=1&note=B,1.25,8,Jo:a+b+%2B+c')
  })

  it.each([
    ['no run', 'Z,1:x'],
    ['no time', 'A:x'],
    ['a time that is no number', 'A,NaN:x'],
    ['an infinite time', 'A,Infinity:x'],
    ['a negative time', 'A,-1:x'],
    ['a range that ends before it begins', 'A,2..1:x'],
    ['a sector that is no number', 'A,1,8e9:x'],
    ['no text', 'A,1:'],
    ['text that cannot be seen', 'A,1:\u202e\u200b'],
    ['too many fields', 'A,1,2,3,4:x'],
    ['no colon', 'A,1,2,3'],
  ])('is refused with %s', (_, value) => {
    expect(opened(value)).toBeUndefined()
    const { link, problems } = decodeLink(`v=1&note=${encodeURIComponent(value)}`)
    expect(link.annotations).toBeUndefined()
    expect(problems.map(problem => problem.key)).toEqual(['note'])
  })

  it('of hostile size or number takes little', () => {
    const began = performance.now()
    expect(opened(`A,1:${'x'.repeat(1e6)}`)).toBeUndefined()
    expect([...(opened(`A,1:${'x '.repeat(7_000)}`)?.text ?? '')].length).toBeLessThanOrEqual(MAX_TEXT_LENGTH)
    const many = decodeLink(`v=1&${Array.from({ length: 2000 }, (_, i) => `note=A,${i}:x`).join('&')}`)
    expect(many.link.annotations).toHaveLength(MAX_ANNOTATIONS)
    expect(many.problems.length).toBeGreaterThan(0)
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('has no control characters and turns no text around', () => {
    expect(opened('A,1,,ev\u202eil:a\u0000b\u2066c\u001b[2J')).toEqual({
      run: 'A',
      at: 1e9,
      author: 'ev il',
      text: 'a b c [2J',
    })
  })
})
