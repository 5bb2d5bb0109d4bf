import { describe, expect, it } from 'vitest'
import { firstOfEach } from '../firstOfEach'
import { csvQuoted, formulaSafe } from './csv'

describe('a cell', () => {
  it.each(['=1+1', '+cmd', '-2+3', '-1 ', '@SUM(A1)', '\t=1', '\r=1', '\n=1', "=HYPERLINK('http://x')", '+1-555'])(
    '%j is put behind an apostrophe',
    cell => {
      expect(formulaSafe(cell)).toBe(`'${cell}`)
    },
  )
  it.each(['-48%', '+19%', '-1.5', '1,280', '-', '', '1e-9', '-3', 'dd', 'a=b', "'=1"])('%j stays', cell => {
    expect(formulaSafe(cell)).toBe(cell)
  })
  it('is quoted where necessary', () => {
    expect(csvQuoted(formulaSafe('=a,"b"'))).toBe(`"'=a,""b"""`)
  })
})

it('lists the first of each kind, and counts the others', () => {
  const entries = Array.from({ length: 100_000 }, (_, i) => (i % 3 === 0 ? 'a' : 'b'))
  const { first, more } = firstOfEach(entries, entry => entry, 20)
  expect(first).toHaveLength(40)
  expect(more).toEqual([
    ['a', 33_334 - 20],
    ['b', 66_666 - 20],
  ])
  expect(firstOfEach(['a', 'b'], entry => entry, 20)).toEqual({ first: ['a', 'b'], more: [] })
})
