/** Latency by percentile, one curve per run. */
import type { Distribution } from '../../engine/protocol'
import { STAGE_NAMES } from '../latency/scale'
import { DISTRIBUTION } from '../latency/spec'
import { TITLE as LATENCY, words as latencyWords } from '../latency/summary'
import { isBrief, type Shown } from '../shared/answers/shown'
import { type Answers, type PanelSpec, type RunsFrame, wholeView } from '../shared/spec'
import type { Crossing } from './draw'
import { crossingOf } from './scene'
import { countsInWords, crossingWords, curves, TITLE, table } from './summary'

export interface PercentileQueries {
  readonly distribution: 'distribution'
}

export interface PercentileCurve {
  readonly run: Shown
  readonly letter: string
  readonly distribution: Distribution
}

const answersOf = ({ distribution }: Answers<PercentileQueries>) => distribution.map(({ answer }) => answer)

/** The runs that have a curve. */
export const percentileCurves = (
  { shown }: Pick<RunsFrame, 'shown'>,
  answers: Answers<PercentileQueries>,
): readonly PercentileCurve[] =>
  shown.flatMap((run, i) => {
    const distribution = answers.distribution[i]?.answer
    return distribution === undefined || distribution.n === 0 ? [] : [{ run, letter: run.letter, distribution }]
  })

/** The crossing of the curves of two runs; between the few points of a short link it would be a guess. */
export function curvesCross(
  { shown }: Pick<RunsFrame, 'shown'>,
  drawn: readonly PercentileCurve[],
): { readonly cross: Crossing; readonly text: string } | undefined {
  const [a, b] = drawn
  const cross = drawn.length === 2 && a && b && !isBrief(shown) ? crossingOf(a.distribution, b.distribution) : undefined
  if (cross === undefined || a === undefined || b === undefined) return undefined
  const isSnapshot = shown.some(({ run }) => run.snapshot)
  return { cross, text: crossingWords(cross, [a.letter, b.letter], isSnapshot) }
}

const axesOf = ({ shown, view }: RunsFrame, answers: Answers<PercentileQueries>): string =>
  `${STAGE_NAMES[view.stage]} of ${countsInWords(shown, answersOf(answers))}; both axes log`

function notes(frame: RunsFrame, answers: Answers<PercentileQueries>): readonly string[] {
  const found = curvesCross(frame, percentileCurves(frame, answers))
  return found ? [`${found.text}.`] : []
}

export const percentiles: PanelSpec<PercentileQueries> = {
  kind: 'panel',
  name: 'percentiles',
  title: TITLE,
  noun: LATENCY,
  chart: 'latency',
  measured: 'percentiles',
  queries: { distribution: DISTRIBUTION },
  cells: wholeView,
  measures: ({ view }) => [`latency_ns.${view.stage}`],
  subject: axesOf,
  words: (frame, answers) => [
    ...frame.shown.map((run, i) => latencyWords(run, frame.view.stage, answers.distribution[i]?.answer)),
    ...notes(frame, answers),
  ],
  table: ({ shown, view }, answers) => table(shown, view.stage, answersOf(answers)),
  data: ({ shown, view }, answers) => curves(shown, view.stage, answersOf(answers)),
  panel(frame, answers) {
    const isEmpty = percentileCurves(frame, answers).length === 0
    return {
      what: `${axesOf(frame, answers)}; shaded: 95% interval`,
      legend: [],
      ...(isEmpty ? { instead: ['No visible request has both events.'] } : { notes: notes(frame, answers) }),
    }
  },
}
