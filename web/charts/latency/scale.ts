/** The latency axis that all runs share. */
import type { Range } from '../../engine/protocol'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import type { Palette } from '../shared/paint/palette'
import { logTicks, logY, type Tick, timeUnit } from '../shared/paint/ticks'

export const STAGE_NAMES = { q2c: 'Q2C', d2c: 'D2C', q2d: 'Q2D' } as const
export const STAGE_WORDS = { q2c: 'queued to completed', d2c: 'issued to completed', q2d: 'queued to issued' } as const

export interface AxisSpan {
  readonly low: number
  readonly high: number
}

/** The room in which the chart of a run is drawn. */
export interface HeatPlace {
  readonly run: Pick<Shown, 'end'>
  readonly range: Range
  readonly width: number
  readonly height: number
  readonly span: AxisSpan
  readonly palette: Palette
}

/**
 * From the minimum to the maximum of all runs, with a margin and at least one decade; a guess while traces are read.
 */
export function spanOf({
  shown,
  view,
}: Pick<ChartFrame, 'shown'> & { readonly view: Pick<ChartFrame['view'], 'stage'> }): AxisSpan {
  const measured = shown.flatMap(s => s.whole?.latency_ns[view.stage] ?? []).filter(s => s.n > 0)
  if (measured.length === 0) return { low: 1e4, high: 1e9 }
  const low = Math.max(100, Math.min(...measured.map(s => s.min)) * 0.88)
  const high = Math.max(...measured.map(s => s.max)) * 1.15
  return { low, high: Math.max(high, low * 10) }
}

/** Round values, and the lower end when there is room for its label. */
export function spanTicks({ low, high }: AxisSpan, height: number): readonly Tick[] {
  const y = logY(low, high, height)
  const ticks = logTicks(low, high, Math.floor(height / 18)).map(value => ({
    position: y(value),
    label: roundTime(value),
  }))
  const lowest = Math.max(...ticks.map(t => t.position))
  return height - lowest > 16 ? [...ticks, { position: height - 4, label: roundTime(+low.toPrecision(1)) }] : ticks
}

/** `300 ms`: a round time in its largest unit. */
export function roundTime(ns: number): string {
  const { per, name } = timeUnit(ns)
  return `${+(ns / per).toPrecision(2)} ${name}`
}
