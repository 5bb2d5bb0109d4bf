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

/** With what follows from it, and what noise is. */
export const verdictInWords = (verdict: Verdict, noise?: string): string =>
  (verdict === 'unsure' ? 'unsure: more runs would tell' : VERDICT_WORDS[verdict]) +
  (noise === undefined ? '' : `; ${noise}`)

/**
 * What a figure must differ by; `figure` where only one of several is meant. Several thresholds: groups need less than
 * single runs.
 */
export function significantFrom(
  thresholds: readonly number[],
  { unit, figure }: { readonly unit?: string; readonly figure?: string } = {},
): string {
  if (thresholds.length === 0) return ''
  const [low, high] = [Math.min(...thresholds), Math.max(...thresholds)].map(threshold => Math.round(threshold * 100))
  const least = `${low === high ? '' : `${low} to `}${high}${unit === 'share' ? ' percentage points' : '%'}`
  return `significant: beyond the 95% interval, and more than repeats can differ by (${figure === undefined ? '' : `${figure}: `}${least})`
}

/** In the order of a legend. */
export const VERDICTS = Object.keys(VERDICT_MARKS) as readonly Verdict[]
