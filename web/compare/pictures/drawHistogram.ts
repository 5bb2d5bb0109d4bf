/** Latencies of the sides over each other: I/Os per bin, or the share within a time, on a logarithmic axis. Pure. */
import { runToken } from '../../charts/shared/paint/palette'
import { binWidth, logTicks, topOf } from '../../charts/shared/paint/ticks'
import { count, duration, share } from '../../lib/format'
import type { BinGrid, HistogramCurve, HistogramPicture } from './bins'
import { footTicks, panelGrid } from './drawPanels'
import { legend, type Mark, type MeasureText, type PictureDrawing, type PictureTarget } from './marks'

export type HistogramForm = 'histogram' | 'cumulative'

const percent = (value: number): string => `${+(value * 100).toPrecision(6)}%`

interface LatencyScale {
  readonly first: number
  readonly last: number
  /** Position of a latency on the axis, 0..1. */
  position(latency: number): number
  readonly ends: readonly [number, number]
}

function latencyScale(grid: BinGrid, curves: readonly HistogramCurve[]): LatencyScale {
  const indexes = curves.flatMap(({ counts }) => [...counts.keys()])
  const [first, last] = [Math.min(...indexes), Math.max(...indexes)]
  // A bin that begins at 0 has no place on a logarithmic axis: half of its end is as wide as a factor of two.
  const low = Math.max(grid.from(first), grid.to(first) / 2)
  const high = grid.to(last)
  const span = Math.log(high / low)
  return {
    first,
    last,
    position: latency => Math.log(Math.max(latency, low) / low) / span,
    ends: [low, high],
  }
}

/** Bounds of bins where there are few, else round times. */
function latencyTicks(grid: BinGrid, { first, last, ends: [low, high] }: LatencyScale, width: number) {
  if (!grid.isGiven) return logTicks(low, high, Math.max(2, Math.floor(width / 70)))
  return [low, ...Array.from({ length: last - first + 1 }, (_, i) => grid.to(first + i))]
}

const heightIn = ({ counts, n }: HistogramCurve, index: number, form: HistogramForm): number => {
  if (form === 'histogram') return (counts.get(index) ?? 0) / n
  let sum = 0
  for (const [binIndex, number] of counts) if (binIndex <= index) sum += number
  return sum / n
}

/** The outline of the bins; a cumulative one rises at the end of each, where its share is known. */
function outline(curve: HistogramCurve, grid: BinGrid, scale: LatencyScale, form: HistogramForm) {
  const points: (readonly [number, number])[] = [[0, 0]]
  let height = 0
  for (let index = scale.first; index <= scale.last; index += 1) {
    const next = heightIn(curve, index, form)
    const x = scale.position(form === 'histogram' ? grid.from(index) : grid.to(index))
    if (next !== height) points.push([x, height], [x, next])
    height = next
  }
  points.push([1, height])
  if (form === 'histogram') points.push([1, 0])
  return points
}

export function drawHistogram(
  { grid, operation, panels, sides }: HistogramPicture,
  form: HistogramForm,
  width: number,
  measure: MeasureText,
): PictureDrawing {
  const allCurves = panels.flatMap(({ curves }) => curves)
  const scale = latencyScale(grid, allCurves)
  const max = Math.max(...allCurves.flatMap(curve => [...curve.counts.values()].map(number => number / curve.n)))
  const head = legend(sides, width, measure)
  const places = panelGrid({
    ...{ names: panels.map(({ name }) => name), width, top: head.height, measure },
    ...{ low: 0, high: form === 'histogram' ? Math.min(1, topOf(max)) : 1, label: percent },
    caption: 'latency, log',
  })
  const marks: Mark[] = [...head.marks, ...places.marks]
  const targets: PictureTarget[] = []
  for (const [i, { curves, name }] of panels.entries()) {
    const place = places.places[i]
    if (!place) continue
    const labels = latencyTicks(grid, scale, place.w).map(tick => ({
      x: scale.position(tick) * place.w,
      label: grid.isGiven ? duration(tick) : binWidth(tick),
    }))
    marks.push(...footTicks(place, labels, measure))
    const onPlot = ([x, y]: readonly [number, number]) => [place.x + x * place.w, place.y + places.amountY(y)] as const
    for (const curve of curves) {
      const { letter } = curve.side
      const points = outline(curve, grid, scale, form).map(onPlot)
      if (form === 'histogram') marks.push({ kind: 'area', points, token: runToken(letter), opacity: 0.16 })
    }
    for (const curve of curves) {
      const { letter } = curve.side
      const points = outline(curve, grid, scale, form).map(onPlot)
      marks.push({ kind: 'line', paths: [points], token: runToken(letter), width: 1.75, dashOf: letter })
    }
    const heading = [operation, name].filter(word => word !== '').join(', ')
    for (let index = scale.first; index <= scale.last; index += 1) {
      if (!curves.some(({ counts }) => counts.has(index))) continue
      const from = scale.position(grid.from(index)) * place.w
      const to = scale.position(grid.to(index)) * place.w
      targets.push({
        ...{ x: place.x + from, y: place.y, w: to - from, h: place.h },
        tip: {
          title: `${heading}: ${duration(grid.from(index))} to ${duration(grid.to(index))}`,
          rows: curves.map(curve => [
            `${curve.side.letter}${curve.repeat === undefined ? '' : ` run ${curve.repeat}`}`,
            `${count(curve.counts.get(index) ?? 0)} of ${count(curve.n)} I/Os`,
            share((curve.counts.get(index) ?? 0) / curve.n),
            `${share(heightIn(curve, index, 'cumulative'))} within`,
          ]),
        },
      })
    }
  }
  return { width, height: places.bottom, marks, targets }
}

/** Name of a curve: `6.12, run 2`. */
export const curveName = ({ side, repeat }: HistogramCurve): string =>
  [side.name, repeat === undefined ? '' : `run ${repeat}`].filter(word => word !== '').join(', ')
