/** The counters of a run at a moment, as numbers and as words. */
import type { PlaybackMoments } from '../../engine/protocol'
import { count, duration, figure, size } from '../../lib/format'
import { IN_FLIGHT, STARVED, WAITING } from '../queue-depth/spec'
import { binWidth } from '../shared/paint/ticks'
import { UNITS } from '../throughput/spec'

export interface PlayFigures {
  /** Completed reads and writes, up to the moment and in all. */
  readonly ios: number
  readonly bytes: number
  readonly totalIos: number
  readonly totalBytes: number
  /** Within the window before the moment, per second. */
  readonly iops: number
  readonly bytesPerSecond: number
  /** Figures of the queue; absent without a queue depth. */
  readonly inFlight?: number
  readonly waiting?: number
  /** Starved time until the moment, ns. */
  readonly starved?: number
}

/**
 * Those of moment `k`. Rates are of the last `window` ns, or of the `elapsed` ns since the run began where that is
 * less.
 */
export function figuresAt(moments: PlaybackMoments, k: number, window: number, elapsed: number): PlayFigures {
  const seconds = Math.max(1, Math.min(window, elapsed)) / 1e9
  const valueIn = (list: Float64Array) => list[k] ?? 0
  const [inFlight, waiting, starved] = [valueIn(moments.inFlight), valueIn(moments.waiting), valueIn(moments.starved)]
  return {
    ios: valueIn(moments.ios),
    bytes: valueIn(moments.bytes),
    totalIos: moments.totalIos,
    totalBytes: moments.totalBytes,
    iops: valueIn(moments.windowIos) / seconds,
    bytesPerSecond: valueIn(moments.windowBytes) / seconds,
    ...(!Number.isNaN(inFlight) && { inFlight, waiting, starved }),
  }
}

export const isStarved = ({ inFlight, waiting }: PlayFigures): boolean => inFlight === 0 && (waiting ?? 0) > 0

/** 0 to 1; 1 where nothing is read or written. */
export const shareDone = ({ ios, totalIos }: PlayFigures): number => (totalIos === 0 ? 1 : ios / totalIos)

export interface Counter {
  readonly key: 'iops' | 'rate' | 'depth' | 'waiting' | 'done' | 'starved'
  readonly caption: string
  readonly value: string
}

/** Short enough for a counter: `12,345`, `0`. */
const amount = (x: number): string => (x === 0 ? '0' : x < 99.95 ? figure(x) : count(Math.round(x)))

/** Those of the queue are absent without a queue depth. */
export function countersOf(figures: PlayFigures, window: number): readonly Counter[] {
  const last = `last ${binWidth(window)}`
  const { inFlight, waiting = 0, starved = 0 } = figures
  const queue: readonly Counter[] =
    inFlight === undefined
      ? []
      : [
          { key: 'depth', caption: IN_FLIGHT, value: count(inFlight) },
          { key: 'waiting', caption: WAITING, value: count(waiting) },
          { key: 'starved', caption: `${STARVED} so far`, value: duration(starved) },
        ]
  return [
    { key: 'iops', caption: `${UNITS.ios}, ${last}`, value: amount(figures.iops) },
    { key: 'rate', caption: `${UNITS.bytes}, ${last}`, value: amount(figures.bytesPerSecond / 1e6) },
    { key: 'done', caption: 'done', value: size(figures.bytes) },
    ...queue,
  ]
}

/** `640 of 1,280 reads and writes`. */
export const doneWords = ({ ios, totalIos }: PlayFigures): string =>
  `${count(ios)} of ${count(totalIos)} reads and writes`

/**
 * How far a run is behind another that does as much: `392 behind A`. Absent where it is not, or where they differ in
 * work.
 */
export function behindWords(run: PlayFigures, other: PlayFigures, letter: string): string | undefined {
  if (run.totalIos !== other.totalIos || run.ios >= other.ios) return undefined
  return `${count(other.ios - run.ios)} behind ${letter}`
}
