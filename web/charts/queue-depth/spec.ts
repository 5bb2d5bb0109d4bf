/** Queue depth: requests in flight over time, waiting bios, and when the device starved. */

import type { DepthSeries } from '../../engine/protocol'
import { figure, share } from '../../lib/format'
import { drawnBin, filtered, isDigest, meanNote, type Shown } from '../shared/answers/shown'
import { groupFigure, groupNote, groupWords } from '../shared/groups/sides'
import { ENDS_ENTRY, type LegendEntry } from '../shared/paint/legendEntry'
import { amountScale, binWidth } from '../shared/paint/ticks'
import { type Answers, type Cells, endsOf, type RowSpec } from '../shared/spec'
import type { Binned } from './draw'
import { depthAxis, depthBins, GAP, paintDepth, STRIP_TOP } from './scene'
import { data, noDepth, TITLE, table, words } from './summary'

/** Names of the series. */
export const IN_FLIGHT = 'in flight'
export const WAITING = 'waiting'
export const STARVED = 'starved'
export const IDLE_WHILE_WAITING = 'idle while bios wait'
export const WHAT_STARVED = `${STARVED}: ${IDLE_WHILE_WAITING}`

/** Takes the place of the axis if no run has a queue. */
export const NEEDS_ISSUES = 'needs issue events (D)'

const LEGEND: readonly LegendEntry[] = [
  { label: IN_FLIGHT, token: 'in-flight', shape: 'line' },
  { label: WAITING, token: 'waiting', shape: 'dash' },
  { label: STARVED, more: `: ${IDLE_WHILE_WAITING}`, token: 'starved' },
]

/** Height of the sentence that takes the plot's place, px. */
const SENTENCE_HEIGHT = 44
/** Room for an exact interval, px. */
const INTERVAL_PX = 8

export interface DepthQueries {
  readonly depth: 'depth'
  readonly starved: 'starved'
}

const isDisk = ({ device }: Shown): boolean => device.role === 'disk'

/** The series of each run with the range that its bins divide. */
export const depthSeries = ({
  depth,
}: Pick<Answers<DepthQueries>, 'depth'>): readonly (Binned<DepthSeries> | undefined)[] =>
  depth.map(({ ask, answer }) => ask && answer && { range: ask.range, n: ask.n, series: answer })

/** A group in words; a single run as everywhere. */
const sentence = (shown: Shown | undefined, runs: readonly Shown[]): string =>
  shown === undefined || runs.length < 2 || !isDisk(shown)
    ? runs.map(words).join(' ')
    : groupWords(
        `${TITLE} of ${shown.letter}`,
        runs,
        run => run.figures?.depth?.mean,
        value => `${figure(value)} requests in flight on average`,
      )

interface DepthCells extends Cells {
  /** Fine bins per coarse bin of the drawing. */
  readonly group?: number
}

export const queueDepth: RowSpec<DepthQueries, DepthCells> = {
  kind: 'row',
  name: 'queue-depth',
  title: TITLE,
  namesDevice: true,
  chart: 'depth',
  missing: run => (isDisk(run) ? undefined : noDepth(run)),
  measured: 'depth-series',
  queries: {
    depth: {
      kind: 'depth',
      channel: 'depth',
      ask: (run, _, { range, w }) => (isDisk(run) ? { device: run.device.index, range, n: w } : undefined),
    },
    starved: {
      kind: 'starved',
      channel: 'starved',
      ask: (run, { view }, { marks }) =>
        isDisk(run) && marks ? { device: run.device.index, range: view.range, most: marks.w } : undefined,
    },
  },
  cells({ shown, view, plotWidth }) {
    const { bins, group } = depthBins(shown, view.range, plotWidth)
    return { range: bins.range, w: bins.n, h: 1, marks: { w: Math.round(plotWidth / INTERVAL_PX), h: 1 }, group }
  },
  measures: () => ['depth', 'starved'],
  subject: (_, { depth }) =>
    `requests in flight${depth.some(({ answer }) => answer?.waitMean.some(n => n > 0)) ? ', bios waiting' : ''}`,
  words: ({ shown }) => shown.map(words),
  table: ({ shown }, answers) => table(shown, depthSeries(answers)),
  data: ({ shown }, answers) => data(shown, depthSeries(answers)),
  row(frame, answers, { range, w, group = 1 }) {
    const { shown, view, sizes, plotWidth, palette } = frame
    const series = depthSeries(answers)
    const { highest, ticks, stripTop } = depthAxis(series, group)
    const scale = amountScale(highest, sizes.depth)
    const strip = sizes.depth + GAP + STRIP_TOP
    const height = sizes.depth + GAP + sizes.starved
    if (!shown.some(isDisk))
      return {
        ...{ what: NEEDS_ISSUES, height: SENTENCE_HEIGHT, ticks: [], lines: [], zeros: [], legend: [] },
        ...{ figure: () => [], draw: () => {} },
      }
    const bin = binWidth(drawnBin(shown, (range.t1 - range.t0) / w))
    const { groups } = frame
    const note = groupNote(groups)
    return {
      what: note
        ? `${note}; requests per ${bin}`
        : `requests; mean per ${bin}${isDigest(shown) ? '' : ', band min to max'}${meanNote(shown)}`,
      ...(groups && { words: groups.map((runs, i) => sentence(shown[i], runs)) }),
      height,
      ticks: [
        ...ticks.map(v => ({ position: scale(v), label: String(v) })),
        { position: strip, label: `${stripTop * 100}%` },
      ],
      lines: [...ticks.slice(1).map(scale), strip],
      zeros: [sizes.depth, height],
      legend: [{ entries: note ? [...LEGEND, ENDS_ENTRY] : LEGEND }],
      figure(run, i) {
        const ofGroup = groupFigure(groups?.[i], other => other.figures?.depth?.mean)
        if (ofGroup) return isDisk(run) ? ofGroup : []
        const { depth, starved } = run.figures ?? {}
        if (!isDisk(run)) return []
        if (depth === undefined) return run.info.complete ? [] : ['so far']
        return [
          'mean ',
          { strong: figure(depth.mean) },
          { unreliable: ['depth'] },
          ...(starved ? [`, ${STARVED} ${share(starved.share)}`, { unreliable: ['starved'] }] : []),
          'scope',
        ]
      },
      draw(surface, run, i) {
        const bins = series[i]
        if (bins === undefined) return
        const found = answers.starved[i]?.answer
        const isGroup = (groups?.[i]?.length ?? 1) > 1
        paintDepth(
          surface,
          {
            bins,
            intervals: found?.exact ? found.intervals : undefined,
            mean: filtered(frame) || isGroup ? undefined : run.figures?.depth?.mean,
            interval: isGroup ? undefined : frame.intervalOf(run, 'depth.mean'),
            ...{ group, stripTop, highest },
          },
          {
            run,
            range: view.range,
            width: plotWidth,
            height: { plot: sizes.depth, strip: sizes.starved },
            palette,
          },
        )
      },
      labels: run => [{ x: endsOf(run, view.range, plotWidth)[0] + 6, y: sizes.depth + GAP + 11, text: STARVED }],
    }
  },
}
