/** Histograms of several runs in words. */
import { count, counted, share } from '../../lib/format'
import type { Pair } from '../difference/pair'
import { signed } from '../difference/summary'
import type { Shown } from '../shared/answers/shown'
import { asShares, type HistogramBar, type HistogramUnit, lessFirst } from './bars'

/** What the value axis counts. */
export function unitName(unit: HistogramUnit, pair: Pair | undefined): string {
  if (unit === 'requests') return 'requests'
  return pair ? 'percentage points of each run\u2019s requests' : '% of each run\u2019s requests'
}

/** A sentence instead of a picture that would show nothing. */
export function instead(
  shown: readonly Shown[],
  counted: readonly HistogramBar[],
  drawn: readonly HistogramBar[],
  known: boolean,
  pair: Pair | undefined,
): string | undefined {
  if (!known) return 'Not read yet.'
  if (counted.length === 0) return 'No visible requests.'
  const [only] = counted
  const all = shown.length === 1 ? '' : shown.length === 2 ? ' in both runs' : ' in all runs'
  if (counted.length === 1 && only && only.low === only.high && only.values.every(v => v > 0))
    return `All requests are ${only.label}${all}.`
  return pair && drawn.every(b => b.values[0] === 0) ? 'The same in both runs.' : undefined
}

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
    const by = lessFirst(shares).toSorted((a, b) => Math.abs(b.values[0] ?? 0) - Math.abs(a.values[0] ?? 0))
    const largest = by.filter(b => b.values[0] !== 0).slice(0, NAMED)
    const differences = largest.map(b => `${b.label} ${signed(b.values[0] ?? 0)}`)
    return [
      `${title} of ${pair.other.letter} minus ${pair.base.letter}: ${differences.length === 0 ? 'no difference' : `largest differences in percentage points: ${differences.join(', ')}`}.`,
    ]
  }
  return shown.map((run, r) => {
    const n = bars.reduce((sum, b) => sum + (b.values[r] ?? 0), 0)
    if (n === 0) return `${title} of ${run.letter}: no visible requests.`
    const top = shares.toSorted((a, b) => (b.values[r] ?? 0) - (a.values[r] ?? 0)).slice(0, NAMED)
    return `${title} of ${run.letter}: ${counted(n, 'request')} in ${count(bars.filter(b => (b.values[r] ?? 0) > 0).length)} bins; most frequent: ${top.map(b => `${b.label} ${share((b.values[r] ?? 0) / 100)}`).join(', ')}.`
  })
}
