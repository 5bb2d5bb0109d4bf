/**
 * Queue depth and throughput of several runs in one plot: as a line per run, or one run minus another. Only the page
 * draws them: in pictures and texts each run has its own plot, so that a line needs no colour to be told from others.
 */
import type { QueryKind, Range } from '../../engine/protocol'
import { queueDepth } from '../queue-depth/spec'
import type { Shown } from '../shared/answers/shown'
import type { PageSpec, Reply } from '../shared/spec'
import { throughput, UNITS } from '../throughput/spec'

export interface JointSpec<K extends QueryKind> extends PageSpec {
  readonly chart: NonNullable<PageSpec['chart']>
  /** Units of a value and of a difference of two. */
  readonly units: { readonly value: string; readonly difference: string }
  /** The axis; `bin` is the width of a bin in words. */
  what(bin: string): string
  /** One value per bin. */
  values(answer: NonNullable<Reply<K>['answer']>, ask: { readonly range: Range; readonly n: number }): Float64Array
}

export const jointDepth: JointSpec<'depth'> = {
  kind: 'page',
  name: 'joint-depth',
  title: queueDepth.title,
  chart: 'depth',
  measured: queueDepth.measured,
  units: { value: 'mean', difference: 'requests' },
  what: bin => `requests in flight; mean per ${bin}`,
  values: ({ mean }) => mean,
}

export const jointRate: JointSpec<'rate'> = {
  kind: 'page',
  name: 'joint-rate',
  title: throughput.title,
  chart: 'throughput',
  measured: throughput.measured,
  units: { value: UNITS.bytes, difference: UNITS.bytes },
  what: bin => `${UNITS.bytes} read and written, completed per ${bin}`,
  values({ readBytes, writeBytes }, { range, n }) {
    const seconds = (range.t1 - range.t0) / n / 1e9
    return readBytes.map((bytes, i) => (bytes + (writeBytes[i] ?? 0)) / 1e6 / seconds)
  },
}

/** The values of a run, in the unit of its chart. */
export interface RunSeries {
  readonly run: Shown
  readonly range: Range
  readonly values: Float64Array
}

/** The series of the runs that have an answer. */
export const runSeries = <K extends 'depth' | 'rate'>(
  spec: JointSpec<K>,
  runs: readonly Shown[],
  replies: readonly Reply<K>[],
): readonly RunSeries[] =>
  runs.flatMap((run, i): readonly RunSeries[] => {
    const { ask, answer } = replies[i] ?? {}
    return ask && answer ? [{ run, range: ask.range, values: spec.values(answer, ask) }] : []
  })
