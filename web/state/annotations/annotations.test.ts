import { describe, expect, it } from 'vitest'
import { ns, sector } from '../../lib/units'
import { MAX_ANNOTATIONS, MAX_TEXT_LENGTH } from '../../link/annotations'
import type { Annotation, Run, View } from '../types'
import {
  addAnnotation,
  annotationsFromLink,
  annotationsOf,
  editAnnotation,
  numbered,
  placeOf,
  rangeAround,
} from './annotations'
import { annotationsText } from './annotationText'

const run = (id: string, letter: Run['linkLetter'], more: Partial<Run> = {}): Run => ({
  ...{
    id,
    letter,
    linkLetter: letter,
    label: `label ${letter}`,
    trace: 1,
    baseline: false,
    hidden: false,
    device: 0,
    status: { kind: 'ready' },
  },
  client: { query: () => new Promise(() => undefined) },
  ...more,
})
const RUNS = [run('x', 'A'), run('y', 'B')]
const draft = (text: string, more: Partial<Annotation> = {}) => ({ run: 'y', at: ns(1.5e9), text, ...more })

describe('annotations', () => {
  it('are added, changed and numbered in their order; those of runs that are gone have no number', () => {
    const first = addAnnotation([], draft(' first\u202e ', { author: ' Jo: ' }))
    expect(first).toEqual([{ id: 1, run: 'y', at: 1.5e9, text: 'first', author: 'Jo' }])
    const two = addAnnotation(first, draft('second', { run: 'x', to: ns(2e9), lba: sector(8) }))
    expect(numbered(two, RUNS).map(a => [a.number, a.owner.letter, a.text])).toEqual([
      [1, 'B', 'first'],
      [2, 'A', 'second'],
    ])
    expect(numbered(two, RUNS.slice(0, 1)).map(a => [a.number, a.text])).toEqual([[1, 'second']])
    const theirs = two.map(a => ({ ...a, theirs: true as const }))
    expect(editAnnotation(theirs, 1, draft('changed'))[0]).toEqual({ id: 1, run: 'y', at: 1.5e9, text: 'changed' })
    expect(editAnnotation(two, 1, draft('  '))).toBe(two)
  })

  it('have bounds: text, number, and times that are times', () => {
    expect([...(addAnnotation([], draft('x'.repeat(1e6)))[0]?.text ?? '')]).toHaveLength(MAX_TEXT_LENGTH)
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, -1])
      expect(addAnnotation([], draft('x', { at: ns(time) }))).toEqual([])
    expect(addAnnotation([], draft('x', { to: ns(Number.NaN) }))[0]).not.toHaveProperty('to')
    const full = Array.from({ length: MAX_ANNOTATIONS + 9 }).reduce<readonly Annotation[]>(
      list => addAnnotation(list, draft('x')),
      [],
    )
    expect(full).toHaveLength(MAX_ANNOTATIONS)
    expect(new Set(full.map(a => a.id)).size).toBe(MAX_ANNOTATIONS)
  })

  it('name runs by letter in a link, and are the sender’s unless the reader wrote them', () => {
    const list = addAnnotation(addAnnotation([], draft('one')), draft('two', { run: 'x' }))
    const { annotations = [] } = annotationsOf(list, RUNS)
    expect(annotations.map(a => [a.run, a.text])).toEqual([
      ['B', 'one'],
      ['A', 'two'],
    ])
    const back = annotationsFromLink(annotations, RUNS, a => a.text === 'two')
    expect(back.map(a => [a.run, a.text, a.theirs])).toEqual([
      ['y', 'one', true],
      ['x', 'two', undefined],
    ])
    expect(annotationsFromLink(annotations, [], () => true)).toEqual([])
  })

  it('belong to the selected range, the last click or the cursor, in the time of the run', () => {
    const view = { range: { t0: ns(0), t1: ns(4e9) } } as View
    const shifted = [run('x', 'A', { shift: ns(1e9) }), run('y', 'B')]
    expect(placeOf({ runs: shifted, view })).toEqual({ run: 'x', at: 1e9 })
    expect(placeOf({ runs: shifted, view: { ...view, cursor: ns(3e9) } })).toEqual({ run: 'x', at: 2e9 })
    const place = { run: 'y', at: ns(5), lba: sector(7) }
    expect(placeOf({ runs: shifted, view, place })).toEqual(place)
    expect(placeOf({ runs: shifted, view: { ...view, preview: { t0: ns(1e9), t1: ns(2e9) } }, place })).toEqual({
      run: 'y',
      at: 1e9,
      to: 2e9,
    })
    expect(placeOf({ runs: [], view })).toEqual({})
    // Where the first run has ended, the annotation is of one that has not.
    const info = (span: number) => ({ info: { span: ns(span) } as NonNullable<Run['info']> })
    const ended = [run('x', 'A', info(1e9)), run('y', 'B', info(9e9))]
    expect(placeOf({ runs: ended, view: { ...view, cursor: ns(2e9) } })).toEqual({ run: 'y', at: 2e9 })
    expect(
      placeOf({
        runs: ended,
        view: { ...view, preview: { t0: ns(2e9), t1: ns(3e9) } },
        place: { run: 'x', at: ns(5) },
      }),
    ).toEqual({
      run: 'y',
      at: 2e9,
      to: 3e9,
    })
    expect(placeOf({ runs: ended, view: { ...view, cursor: ns(1e8) } })).toEqual({ run: 'x', at: 1e8 })
  })

  it('are brought into sight only where they are not', () => {
    const shown = { t0: ns(0), t1: ns(10) }
    const annotation = (from: number, to?: number) => ({
      id: 1,
      run: 'x',
      text: '',
      at: ns(from),
      ...(to !== undefined && { to: ns(to) }),
    })
    expect(rangeAround(annotation(5), {}, shown)).toBeUndefined()
    expect(rangeAround(annotation(50), {}, shown)).toEqual({ t0: 45, t1: 55 })
    expect(rangeAround(annotation(50, 60), { shift: ns(100) }, shown)).toEqual({ t0: 148, t1: 162 })
  })
})

it('annotations as text are numbered ASCII of 72 columns', () => {
  const list = addAnnotation(
    addAnnotation(
      [],
      draft(`Two writers \u2013 ${'the queue is empty here '.repeat(6)}`, { lba: sector(4096), author: 'J\u00f6' }),
    ),
    {
      ...draft('x'.repeat(200)),
      to: ns(2e9),
      run: 'x',
    },
  )
  const text = annotationsText(
    numbered([...list.slice(0, 1), ...list.slice(1).map(a => ({ ...a, theirs: true as const }))], RUNS),
  )
  expect(text).toMatch(/^Annotations\n\n1\. B \(label B\) at 1\.5 s, sector 4096, by Jo:\n {4}Two writers - the/)
  expect(text).toContain('\n2. A (label A) from 1.5 to 2 s, from the link:\n')
  for (const line of text.split('\n')) expect(line).toMatch(/^[\x20-\x7e]{0,72}$/)
  expect(annotationsText([])).toBe('')
})
