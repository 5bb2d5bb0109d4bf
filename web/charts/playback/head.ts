/** Paints what is around the plots: heads with bars and counters, the title of a film, the legend. */

import { share } from '../../lib/format'
import type { Shown } from '../shared/answers/shown'
import type { LegendEntry } from '../shared/paint/legendEntry'
import { runToken } from '../shared/paint/palette'
import { hatch } from '../shared/paint/surface'
import { speedWords } from './clock'
import { behindWords, countersOf, doneWords, isStarved, type PlayFigures, shareDone } from './figures'
import type { Box, RunLayout, StageLayout } from './layout'
import { type Canvas2D, write } from './text'
import type { MapStyle } from './tile'

export interface HeadPicture {
  readonly run: Shown
  readonly figures: PlayFigures
  /** The other runs, for how far they are. */
  readonly others: readonly { readonly run: Shown; readonly figures: PlayFigures }[]
}

export function drawHead(
  context: Canvas2D,
  { palette }: MapStyle,
  layout: RunLayout,
  picture: HeadPicture,
  window: number,
  narrow: boolean,
): void {
  const { run, figures, others } = picture
  const { head, bar, counters, across } = layout
  const middle = head.y + head.h / 2 - 1
  context.fillStyle = palette(runToken(run.letter))
  context.beginPath()
  context.roundRect(head.x, middle - 9, 18, 18, 3)
  context.fill()
  write(context, palette, run.letter, head.x + 9, middle + 0.5, {
    size: 11,
    weight: 600,
    colour: 'surface',
    align: 'center',
  })
  const baseline = others.find(other => other.run.run.baseline)
  const behind =
    run.run.baseline || baseline === undefined ? undefined : behindWords(figures, baseline.figures, baseline.run.letter)
  const done = `${share(shareDone(figures))} \u00b7 ${narrow ? doneWords(figures).replace(/ reads and writes$/, '') : doneWords(figures)}`
  const words = behind === undefined ? done : `${done}, ${behind}`
  const wide = write(context, palette, words, head.x + head.w, middle, {
    size: narrow ? 11 : 12,
    colour: 'ink-2',
    align: 'right',
  })
  write(context, palette, run.run.label, head.x + 26, middle, { size: 13, weight: 600 }, head.w - wide - 40)

  context.fillStyle = palette('comp-ok')
  context.fillRect(bar.x, bar.y, bar.w, bar.h)
  context.fillStyle = palette(runToken(run.letter))
  context.fillRect(bar.x, bar.y, bar.w * shareDone(figures), bar.h)
  for (const other of others) {
    const markX = bar.x + Math.min(bar.w - 2, bar.w * shareDone(other.figures))
    context.fillStyle = palette('surface')
    context.fillRect(markX - 1, bar.y - 3, 4, bar.h + 6)
    context.fillStyle = palette(runToken(other.run.letter))
    context.fillRect(markX, bar.y - 3, 2, bar.h + 6)
  }

  const step = counters.w / across
  const tall = counters.h / (6 / across)
  const all = countersOf(figures, window)
  for (const [i, counter] of all.entries()) {
    const x = counters.x + (i % across) * step
    const y = counters.y + Math.floor(i / across) * tall
    const warned = isStarved(figures) && (counter.key === 'depth' || counter.key === 'waiting')
    if (warned) {
      context.fillStyle = palette('starved')
      context.fillRect(x, y + 2, 3, tall - 6)
    }
    const left = x + (warned ? 8 : 0)
    write(
      context,
      palette,
      counter.value,
      left,
      y + (narrow ? 8 : 11),
      { size: narrow ? 14 : 17, weight: 600, mono: true },
      step - 10,
    )
    write(context, palette, counter.caption, left, y + (narrow ? 22 : 28), { size: 11, colour: 'ink-3' }, step - 10)
  }
}

export function drawTitle(
  context: Canvas2D,
  { palette }: MapStyle,
  box: Box,
  title: string,
  clock: string,
  speed: number,
): void {
  const middle = box.y + box.h / 2 - 3
  const wide = write(context, palette, clock, box.x + box.w, middle, {
    size: 20,
    weight: 600,
    mono: true,
    align: 'right',
  })
  const pace = write(context, palette, speedWords(speed), box.x + box.w - wide - 12, middle + 1, {
    size: 13,
    mono: true,
    colour: 'ink-2',
    align: 'right',
  })
  write(context, palette, title, box.x, middle, { size: 17, weight: 600 }, box.w - wide - pace - 40)
}

/** Width of a swatch, and of the room behind an entry. */
const SWATCH = 14
const ROOM = 16

export function drawLegend(
  context: Canvas2D,
  { palette }: MapStyle,
  { legend, axisWidth }: StageLayout,
  entries: readonly LegendEntry[],
  note: string,
): void {
  const y = legend.y + legend.h / 2 + 2
  let x = legend.x + axisWidth
  for (const { label, token, shape } of entries) {
    const colour = palette(token)
    context.font = `400 11px ${palette('font-ui')}`
    const wide = SWATCH + context.measureText(label).width
    if (x + wide > legend.x + legend.w) break
    context.fillStyle = colour
    context.strokeStyle = colour
    context.lineWidth = 1.5
    if (shape === 'thin') context.fillRect(x, y, 10, 1)
    else if (shape === 'line') context.fillRect(x, y - 1, 10, 2)
    else if (shape === 'dash') for (const offset of [0, 6]) context.fillRect(x + offset, y, 4, 1.5)
    else if (shape === 'bar') context.fillRect(x + 4, y - 6, 2, 12)
    else if (shape === 'hollow') context.strokeRect(x + 0.75, y - 4.25, 8.5, 8.5)
    else context.fillRect(x, y - 5, 10, 10)
    if (shape === 'hatch') hatch(context, x, y - 5, 10, 10, palette('surface'), 4)
    write(context, palette, label, x + SWATCH, y + 0.5, { size: 11, colour: 'ink-2' })
    x += wide + ROOM
  }
  const left = legend.x + legend.w - x
  if (left > 120)
    write(context, palette, note, legend.x + legend.w, y + 0.5, { size: 11, colour: 'ink-3', align: 'right' }, left)
}
