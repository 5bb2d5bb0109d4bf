import { describe, expect, it } from 'vitest'
import type { CompareDocument, Finding, FindingCode } from '../../engine/protocol'
import { ns } from '../../lib/units'
import type { ComparedRuns, RangedFigures, Run } from '../types'
import { currentComparison } from './comparing'
import { type ShownFigures, shownFigures } from './ranged'

const RUNS = [
  { id: 'a', summary: 'all of a' },
  { id: 'b', summary: 'all of b' },
] as unknown as readonly Run[]

/** A comparison of the two runs with these findings. */
function compared(...codes: readonly FindingCode[]): ComparedRuns {
  const findings = codes.map((code, i) => ({ code, rank: i + 1 }) as Finding)
  const document = { side: 1, baseline: 0, sides: [{ runs: [0] }, { runs: [1] }], findings } as unknown
  return { runs: ['a', 'b'], ask: { runs: [] }, document: document as CompareDocument }
}

const whole: ShownFigures = { runs: RUNS, comparison: compared('depth-fell', 'idle-grew'), finding: 2 }
const ranged = (...codes: readonly FindingCode[]): RangedFigures => ({
  range: { t0: ns(1), t1: ns(2) },
  compared: compared(...codes),
  silent: [],
  parts: { a: { summary: 'part of a', digest: {} } } as never,
})

describe('the figures that the page shows', () => {
  it('are of complete runs without a range', () => {
    expect(shownFigures(whole)).toBe(whole)
  })
  it('are of the range where it was measured, with the same finding if the range has it', () => {
    const shown = shownFigures({ ...whole, ranged: ranged('idle-grew', 'depth-fell') })
    expect(shown.runs.map(run => run.summary)).toEqual(['part of a', 'all of b'])
    expect(currentComparison(shown)?.finding?.code).toBe('idle-grew')
  })
  it('begin with the first finding of the range where it lacks that of complete runs, or with the chosen one', () => {
    const other = ranged('throttled', 'depth-fell')
    expect(currentComparison(shownFigures({ ...whole, ranged: other }))?.finding?.code).toBe('throttled')
    const chosen = { ...other, finding: 2 }
    expect(currentComparison(shownFigures({ ...whole, ranged: chosen }))?.finding?.code).toBe('depth-fell')
  })
})
