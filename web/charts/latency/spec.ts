/** Latency over time as a heat map, with marks of failed requests. */
import { duration } from '../../lib/format'
import { ns } from '../../lib/units'
import { LOG_SCALE } from '../shared/answers/words'
import { FAILURE_CELL } from '../shared/paint/failures'
import { binWidth, logY } from '../shared/paint/ticks'
import { binsOver } from '../shared/paint/viewport'
import type { Answers, ChartQuery, RowSpec } from '../shared/spec'
import { heatData } from './data'
import { latencyFailureEntries, latencyFailuresAsk } from './failures'
import { STAGE_NAMES, STAGE_WORDS, spanOf, spanTicks } from './scale'
import { CELL, paintHeat } from './scene'
import { TITLE, table, words } from './summary'

/** Percentiles whose lines have a name. */
export const P50 = 'p50'
export const P99 = 'p99'
/** Names of two percentiles need so much room, px. */
const LABEL = 14

export interface LatencyQueries {
  readonly heat: 'latencyGrid'
  readonly distribution: 'distribution'
  readonly failures: 'failures'
}

/** The distribution of the visible requests, which other charts ask, too. */
export const DISTRIBUTION: ChartQuery<'distribution'> = {
  kind: 'distribution',
  channel: 'distribution',
  restMs: 150,
  ask: ({ filter }, { view: { range, stage } }) => ({ filter, range, stage }),
}

type Names = 'distribution' | 'failures'
const answersOf = ({ distribution, failures }: Pick<Answers<LatencyQueries>, Names>) =>
  [distribution.map(reply => reply.answer), failures.map(reply => reply.answer)] as const

export const latency: RowSpec<LatencyQueries> = {
  kind: 'row',
  name: 'latency',
  title: TITLE,
  chart: 'latency',
  measured: 'heat-map',
  queries: {
    heat: {
      kind: 'latencyGrid',
      channel: 'latency',
      ask(run, frame, { range, w, h }) {
        const { low, high } = spanOf(frame)
        return { filter: run.filter, range, stage: frame.view.stage, w, h, low: ns(low), high: ns(high) }
      },
    },
    distribution: DISTRIBUTION,
    failures: {
      kind: 'failures',
      channel: 'latency-failures',
      ask: (run, frame, { marks }) =>
        run.figures?.failed && marks ? latencyFailuresAsk(run, frame.view, spanOf(frame), marks) : undefined,
    },
  },
  cells({ view, plotWidth, sizes: { latency: height } }) {
    const { range, n } = binsOver(view.range, plotWidth, CELL)
    const side = (px: number) => Math.max(1, px)
    return {
      ...{ range, w: n, h: Math.floor(height / CELL) },
      marks: { w: side(Math.round(plotWidth / FAILURE_CELL)), h: side(Math.ceil(height / FAILURE_CELL)) },
    }
  },
  measures: ({ view }) => [`latency_ns.${view.stage}`],
  subject: ({ view: { stage } }) => `${STAGE_NAMES[stage]} (${STAGE_WORDS[stage]}), ${LOG_SCALE}, by time of issue`,
  words({ shown, view }, answers) {
    const [distributions, failures] = answersOf(answers)
    return shown.map((run, i) => words(run, view.stage, distributions[i], failures[i]))
  },
  table: ({ shown, view }, answers) => table(shown, view.stage, ...answersOf(answers)),
  data: ({ shown, view }, answers) => heatData(shown, answers.heat, answersOf(answers)[1], view.stage),
  row(frame, answers, { range, w }) {
    const { shown, view, sizes, plotWidth, palette } = frame
    const [distributions, failures] = answersOf(answers)
    const { stage } = view
    const height = sizes.latency
    const span = spanOf(frame)
    const letters = shown.map(run => run.letter)
    const failed = latencyFailureEntries(failures, letters, stage)
    const max = Math.max(1, ...answers.heat.map(({ answer }) => answer?.max ?? 1))
    const ticks = spanTicks(span, height)
    const y = logY(span.low, span.high, height)
    return {
      what: `${STAGE_NAMES[stage]}, ${LOG_SCALE}; cell ${binWidth((range.t1 - range.t0) / w)} wide`,
      height,
      ticks,
      lines: ticks.map(tick => tick.position),
      zeros: [height],
      legend: [{ most: max }, ...(failed.length > 0 ? [{ entries: failed }] : [])],
      figure(_, i) {
        const d = distributions[i]
        if (d === undefined || d.n === 0) return []
        return [`median ${duration(d.p50)}, p99 `, { strong: duration(d.p99) }, { unreliable: [`latency_ns.${stage}`] }]
      },
      draw(surface, run, i) {
        const { ask, answer } = answers.heat[i] ?? {}
        if (ask === undefined || answer === undefined) return
        paintHeat(
          surface,
          { answer, ask, max, distribution: distributions[i], failures: failures[i] },
          { run, range: view.range, width: plotWidth, height, span, palette },
        )
      },
      labels(_, i) {
        const d = distributions[i]
        if (d === undefined || d.n === 0) return []
        const [low, high] = [y(d.p50), y(d.p99)]
        return [
          { x: 6, y: high < LABEL ? high + 12 : high - 4, text: `${P99} ${duration(d.p99)}` },
          ...(low - high > LABEL ? [{ x: 6, y: low - 4, text: `${P50} ${duration(d.p50)}` }] : []),
        ]
      },
    }
  },
}
