import { describe, expect, it } from 'vitest'
import type { CompareDocument, Comparison, FindingCode } from '../../engine/protocol'
import type { ComparedRuns, Run } from '../types'
import { lettersOf, outcomeLine } from './outcome'

const runs = ['A', 'B', 'C'].map(letter => ({ id: letter.toLowerCase(), letter })) as unknown as readonly Run[]
const compared = (
  outcome: Comparison['outcome'],
  code: FindingCode,
  parts: Comparison['verdict_parts'] = [],
): ComparedRuns => ({
  runs: ['a', 'b', 'c'],
  ask: {} as ComparedRuns['ask'],
  document: {
    sides: [{ runs: [0] }, { runs: [1, 2] }],
    baseline: 0,
    side: 1,
    outcome,
    verdict_parts: parts,
    findings: [{ code, rank: 1 }],
  } as unknown as CompareDocument,
})
const TOTALS: Comparison['verdict_parts'] = [
  { name: 'value', value: 0.675e6, unit: 'byte/s' },
  { name: 'value_base', value: 1.3e6, unit: 'byte/s' },
  { name: 'by', value: 0.52, unit: 'change' },
] as unknown as Comparison['verdict_parts']

describe('the verdict in one line', () => {
  it('names the side, the change, and the first finding', () => {
    expect(outcomeLine({ runs, comparison: compared('slower', 'starved-while-waiting', TOTALS) })).toMatch(
      /^B\u2013C slower, \S+; idle while requests waited$/,
    )
  })
  it('names no side and no mechanism where nothing is certain', () => {
    expect(outcomeLine({ runs, comparison: compared('equal', 'no-real-difference') })).toBe('equal within noise')
    expect(outcomeLine({ runs })).toBeUndefined()
  })
})

it('letters of a group are a range, with the colour of its first run', () => {
  const both = compared('equal', 'no-real-difference')
  expect([0, 1].map(side => lettersOf(both, side, runs))).toEqual([
    { name: 'A', first: 'A' },
    { name: 'B\u2013C', first: 'B' },
  ])
})
