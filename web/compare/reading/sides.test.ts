import { expect, test } from 'vitest'
import type { BlockReading, ResultMatrix, TableReading } from '../../engine/protocol'
import { countChoices } from '../../state/comparing/results'
import { letterOf, loneFigures, newSide, withChoice } from './sides'

const table: TableReading = { sentence: '', possible: [], sides: ['noop', 'bfq'], changed: false }
const block = (line: number): BlockReading => ({
  lines: [line, line],
  tool: 'dd',
  sides: [],
  excluded: false,
  labelled: true,
  numbers: 0,
  unused: 0,
})

test('the base has the first letter, and a new side has a name of its own', () => {
  expect(['noop', 'bfq', 'cfq', undefined].map(side => letterOf(table, side))).toEqual(['A', 'B', undefined, undefined])
  expect(newSide(table)).toBe('side C')
  expect(newSide({ ...table, sides: ['noop', 'side C'] })).toBe('side D')
})

test('choices for blocks are changed one by one, and leave nothing behind when they are taken back', () => {
  const first = withChoice({ sides: 'file' }, 'a.txt', block(3), { label: 'x' })
  const second = withChoice(first, 'a.txt', block(3), { excluded: true })
  const third = withChoice(second, 'b.txt', block(3), { excluded: true })
  expect(third).toEqual({
    sides: 'file',
    blocks: [
      { file: 'a.txt', line: 3, label: 'x', excluded: true },
      { file: 'b.txt', line: 3, excluded: true },
    ],
  })
  expect(countChoices(third)).toBe(4)
  const back = withChoice(withChoice(third, 'b.txt', block(3), { excluded: false }), 'a.txt', block(3), {
    label: '',
    excluded: false,
  })
  expect(back).toEqual({ sides: 'file' })
})

test('figures of one side alone are found, and none where there is one side', () => {
  const runs = (...all: readonly (readonly [string, readonly string[]])[]) =>
    ({
      evidence: 'by the headings',
      runs: all.map(([side, keys]) => ({ values: [side], figures: keys.map(key => ({ key })) })),
    }) as unknown as ResultMatrix
  expect([...loneFigures(runs(['a', ['rate', 'p99']], ['b', ['rate']], ['a', ['p99']]))]).toEqual(['p99'])
  expect([...loneFigures(runs(['a', ['rate', 'p99']]))]).toEqual([])
})
