import { describe, expect, test } from 'vitest'
import type { BlockReading, TextReading, UsedNumber } from '../../engine/protocol'
import { linesInWords, MAX_ROW, placesIn, type RowHeights, rowAt, rowOf, rowsOf, sideLabels } from './rows'

const HEIGHTS: RowHeights = { line: 18, heading: 24, controls: 36 }

const block = (lines: readonly [number, number], more: Partial<BlockReading> = {}): BlockReading => ({
  lines,
  tool: 'dd',
  sides: [],
  excluded: false,
  labelled: true,
  numbers: 0,
  unused: 0,
  ...more,
})
const reading = (text: string, blocks: readonly BlockReading[]): TextReading => ({
  path: 'mail.txt',
  text,
  omitted: 0,
  blocks,
  used: [],
  parameters: [],
})

describe('rows of a text', () => {
  const text = reading('Hello\nBFQ:\n1 MB/s\n\nnoop:\n2 MB/s\nbye', [
    block([2, 2], { heading: [1, 0, 3] }),
    block([5, 5], { heading: [4, 0, 4] }),
  ])

  test('headings are bands, and controls stand above their block', () => {
    const kinds = (controls: boolean) =>
      rowsOf(text, HEIGHTS, controls).rows.map(row => [row.kind, row.line, row.block])
    expect(kinds(false)).toEqual([
      ['line', 0, undefined],
      ['heading', 1, 0],
      ['line', 2, 0],
      ['line', 3, undefined],
      ['heading', 4, 1],
      ['line', 5, 1],
      ['line', 6, undefined],
    ])
    expect(kinds(true).filter(([kind]) => kind === 'controls')).toEqual([
      ['controls', 2, 0],
      ['controls', 5, 1],
    ])
  })

  test('each height leads to its row, and each character too', () => {
    const all = rowsOf(text, HEIGHTS, true)
    for (const [i, row] of all.rows.entries()) {
      expect(rowAt(all, all.tops[i] ?? -1)).toBe(i)
      expect(rowAt(all, (all.tops[i + 1] ?? 0) - 1)).toBe(i)
      if (row.kind !== 'controls') expect(rowOf(all, row.line, row.start)).toBe(i)
    }
    expect(all.tops.at(-1)).toBe(5 * 18 + 2 * 24 + 2 * 36)
    expect(rowAt(all, 1e9)).toBe(all.rows.length - 1)
  })

  test('a long line goes on in rows below it', () => {
    const all = rowsOf(reading(`a\n${'x'.repeat(2 * MAX_ROW + 1)}\nb`, []), HEIGHTS, false)
    expect(all.rows.map(row => [row.line, row.start])).toEqual([
      [0, 0],
      [1, 0],
      [1, MAX_ROW],
      [1, 2 * MAX_ROW],
      [2, 0],
    ])
    expect(rowOf(all, 1, MAX_ROW - 1)).toBe(1)
    expect(rowOf(all, 1, MAX_ROW)).toBe(2)
    expect(rowOf(all, 2, 5)).toBe(4)
  })

  test('each of many lines is found', () => {
    const all = rowsOf(reading('1 MB/s\n'.repeat(100_000), []), HEIGHTS, false)
    expect([0, 54_321, 99_999].map(line => rowOf(all, line, 0))).toEqual([0, 54_321, 99_999])
  })
})

test('the numbers of a line are found among all', () => {
  const used = [0, 2, 2, 5].map((line, i): UsedNumber => [line, i, i + 1, 0, 0, i])
  expect([0, 1, 2, 5, 9].map(line => placesIn(used, line))).toEqual([
    [0, 1],
    [1, 1],
    [1, 3],
    [3, 4],
    [4, 4],
  ])
})

test('lines are counted from 1', () => {
  const words = (lines: readonly [number, number], file_lines?: readonly number[]) =>
    linesInWords(block(lines), { ...(file_lines && { file_lines }) })
  expect([words([4, 4]), words([4, 14])]).toEqual(['line 5', 'lines 5 to 15'])
  expect(words([0, 2], [9, 9, 10]), 'of an encoded file').toBe('lines 9 to 10')
})

test('the sides of a table are found in its heading, as words of their own', () => {
  const text = 'bfq2 bfq  none\n1  12   34'
  const used: readonly UsedNumber[] = [
    [1, 3, 5, 0, 0, 0],
    [1, 8, 10, 0, 1, 0],
  ]
  const labels = (sides: readonly string[]) =>
    sideLabels(text.split('\n'), { ...reading(text, [block([0, 1], { sides })]), used })
  expect(labels(['none', 'bfq'])).toEqual([
    { line: 0, start: 5, end: 8, side: 'bfq' },
    { line: 0, start: 10, end: 14, side: 'none' },
  ])
  // Below the first number there are values, no labels; and a block with one side has its heading above it.
  expect(labels(['12', '34'])).toEqual([])
  expect(labels(['none'])).toEqual([])
})
