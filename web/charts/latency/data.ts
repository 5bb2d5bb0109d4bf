/** The cells of the heat map and the failed requests, for CSV. */
import type { FailureMarks } from '../../engine/protocol'
import type { Shown, StableView } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import type { Reply } from '../shared/spec'
import { STAGE_NAMES } from './scale'

/** Values beyond the axis are counted in its last rows, which are open-ended. */
export function heatData(
  shown: readonly Shown[],
  replies: readonly Reply<'latencyGrid'>[],
  failures: readonly (FailureMarks | undefined)[],
  stage: StableView['stage'],
): Table {
  const name = STAGE_NAMES[stage]
  return {
    title: `Requests by time of issue and ${name}`,
    columns: [
      { label: 'run', text: true },
      { label: 'from, s' },
      { label: 'to, s' },
      { label: `${name} from, ms` },
      { label: `${name} to, ms` },
      { label: 'requests' },
      { label: 'errno' },
    ],
    rows: shown.flatMap((run, r) => {
      const { ask, answer } = replies[r] ?? {}
      const failed = failureRows(run, failures[r])
      if (ask === undefined || answer === undefined) return failed
      const { w, h, counts } = answer
      const bin = (ask.range.t1 - ask.range.t0) / w
      const ratio = Math.log(ask.high / ask.low) / h
      const edge = (row: number) => (ask.high * Math.exp(-row * ratio)) / 1e6
      const cells = Array.from(counts, (n, i) => ({ n, column: Math.floor(i / h), row: i % h }))
        .filter(cell => cell.n > 0)
        .map(({ n, column, row }) => [
          run.letter,
          (ask.range.t0 + column * bin) / 1e9,
          (ask.range.t0 + (column + 1) * bin) / 1e9,
          row === h - 1 ? 0 : edge(row + 1),
          row === 0 ? '' : edge(row),
          n,
          '',
        ])
      return [...cells, ...failed]
    }),
  }
}

/** Failed requests, which cells count too: the first one of each mark, with their number. */
const failureRows = (run: Shown, marks: FailureMarks | undefined): readonly (readonly (string | number)[])[] =>
  Array.from({ length: marks?.at.length ?? 0 }, (_, i) => {
    const [time, took] = [(marks?.at[i] ?? 0) / 1e9, marks?.took[i] ?? Number.NaN]
    const ms = Number.isNaN(took) ? '' : took / 1e6
    return [run.letter, time, time, ms, ms, marks?.count[i] ?? 0, marks?.errno[i] ?? 0]
  })
