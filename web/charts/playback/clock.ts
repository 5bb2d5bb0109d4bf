/**
 * The time of playback: speeds, the moments that are shown, and how far a frame goes. Times in ns on the common axis.
 * Pure.
 */
import type { Range } from '../../engine/protocol'
import { roundUp } from '../shared/paint/viewport'

const PER_DECADE = [1, 1.5, 2, 3, 4, 6, 8]

/** Seconds of the trace per second of playback: 0.0001 to 100, each at most 1.5 times the one before. */
export const SPEEDS: readonly number[] = [
  ...[-4, -3, -2, -1, 0, 1].flatMap(power => PER_DECADE.map(step => Number((step * 10 ** power).toPrecision(3)))),
  100,
]

/** Playback takes about so long at first, s. */
const LENGTH = 25
/** Moments per second of playback. Between two of them the picture does not change. */
const MOMENTS = 60
/** Seconds of playback that a request takes to cross the picture. */
const CROSSING = 3

/** The speed at which the range takes 20 to 30 s, as far as there is one. */
export function speedFor(range: Range): number {
  const wanted = Math.log((range.t1 - range.t0) / 1e9 / LENGTH)
  return SPEEDS.reduce(
    (best, speed) => (Math.abs(Math.log(speed) - wanted) < Math.abs(Math.log(best) - wanted) ? speed : best),
    1,
  )
}

/** The next speed above (1) or below (-1); the same at the ends. */
export function nextSpeed(speed: number, direction: 1 | -1): number {
  const found = direction > 0 ? SPEEDS.find(s => s > speed * 1.001) : SPEEDS.findLast(s => s < speed * 0.999)
  return found ?? speed
}

/** The moments of a range, and the time before each that the picture and the rates show. */
export interface Timing {
  readonly range: Range
  /** Time between two moments, whole ns. */
  readonly step: number
  /** The time before a moment that the picture shows, a round one, ns. */
  readonly window: number
}

const windowFor = (speed: number): number => Math.max(1, Math.round(roundUp(CROSSING * speed * 1e9)))

/** The moments of playback at a speed. */
export const timingFor = (range: Range, speed: number): Timing => ({
  range,
  step: Math.max(1, Math.round((speed * 1e9) / MOMENTS)),
  window: windowFor(speed),
})

/** The moments of a film: `frames` of them, of which the last is the end of the range. */
export const timingOfFilm = (range: Range, frames: number, seconds: number): Timing => ({
  range,
  step: Math.max(1, Math.floor((range.t1 - range.t0) / Math.max(1, frames - 1))),
  window: windowFor((range.t1 - range.t0) / 1e9 / seconds),
})

/** The time of a frame of a film. */
export const timeOfFrame = ({ range, step }: Timing, frame: number, frames: number): number =>
  frame >= frames - 1 ? range.t1 : Math.min(range.t1, range.t0 + frame * step)

/** The last moment up to `t`; the end of the range is one too. */
export function momentAt({ range, step }: Timing, t: number): number {
  if (t >= range.t1) return range.t1
  return range.t0 + Math.max(0, Math.floor((t - range.t0) / step)) * step
}

/** The number of a moment from the begin of the range on; `undefined` for times between moments. */
export function numberOf({ range, step }: Timing, t: number): number | undefined {
  const number = (t - range.t0) / step
  return Number.isInteger(number) && number >= 0 ? number : undefined
}

/** A frame that comes later than this was held up, and playback goes on from where it was, ms. */
const LATE = 250

/** The state of playback `ms` later; `ended` when it reached the end and stays there. */
export function advance(
  t: number,
  ms: number,
  speed: number,
  range: Range,
  loop: boolean,
): { readonly t: number; readonly ended: boolean } {
  const next = t + Math.min(ms, LATE) * 1e6 * speed
  if (next < range.t1) return { t: next, ended: false }
  // The end is shown before it begins again.
  if (loop) return { t: t < range.t1 ? range.t1 : range.t0, ended: false }
  return { t: range.t1, ended: true }
}

/** `0.3×`, `0.0015×`. */
export const speedWords = (speed: number): string => `${Number(speed.toPrecision(3))}\u00d7`
