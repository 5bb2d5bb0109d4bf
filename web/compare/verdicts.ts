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
  unsure: 'unsure',
  equal: 'equal',
  unreliable: 'unreliable',
}

/** A verdict in words, with what follows from it; `noise`: what a difference has to exceed. */
export const verdictInWords = (verdict: Verdict, noise?: string): string =>
  (verdict === 'unsure' ? 'unsure: more runs would tell' : VERDICT_WORDS[verdict]) +
  (noise === undefined ? '' : `; ${noise}`)

/**
 * What makes a difference significant, for a caption. Several thresholds give a range: groups need less than single
 * runs. `figure` names the figure if the threshold is that of one among several.
 */
export function significantFrom(
  thresholds: readonly number[],
  { unit, figure }: { readonly unit?: string; readonly figure?: string } = {},
): string {
  if (thresholds.length === 0) return ''
  const [low, high] = [Math.min(...thresholds), Math.max(...thresholds)].map(threshold => Math.round(threshold * 100))
  const range = `${low === high ? '' : `${low} to `}${high}${unit === 'share' ? ' percentage points' : '%'}`
  const difference = figure === undefined ? range : `${figure}: ${range}`
  return `significant: beyond the 95% interval, and more than repeats can differ by (${difference})`
}

/** All verdicts, in the order of the legend. */
export const VERDICTS = Object.keys(VERDICT_MARKS) as readonly Verdict[]
