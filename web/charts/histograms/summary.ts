/** Histograms of several runs in words. */
import { count, counted, share } from '../../lib/format'
import type { Pair } from '../difference/pair'
import { subjectOf } from '../difference/spec'
import { signed } from '../difference/summary'
import type { Shown } from '../shared/answers/shown'
import { noRequestWords } from '../shared/answers/words'
import { asShares, type HistogramBar, lessFirst } from './bars'

const NAMED = 3

/** The largest bars of each run, or the largest differences. */
export function histogramWords(
  title: string,
  shown: readonly Shown[],
  bars: readonly HistogramBar[],
  pair: Pair | undefined,
): readonly string[] {
  const shares = asShares(bars)
  if (pair) {
    const changes = lessFirst(shares).toSorted((a, b) => Math.abs(b.values[0] ?? 0) - Math.abs(a.values[0] ?? 0))
    const largest = changes.filter(b => b.values[0] !== 0).slice(0, NAMED)
    const differences = largest.map(b => `${b.label} ${signed(b.values[0] ?? 0)}`)
    return [
      `${subjectOf({ title }, pair)}: ${differences.length === 0 ? 'no difference' : `largest differences in percentage points: ${differences.join(', ')}`}.`,
    ]
  }
  return shown.map((run, r) => {
    const n = bars.reduce((sum, b) => sum + (b.values[r] ?? 0), 0)
    if (n === 0) return noRequestWords(`${title} of ${run.letter}`)
    const top = shares.toSorted((a, b) => (b.values[r] ?? 0) - (a.values[r] ?? 0)).slice(0, NAMED)
    return `${title} of ${run.letter}: ${counted(n, 'request')} in ${count(bars.filter(b => (b.values[r] ?? 0) > 0).length)} bins; most frequent: ${top.map(b => `${b.label} ${share((b.values[r] ?? 0) / 100)}`).join(', ')}.`
  })
}
