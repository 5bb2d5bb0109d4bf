/**
 * Where the parts of the picture are: per run a head, a bar, counters, a plot with the past, and a strip with what is
 * in flight. Pure; CSS px.
 */

export interface Box {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

export interface RunLayout {
  readonly head: Box
  readonly bar: Box
  readonly counters: Box
  /** Counters side by side. */
  readonly across: number
  /** The past; now is its right edge. */
  readonly past: Box
  /** What is in flight, to the right of it. */
  readonly strip: Box
  /** The queue of the past, below it. */
  readonly queue: Box
}

export interface StageLayout {
  readonly width: number
  readonly height: number
  /** Title and clock of a film. */
  readonly title: Box | undefined
  readonly legend: Box
  readonly runs: readonly RunLayout[]
  readonly axisWidth: number
  /** Narrow: smaller counters, sizes at the axis. */
  readonly narrow: boolean
}

/** Most runs in one picture. */
export const MAX_RUNS = 4

const HEAD = 24
const BAR = 8
const COUNTER = 38
const COUNTER_NARROW = 30
const QUEUE = 46
const QUEUE_NARROW = 30
const QUEUE_GAP = 6
const TIME_AXIS = 20
const LEGEND = 24
const TITLE = 40
const GAP = 24
/** Runs are stacked on a narrower page, px. */
const NARROW = 720
/** A plot is not lower, px. */
const MIN_PLOT_HEIGHT = 72

export function layOutStage(width: number, height: number, runs: number, film: boolean): StageLayout {
  const narrow = width < NARROW
  const columns = narrow ? 1 : Math.min(2, runs)
  const lines = Math.max(1, Math.ceil(runs / columns))
  const axisWidth = narrow ? 58 : 84
  const top = film ? TITLE : 0
  const cellWidth = Math.floor((width - GAP * (columns - 1)) / columns)
  const across = cellWidth < 480 ? 3 : 6
  const counter = narrow ? COUNTER_NARROW : COUNTER
  const counters = counter * (6 / across)
  const above = HEAD + BAR + 8 + counters + 6
  const lineHeight = (height - top - LEGEND) / lines
  const queue = narrow ? QUEUE_NARROW : QUEUE
  const plot = Math.max(MIN_PLOT_HEIGHT, Math.floor(lineHeight - above - QUEUE_GAP - queue - TIME_AXIS - 8))
  const strip = Math.round(Math.min(170, Math.max(72, cellWidth * 0.24)))
  return {
    width,
    height,
    title: film ? { x: 0, y: 0, w: width, h: TITLE } : undefined,
    legend: { x: 0, y: height - LEGEND, w: width, h: LEGEND },
    axisWidth,
    narrow,
    runs: Array.from({ length: runs }, (_, i) => {
      const x = (i % columns) * (cellWidth + GAP)
      const y = top + Math.floor(i / columns) * lineHeight
      // Even, so that it is two tiles of complete px.
      const past = 2 * Math.floor((cellWidth - axisWidth - strip) / 2)
      const plotTop = Math.round(y + above)
      return {
        head: { x, y, w: cellWidth, h: HEAD },
        bar: { x, y: y + HEAD, w: cellWidth, h: BAR },
        counters: { x, y: y + HEAD + BAR + 8, w: cellWidth, h: counters },
        across,
        past: { x: x + axisWidth, y: plotTop, w: past, h: plot },
        strip: { x: x + axisWidth + past, y: plotTop, w: cellWidth - axisWidth - past, h: plot },
        queue: { x: x + axisWidth, y: plotTop + plot + QUEUE_GAP, w: past, h: queue },
      }
    }),
  }
}

/** The least height at which nothing overlaps; a lower page scrolls. */
export function leastHeight(width: number, runs: number): number {
  const { runs: cells } = layOutStage(width, 0, runs, false)
  const [first] = cells
  const lines = cells.filter(cell => cell.head.x === 0).length
  return (
    LEGEND +
    lines *
      ((first ? first.past.y - first.head.y : 0) + MIN_PLOT_HEIGHT + QUEUE_GAP + (first?.queue.h ?? 0) + TIME_AXIS + 8)
  )
}

/** The youngest and the oldest age on the log axis of the strip, ns. */
export const YOUNGEST = 1e4
export const OLDEST = 1e10

/** x of an age within the strip, from now on. */
export function ageX(age: number, width: number): number {
  const share = Math.log(Math.max(YOUNGEST, age) / YOUNGEST) / Math.log(OLDEST / YOUNGEST)
  return Math.min(1, share) * (width - 4)
}
