/** Plots next to each other with an axis of amounts on the left: what lines and histograms share. Pure. */
import { amountTicks, tickLabel } from '../../charts/shared/paint/ticks'
import { fitText, type Mark, type MeasureText } from './marks'

const PLOT = 180
const TITLE = 20
const FOOT = 36
const GAP = 28
/** Margin for the letters at the ends of lines, px. */
const ENDS = 22
/** Minimum width of a panel, px, unless the picture itself is narrower. */
const MIN_PANEL = 380
const MAX_PANEL = 720
const CHAR_ROOM = 8

export interface PanelPlace {
  /** Left edge of the plot without its axes, px. */
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

export interface PanelGrid {
  readonly places: readonly PanelPlace[]
  readonly bottom: number
  readonly marks: readonly Mark[]
  /** Position of an amount, from the upper edge of a plot. */
  readonly amountY: (amount: number) => number
}

interface PanelInput {
  readonly names: readonly string[]
  readonly width: number
  readonly top: number
  readonly low: number
  readonly high: number
  readonly caption: string
  readonly measure: MeasureText
  /** Label of a tick on the axis of amounts. */
  readonly label?: (amount: number) => string
}

/** Places, frames and axes of some panels with one scale. */
export function panelGrid({
  names,
  width,
  top,
  low,
  high,
  caption,
  measure,
  label = tickLabel,
}: PanelInput): PanelGrid {
  const ticks = low < 0 ? amountTicks(high - low, 4).map(tick => tick + low) : amountTicks(high, 4)
  const axis = Math.max(...ticks.map(tick => measure(label(tick)))) + CHAR_ROOM
  const columns = Math.max(1, Math.min(names.length, Math.floor((width + GAP) / (MIN_PANEL + GAP))))
  const outer = (width - GAP * (columns - 1)) / columns
  const w = Math.max(40, Math.min(MAX_PANEL, outer) - axis - ENDS)
  const hasTitles = names.some(name => name !== '')
  const rowHeight = (hasTitles ? TITLE : 6) + PLOT + FOOT + 8
  const amountY = (amount: number) => PLOT * (1 - (amount - low) / Math.max(high - low, Number.MIN_VALUE))
  const marks: Mark[] = []
  const places = names.map((name, i): PanelPlace => {
    const x = (i % columns) * (outer + GAP) + axis
    const y = top + Math.floor(i / columns) * rowHeight + (hasTitles ? TITLE : 6)
    if (name !== '') {
      const text = fitText(name, outer, measure, true)
      marks.push({ kind: 'text', x: x - axis, y: y - 9, text, token: 'ink', isBold: true })
    }
    for (const tick of ticks) {
      const tickY = y + amountY(tick)
      marks.push({
        kind: 'line',
        paths: [
          [
            [x, tickY],
            [x + w, tickY],
          ],
        ],
        token: 'line',
        width: 1,
      })
      marks.push({ kind: 'text', x: x - 6, y: tickY + 4, text: label(tick), token: 'ink-3', anchor: 'end' })
    }
    marks.push({
      kind: 'line',
      paths: [
        [
          [x, y + PLOT],
          [x + w, y + PLOT],
        ],
      ],
      token: 'axis',
      width: 1,
    })
    marks.push({
      kind: 'text',
      x: x + w / 2,
      y: y + PLOT + 32,
      text: fitText(caption, w, measure),
      token: 'ink-3',
      anchor: 'middle',
    })
    return { x, y, w, h: PLOT }
  })
  return { places, bottom: top + Math.ceil(names.length / columns) * rowHeight, marks, amountY }
}

/** Ticks on the lower edge; those that would touch the one before are left out. */
export function footTicks(
  { x, y, w, h }: PanelPlace,
  ticks: readonly { readonly x: number; readonly label: string }[],
  measure: MeasureText,
): readonly Mark[] {
  let free = Number.NEGATIVE_INFINITY
  return ticks.flatMap(({ x: tickX, label }): readonly Mark[] => {
    const half = measure(label) / 2
    // Letters of lines end behind the plot, so that a label may, too.
    const middle = Math.min(Math.max(tickX, half - 8), w + ENDS - half)
    if (middle - half < free) return []
    free = middle + half + 6
    return [
      {
        kind: 'line',
        paths: [
          [
            [x + tickX, y + h],
            [x + tickX, y + h + 4],
          ],
        ],
        token: 'axis',
        width: 1,
      },
      { kind: 'text', x: x + middle, y: y + h + 16, text: label, token: 'ink-2', anchor: 'middle' },
    ]
  })
}
