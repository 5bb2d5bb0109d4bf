/** What the application saw: figures of benchmarks, in the form of those that are measured. */
import type { BenchFigure } from '../engine/protocol'
import type { Kind } from './figures'

const KINDS: Readonly<Record<BenchFigure['unit'], Kind>> = { 'bytes/s': 'rate', '1/s': 'per-second', ns: 'time' }

/** A figure that at least one run's benchmark gave. */
export interface BenchColumn {
  readonly key: string
  readonly label: string
  readonly kind: Kind
  readonly good?: 'less' | 'more'
  /** By run; absent where its benchmark gave none. */
  readonly values: readonly (number | undefined)[]
}

/** Figures of all runs side by side, in the order in which they come. Where labels differ, the longest tells most. */
export function benchColumns(runs: readonly (readonly BenchFigure[] | undefined)[]): readonly BenchColumn[] {
  const first = new Map<string, BenchFigure>()
  for (const figure of runs.flatMap(bench => bench ?? [])) {
    const known = first.get(figure.key)
    if (known === undefined || known.label.length < figure.label.length) first.set(figure.key, figure)
  }
  return [...first.values()].map(({ key, label, unit, good }) => ({
    key,
    label,
    kind: KINDS[unit],
    ...(good && { good }),
    values: runs.map(bench => bench?.find(figure => figure.key === key && figure.unit === unit)?.value),
  }))
}
