/** Completed I/O over time by operation: throughput and IOPS are two charts of the same answers. */

import type { RateSeries } from '../../engine/protocol'
import { figure, rate } from '../../lib/format'
import { onlyOp } from '../../state/hidden'
import type { Hidden } from '../../state/types'
import { drawnBin, filtered, meanNote, type Shown } from '../shared/answers/shown'
import { groupFigure, groupNote, groupWords } from '../shared/groups/sides'
import type { RateSpread } from '../shared/groups/spread'
import { ENDS_ENTRY, type LegendEntry } from '../shared/paint/legendEntry'
import { amountScale, binWidth, tickLabel } from '../shared/paint/ticks'
import { binsOver } from '../shared/paint/viewport'
import type { Answers, LegendPart, RowSpec } from '../shared/spec'
import { BIN_PX, HEADROOM, intervalOf, meanOf, paintRate, type RateReply, rateAxis, TOKENS } from './scene'
import { data, kindsInWords, type RateOp, type RateUnit, TITLE, table, words } from './summary'

const SHAPES: Readonly<Record<RateOp, NonNullable<LegendEntry['shape']>>> = {
  read: 'line',
  write: 'square',
  discard: 'dash',
}

export const UNITS: Readonly<Record<RateUnit, string>> = { bytes: 'MB/s', ios: 'IOPS' }

export interface RateQueries {
  readonly rate: 'rate'
}

/** The series of each run with the range that its bins divide. */
export const rateSeries = ({ rate }: Answers<RateQueries>): readonly (RateReply | undefined)[] =>
  rate.map(
    ({ ask, answer }) =>
      ask && answer && { range: ask.range, series: answer, ...(isSpread(answer) && { band: answer }) },
  )

const isSpread = (answer: RateSeries | RateSpread): answer is RateSpread => 'most' in answer

/** Bytes per second in both directions. */
const totalOf = ({ figures }: Shown): number | undefined =>
  figures?.throughput && figures.throughput.read_bps + figures.throughput.write_bps

/** A group in words; a single run as everywhere. */
const sentence = (shown: Shown | undefined, runs: readonly Shown[]): string =>
  shown === undefined || runs.length < 2
    ? runs.map(words).join(' ')
    : groupWords(`${TITLE} of ${shown.letter}`, runs, totalOf, rate)

/** Words where there is one operation alone, unless filters left that: then its entry takes them back. */
const legendOf = (kinds: readonly RateOp[], { ops }: Hidden): LegendPart =>
  kinds.length > 1 || (kinds.length === 1 && ops.length > 0)
    ? { entries: kinds.map(kind => ({ label: kind, token: TOKENS[kind], shape: SHAPES[kind], only: onlyOp(kind) })) }
    : { words: kinds.length === 1 ? kindsInWords(kinds) : '' }

/** Words that differ between the two charts. */
interface RateNames {
  readonly name: string
  readonly title: string
  readonly unit: RateUnit
  /** Names what is completed. */
  readonly amount: string
}

const rateSpec = ({ name, title, unit, amount }: RateNames): RowSpec<RateQueries> => ({
  kind: 'row',
  name,
  title,
  chart: 'throughput',
  measured: 'rate-series',
  queries: {
    rate: { kind: 'rate', channel: 'rate', ask: (run, _, { range, w }) => ({ filter: run.filter, range, n: w }) },
  },
  cells({ view, plotWidth }) {
    const { range, n } = binsOver(view.range, plotWidth, BIN_PX)
    return { range, w: n, h: 1 }
  },
  measures: () => ['throughput'],
  subject: () => `${amount} completed`,
  words: ({ shown }) => shown.map(words),
  table: ({ shown }, answers) => table(shown, rateSeries(answers)),
  data: ({ shown }, answers) => data(shown, rateSeries(answers)),
  row(frame, answers, { range, w }) {
    const { shown, view, sizes, plotWidth, palette } = frame
    const series = rateSeries(answers)
    const { kinds, highest, ticks } = rateAxis(series, unit)
    const height = sizes.rate
    const scale = amountScale(highest, height, HEADROOM)
    const bin = binWidth(drawnBin(shown, (range.t1 - range.t0) / w))
    const { groups } = frame
    const note = groupNote(groups)
    return {
      what: note ? `${note}; ${amount} per ${bin}` : `${amount} completed per ${bin}${meanNote(shown)}`,
      ...(groups && { words: groups.map((runs, i) => sentence(shown[i], runs)) }),
      height,
      ticks: ticks.map(v => ({ position: scale(v), label: tickLabel(v) })),
      lines: ticks.slice(1).map(scale),
      zeros: [height],
      legend: [legendOf(kinds, view.hidden), ...(note ? [{ entries: [ENDS_ENTRY] }] : [])],
      figure(run, i) {
        const ofGroup = groupFigure(groups?.[i], totalOf, rate)
        if (ofGroup) return ofGroup
        const f = run.figures?.throughput
        if (f === undefined) return run.info.complete ? [] : ['so far']
        return [
          'mean ',
          { strong: rate(f.read_bps + f.write_bps) },
          `, ${figure(f.iops)} ${UNITS.ios}`,
          { unreliable: ['throughput'] },
          'scope',
        ]
      },
      draw(surface, run, i) {
        const answered = series[i]
        if (answered === undefined) return
        const only = kinds.length === 1
        const isGroup = answered.band !== undefined
        const means = kinds.map(kind =>
          filtered(frame) || isGroup ? undefined : meanOf(run.figures, kind, unit, only),
        )
        const intervals = kinds.map(kind => intervalOf(key => frame.intervalOf(run, key), kind, unit))
        paintRate(
          surface,
          { answered, kinds, unit, highest, means, intervals },
          { run, range: view.range, width: plotWidth, height, palette },
        )
      },
    }
  },
})

export const throughput = rateSpec({ name: 'throughput', title: TITLE, unit: 'bytes', amount: UNITS.bytes })
export const iops = rateSpec({ name: 'iops', title: UNITS.ios, unit: 'ios', amount: 'requests/s' })
