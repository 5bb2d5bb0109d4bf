/** The few figures that stand at the head of a comparison; the whole table is further down. */
import type { SummaryDevice } from '../../engine/summary'
import { duration, figure, ms, rate, share } from '../../lib/format'
import { endOf } from '../../state/filter'
import type { Run } from '../../state/types'

export interface MainFigure {
  readonly key: string
  readonly label: string
  /** By run; `undefined` where it does not apply. */
  readonly values: readonly (number | undefined)[]
  readonly text: (value: number) => string
  /** Which way is worse; absent where neither is. */
  readonly worse?: 'more' | 'less'
}

interface Kind extends Omit<MainFigure, 'values'> {
  readonly of: (device: SummaryDevice, run: Run) => number | undefined
}

const KINDS: readonly Kind[] = [
  { key: 'time', label: 'Run time', text: duration, worse: 'more', of: (_, run) => endOf(run) },
  { key: 'depth', label: 'Queue depth (mean in flight)', text: x => x.toFixed(2), of: d => d.depth?.mean },
  { key: 'starved', label: 'Starved (idle while bios wait)', text: share, worse: 'more', of: d => d.starved?.share },
  { key: 'q2d', label: 'Before the device (Q2D, mean)', text: ms, worse: 'more', of: d => d.latency_ns.q2d?.mean },
  { key: 'd2c', label: 'In the device (D2C, mean)', text: ms, worse: 'more', of: d => d.latency_ns.d2c?.mean },
  { key: 'q2c', label: 'Whole request (Q2C, p99)', text: ms, worse: 'more', of: d => d.latency_ns.q2c?.p99 },
  { key: 'rate', label: 'Throughput', text: rate, worse: 'less', of: d => d.throughput.read_bps + d.throughput.write_bps },
  { key: 'straddles', label: 'Straddle a stripe boundary', text: x => figure(x), worse: 'more', of: d => d.alignment?.classes.straddles.requests },
  { key: 'flushes', label: 'Flushes', text: figure, of: d => (d.flush.flush + d.flush.preflush > 0 ? d.flush.flush : undefined) },
  { key: 'fua', label: 'FUA writes', text: figure, of: d => (d.flush.fua > 0 ? d.flush.fua : undefined) },
]

/** Those that at least one run has; a count that only some have is 0 in the others. */
export function mainFigures(runs: readonly Run[], devices: readonly SummaryDevice[]): readonly MainFigure[] {
  return KINDS.flatMap(({ of, ...kind }) => {
    const values = runs.map((run, i) => (devices[i] ? of(devices[i], run) : undefined))
    if (values.every(v => v === undefined)) return []
    const counts = kind.key === 'flushes' || kind.key === 'fua'
    return { ...kind, values: counts ? values.map(v => v ?? 0) : values }
  })
}

/** Whether a change is for the worse; `undefined` where the figure has no good side or nothing changed. */
export function isWorse(kind: Pick<MainFigure, 'worse'>, before: number, after: number): boolean | undefined {
  if (kind.worse === undefined || before === after) return undefined
  return after > before === (kind.worse === 'more')
}
