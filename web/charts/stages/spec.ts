/** Mean time per request in each stage, one bar per run on one scale. */
import type { QueryAnswer } from '../../engine/protocol'
import type { Shown } from '../shared/answers/shown'
import { renamed, type Table } from '../shared/answers/table'
import { type Answers, type PanelSpec, type RunsFrame, wholeView } from '../shared/spec'
import { cutOf, NOUN, type StageSegment, segmentsOf, stageName, totalOf, words } from './segments'

export interface StageQueries {
  readonly stages: 'stages'
}

export interface StageBar {
  readonly run: Shown
  readonly segments: readonly StageSegment[]
  readonly total: number
  /** Absent until the engine has answered. */
  readonly stages: QueryAnswer<'stages'>['stages'] | undefined
}

/** All runs are cut into the same stages. */
export function stageBars({ shown }: Pick<RunsFrame, 'shown'>, { stages }: Answers<StageQueries>): readonly StageBar[] {
  const cut = cutOf(stages.flatMap(({ answer }) => (answer ? [answer.stages] : [])))
  return shown.map((run, i) => {
    const found = stages[i]?.answer?.stages
    const segments = found === undefined ? [] : segmentsOf(found, cut)
    return { run, segments, total: totalOf(segments), stages: found }
  })
}

const tableOf = (bars: readonly StageBar[]): Table => ({
  title: 'Time per request by stage, ms',
  columns: [
    { label: 'run', text: true },
    { label: 'stage', text: true },
    { label: 'requests' },
    { label: 'mean' },
    { label: 'median' },
  ],
  rows: bars.flatMap(({ run, stages }) =>
    (stages ?? []).map(s => [run.letter, stageName(s.stage), s.n, s.mean / 1e6, s.median / 1e6]),
  ),
})

export const stages: PanelSpec<StageQueries> = {
  kind: 'panel',
  name: 'stages',
  title: 'Where the time goes',
  noun: NOUN,
  chart: 'stages',
  measured: 'stages',
  queries: {
    stages: {
      kind: 'stages',
      channel: 'stages',
      restMs: 150,
      ask: ({ filter }, { view: { range } }) => ({ filter, range }),
    },
  },
  cells: wholeView,
  measures: () => ['latency_ns.d2c'],
  subject: () => 'mean time per request in each stage',
  words: (frame, answers) => stageBars(frame, answers).map(({ run, segments }) => words(run, segments)),
  table: (frame, answers) => tableOf(stageBars(frame, answers)),
  data: (frame, answers) => renamed(tableOf(stageBars(frame, answers)), { mean: 'mean, ms', median: 'median, ms' }),
  panel(frame, answers) {
    const [used] = stageBars(frame, answers).flatMap(({ segments }) => (segments.length > 0 ? [segments] : []))
    return {
      what: 'mean per request',
      legend: [
        { entries: (used ?? []).map(({ stage, token }) => ({ label: stageName(stage), token, shape: 'outlined' })) },
      ],
    }
  },
}
