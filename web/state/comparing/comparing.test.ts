import { describe, expect, it } from 'vitest'
import type { Comparison, Finding, FindingCode } from '../../engine/protocol'
import { mostTelling } from './comparing'

const comparison = (
  side: number,
  outcome: Comparison['outcome'],
  codes: readonly FindingCode[],
  total = 0,
): Comparison => ({
  side,
  outcome,
  work: { same: true, why: '', parts: [] },
  verdict: '',
  verdict_parts: [],
  threshold: 0.1,
  margin: 0.05,
  lost_ns: { total, starved: 0, busy_waiting: 0, busy: 0, nobody: 0 },
  figures: [],
  findings: codes.map(
    (code, i): Finding => ({
      code,
      rank: i + 1,
      sentence: '',
      parts: [],
      figures: {},
      evidence: { chart: 'differences', run: 0 },
      rule: '',
    }),
  ),
})

describe('the comparison that heads the page', () => {
  const equal = comparison(1, 'equal', ['no-real-difference'])
  const slower = comparison(2, 'slower', ['depth-fell'], 3e9)
  const slowest = comparison(3, 'slower', ['depth-fell'], 5e9)
  const unsure = comparison(4, 'unsure', ['depth-fell'], 9e9)
  it('is the first one where it shows a difference', () => {
    expect(mostTelling([slower, slowest])).toBe(slower)
    expect(mostTelling([unsure, slowest])).toBe(unsure)
  })
  it('never is one without a difference beside others', () => {
    expect(mostTelling([equal, unsure, slower, slowest])).toBe(slowest)
    expect(mostTelling([equal, comparison(2, 'equal', []), unsure])).toBe(unsure)
    expect(mostTelling([comparison(1, 'unsure', []), slower])).toBe(slower)
  })
  it('is the first one where none shows a difference', () => {
    expect(mostTelling([equal, comparison(2, 'equal', [])])).toBe(equal)
    expect(mostTelling([])).toBeUndefined()
  })
})
