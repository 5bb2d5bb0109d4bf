/** How verdicts of the engine are shown, in tables and in the matrix alike. */
import type { Verdict } from '../engine/protocol'

export const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  worse: '▲',
  better: '▽',
  changed: '◇',
  noise: '≈',
  unsure: '?',
  equal: '=',
  unreliable: '†',
}

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  worse: 'worse',
  better: 'better',
  changed: 'changed',
  noise: 'within noise',
  unsure: 'noise unknown',
  equal: 'equal',
  unreliable: 'unreliable',
}

const percent = (threshold: number): string => `${Math.round(threshold * 100)}%`

/** `significant from 25%`; where groups and single runs are compared, both thresholds. */
export function significantFrom(thresholds: readonly number[]): string {
  const [low, high] = [Math.min(...thresholds), Math.max(...thresholds)]
  if (thresholds.length === 0) return ''
  if (low === high) return `significant from ${percent(high)}`
  return `significant from ${percent(low)} between groups of runs, from ${percent(high)} where one side is a single run`
}

/** In the order of a legend. */
export const VERDICTS = Object.keys(VERDICT_MARKS) as readonly Verdict[]
