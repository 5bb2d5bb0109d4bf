/** The axis of throughput or IOPS that all runs share, and the painting of one run. Pure. */
import type { FigureInterval, Range, RateSeries } from '../../engine/protocol'
import type { SummaryDevice } from '../../engine/summary'
import type { Shown } from '../shared/answers/shown'
import type { Palette } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { amountScale, amountTicks, topOfAmounts } from '../shared/paint/ticks'
import { drawSteps } from './draw'
import { KINDS, type RateOp, type RateUnit, seriesOf } from './summary'

/** Width of a bin, px. */
export const BIN_PX = 6
export const TOKENS: Readonly<Record<RateOp, string>> = { read: 'op-read', write: 'op-write', discard: 'op-discard' }
const DASHES: Readonly<Record<RateOp, readonly number[]>> = { read: [], write: [], discard: [4, 2] }
/** Free px above the highest value. */
export const HEADROOM = 8

/** MB or requests per second. */
export const perSecond = (value: number, bin: number, unit: RateUnit): number =>
  (value / (bin / 1e9)) * (unit === 'bytes' ? 1e-6 : 1)

/** Mean of the full run in the row's unit; the summary has only throughput by direction. */
export function meanOf(
  figures: SummaryDevice | undefined,
  kind: RateOp,
  unit: RateUnit,
  only: boolean,
): number | undefined {
  if (figures === undefined) return undefined
  if (unit === 'ios') return only ? figures.throughput?.iops : undefined
  if (kind === 'discard') return undefined
  const { throughput } = figures
  return throughput && (kind === 'read' ? throughput.read_bps : throughput.write_bps) / 1e6
}

/** The interval of that mean. */
export function intervalOf(
  lookUp: (key: string) => FigureInterval | undefined,
  kind: RateOp,
  unit: RateUnit,
): FigureInterval | undefined {
  if (unit === 'ios') return lookUp('iops')
  const interval = lookUp(kind === 'read' ? 'read_bps' : 'write_bps')
  return interval && [interval[0] / 1e6, interval[1] === null ? null : interval[1] / 1e6]
}

/** A series and the range that its bins divide. */
export interface RateReply {
  readonly range: Range
  readonly series: RateSeries
  /** The least and the most of a group's runs, whose median is `series`. */
  readonly band?: { readonly least: RateSeries; readonly most: RateSeries }
}

const binOf = (s: RateReply): number => (s.range.t1 - s.range.t0) / s.series.readBytes.length

/** Operations that completed, and top and ticks of their axis. */
export function rateAxis(
  series: readonly (RateReply | undefined)[],
  unit: RateUnit,
): { readonly kinds: readonly RateOp[]; readonly highest: number; readonly ticks: readonly number[] } {
  const kinds = KINDS.filter(kind =>
    series.some(s => s !== undefined && seriesOf(s.series, kind, 'ios').some(v => v > 0)),
  )
  const peak = Math.max(
    0,
    ...series.flatMap(s =>
      s === undefined
        ? []
        : kinds.map(kind => perSecond(Math.max(...seriesOf(s.band?.most ?? s.series, kind, unit)), binOf(s), unit)),
    ),
  )
  // An axis without a value ends at 1 of its unit.
  const highest = topOfAmounts(peak, 2)
  return { kinds, highest, ticks: amountTicks(highest, 2).filter(v => v <= highest * 1.001) }
}

export interface RatePicture {
  readonly answered: RateReply
  readonly kinds: readonly RateOp[]
  readonly unit: RateUnit
  readonly highest: number
  /** Means by operation. */
  readonly means: readonly (number | undefined)[]
  readonly intervals: readonly (FigureInterval | undefined)[]
}

export interface RatePlace {
  readonly run: Pick<Shown, 'device' | 'end'>
  readonly range: Range
  readonly width: number
  readonly height: number
  readonly palette: Palette
}

export function paintRate(
  surface: Surface,
  picture: RatePicture,
  { run, range, width, height, palette }: RatePlace,
): void {
  const { answered, kinds, unit, highest, means, intervals } = picture
  const bin = binOf(answered)
  const { band } = answered
  const valuesOf = (series: RateSeries, kind: RateOp) => seriesOf(series, kind, unit).map(v => perSecond(v, bin, unit))
  // Areas are drawn below lines.
  const order = [...kinds.keys()].sort((a, b) => Number(kinds[b] === 'write') - Number(kinds[a] === 'write'))
  for (const i of order) {
    const kind = kinds[i]
    if (kind === undefined) continue
    drawSteps(
      surface,
      {
        range: answered.range,
        values: valuesOf(answered.series, kind),
        ...(band && { band: { least: valuesOf(band.least, kind), most: valuesOf(band.most, kind) } }),
        colour: kinds.length === 1 ? palette('in-flight') : palette(TOKENS[kind]),
        dash: kinds.length === 1 ? [] : DASHES[kind],
        area: band || kinds.length === 1 || kind === 'write' ? palette('in-flight-soft') : undefined,
        mean: means[i],
        interval: intervals[i],
      },
      { range, width, begin: run.device.active[0], end: run.end, y: amountScale(highest, height, HEADROOM) },
    )
  }
}
