/** A metric over a quantity: a line per side, with the spread of repeats. Pure. */
import { spread as movedApart } from '../../charts/percentiles/scene'
import { runToken } from '../../charts/shared/paint/palette'
import { topOf } from '../../charts/shared/paint/ticks'
import { footTicks, panelGrid } from './drawPanels'
import { gapFinder } from './intervals'
import { factsOf, legend, type Mark, type MeasureText, type PictureDrawing, type PictureTarget, rangeOf } from './marks'
import { placeOn } from './quantity'
import type { LinesPicture } from './shape'

const DOT = 5
/** Lines with more points get no dots: they would touch each other. */
const MAX_DOTS = 60

const SCALES: Readonly<Record<LinesPicture['over']['scale'], string>> = { linear: '', log2: 'log2', log: 'log' }

/** Caption of the axis: `threads, log2`. */
export const axisWords = ({ over: axis }: LinesPicture): string =>
  [axis.name, SCALES[axis.scale]].filter(word => word !== '').join(', ')

const amountsOf = ({ over: axis }: LinesPicture, points: readonly unknown[]): readonly number[] =>
  axis.points.flatMap(({ amount }, i) => (points[i] ? [amount] : []))

export function drawLines(picture: LinesPicture, width: number, measure: MeasureText): PictureDrawing {
  const { metric, over, panels, sides } = picture
  const per = metric.view.scale.per
  const all = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.flatMap(point => point ?? [])))
  const values = all.flatMap(point => [(point.cell.mean ?? 0) / per, ...(rangeOf(point, metric) ?? [])])
  const [low, high] = [Math.min(0, ...values), topOf(Math.max(0, ...values))]
  const head = legend(sides, width, measure)
  const names = panels.map(({ name }) => name)
  const grid = panelGrid({ names, width, top: head.height, low, high, caption: axisWords(picture), measure })
  const marks: Mark[] = [...head.marks, ...grid.marks]
  const targets: PictureTarget[] = []
  for (const [i, { name, lines }] of panels.entries()) {
    const place = grid.places[i]
    if (!place) continue
    const xs = over.points.map(({ amount }) => placeOn(over, amount) * place.w)
    const ticks = over.points.map(({ value }, k) => ({ x: xs[k] ?? 0, label: value }))
    marks.push(...footTicks(place, ticks, measure))
    const y = (amount: number) => place.y + grid.amountY(amount)
    const ends: { readonly letter: string; readonly y: number; readonly x: number }[] = []
    for (const { side, points } of lines) {
      const token = runToken(side.letter)
      const paths: (readonly [number, number])[][] = [[]]
      const isGap = picture.ofIntervals ? gapFinder(amountsOf(picture, points)) : undefined
      const hasDots = points.length <= MAX_DOTS
      let drawnPoints = 0
      for (const [k, point] of points.entries()) {
        // A missing value interrupts the line: a reader would take the connection for a measured value.
        if (!point) {
          if (!isGap) paths.push([])
          continue
        }
        if (drawnPoints > 0 && isGap?.(drawnPoints - 1)) paths.push([])
        drawnPoints++
        const dot = [place.x + (xs[k] ?? 0), y((point.cell.mean ?? 0) / per)] as const
        paths.at(-1)?.push(dot)
        const range = rangeOf(point, metric)
        if (range && hasDots) marks.push(...whisker(dot[0], y(range[0]), y(range[1]), token))
        if (hasDots) marks.push({ kind: 'box', x: dot[0] - DOT / 2, y: dot[1] - DOT / 2, w: DOT, h: DOT, token })
      }
      const visiblePaths = paths.filter(path => path.length > 1)
      if (visiblePaths.length > 0)
        marks.push({ kind: 'line', paths: visiblePaths, token, width: 1.75, dashOf: side.letter })
      const last = paths.flat().at(-1)
      if (last && sides.length > 1) ends.push({ letter: side.letter, y: last[1], x: last[0] })
    }
    for (const { letter, y: end, x } of movedApart(ends))
      marks.push({ kind: 'text', x: x + 7, y: end + 4, text: letter, token: runToken(letter), isBold: true })
    for (const [k, { value }] of over.points.entries()) {
      const rows = lines.flatMap(({ side, points }) => {
        const point = points[k]
        return point ? [factsOf(side, point, metric)] : []
      })
      const x = xs[k] ?? 0
      const [from, to] = [(x + (xs[k - 1] ?? x)) / 2, (x + (xs[k + 1] ?? x)) / 2]
      const title = `${metric.figure.label}, ${[name, `${over.name} ${value}`].filter(word => word !== '').join(', ')}`
      if (rows.length > 0)
        targets.push({ x: place.x + from - 4, y: place.y, w: to - from + 8, h: place.h, tip: { title, rows } })
    }
  }
  return { width, height: grid.bottom, marks, targets }
}

function whisker(x: number, from: number, to: number, token: string): readonly Mark[] {
  const paths = [
    [
      [x, from],
      [x, to],
    ],
    [
      [x - 4, from],
      [x + 4, from],
    ],
    [
      [x - 4, to],
      [x + 4, to],
    ],
  ] as const
  return [{ kind: 'line', paths, token, width: 1 }]
}
