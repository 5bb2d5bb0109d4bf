/** The bars of histograms for CSV: edges, requests and shares. */
import type { Pair } from '../difference/pair'
import type { Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { asShares, type HistogramBar, lessFirst } from './bars'

export interface EdgeUnit {
  readonly unit: string
  /** Units of the bars per `unit`. */
  readonly per: number
}

export function histogramData(
  shown: readonly Shown[],
  bars: readonly HistogramBar[],
  pair: Pair | undefined,
  { unit, per }: EdgeUnit,
): Pick<Table, 'columns' | 'rows'> {
  const shares = asShares(bars)
  const [changes, shareChanges] = [lessFirst(bars), lessFirst(shares)]
  const named = (quantity: string) => [
    ...shown.map(s => ({ label: `${s.letter} ${s.run.label}, ${quantity}` })),
    ...(pair ? [{ label: `${pair.name}, ${quantity}` }] : []),
  ]
  return {
    columns: [{ label: `from, ${unit}` }, { label: `to, ${unit}` }, ...named('requests'), ...named('% of requests')],
    rows: bars.map((bar, i) => [
      bar.low / per,
      bar.high / per,
      ...bar.values,
      ...(pair ? (changes[i]?.values ?? []) : []),
      ...(shares[i]?.values ?? []),
      ...(pair ? (shareChanges[i]?.values ?? []) : []),
    ]),
  }
}
