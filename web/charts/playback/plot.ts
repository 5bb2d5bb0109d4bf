/** Paints the plot of a run: what was issued up to now, and what is in flight by its age. */
import { OPS, type PlaybackMoments, type Range } from '../../engine/protocol'
import { atTime, count, seconds } from '../../lib/format'
import { ns } from '../../lib/units'
import { IN_FLIGHT } from '../queue-depth/spec'
import type { AxisPart } from '../seek-map/axis/bands'
import { boxOf, drawGround, MARK_TALL } from '../seek-map/draw'
import { endlessScene } from '../seek-map/scene'
import type { Shown } from '../shared/answers/shown'
import { rgbOf } from '../shared/paint/palette'
import { binWidth, type Tick } from '../shared/paint/ticks'
import { roundUp } from '../shared/paint/viewport'
import { isStarved, type PlayFigures } from './figures'
import { ageX, type Box, type RunLayout } from './layout'
import type { RunMoment, Tile } from './source'
import { type Canvas2D, write } from './text'
import type { MapStyle, TilePicture } from './tile'

/** What the plot of a run shows at a time. */
export interface RunPicture {
  readonly run: Shown
  readonly moment: RunMoment
  readonly figures: PlayFigures
  readonly tiles: readonly Tile<TilePicture>[]
}

export interface Now {
  readonly t: number
  /** Width of the past, ns. */
  readonly window: number
}

const rangeOf = ({ t, window }: Now): Range => ({ t0: ns(t - window), t1: ns(t) })

/** The past is paler the longer ago it is, down to this opacity at the left edge. */
const PALEST = 0.25
/** The oldest share of the past that fades. */
const FADES = 0.6
/** A bar of a request in flight has a head of this width, px. */
const HEAD = 4
const FLUSH = OPS.indexOf('flush')

export function drawPlot(
  context: Canvas2D,
  style: MapStyle,
  layout: RunLayout,
  picture: RunPicture,
  now: Now,
  most: number,
  narrow: boolean,
): void {
  drawPast(context, style, layout, picture, now, narrow)
  drawQueue(context, style, layout.queue, picture, now, most)
  drawInFlight(context, style, layout, picture, now, narrow)
}

function drawPast(
  context: Canvas2D,
  style: MapStyle,
  layout: RunLayout,
  { run, tiles }: RunPicture,
  { t, window }: Now,
  narrow: boolean,
): void {
  const { palette, ratio } = style
  const { past: box, queue } = layout
  const below = queue.y + queue.h
  const x = (time: number) => ((time - t + window) / window) * box.w
  context.save()
  context.translate(box.x, box.y)
  context.beginPath()
  context.rect(0, 0, box.w, box.h)
  context.clip()
  context.fillStyle = palette('surface')
  context.fillRect(0, 0, box.w, box.h)
  drawGround(context, endlessScene(style, run, rangeOf({ t, window }), box.w, box.h))
  const ticks = ticksOf(t, window, narrow ? 3 : 5)
  context.fillStyle = palette('grid')
  for (const time of ticks.times) context.fillRect(Math.round(x(time)), 0, 1, box.h)
  context.imageSmoothingEnabled = false
  for (const tile of tiles) {
    // Rounds to device px: an image between them is blurred, or shakes.
    const left = Math.round(x(tile.t0) * ratio) / ratio
    context.drawImage(tile.picture.map, left, 0, tile.picture.map.width / ratio, box.h)
  }
  const fade = context.createLinearGradient(0, 0, box.w * FADES, 0)
  const ground = rgbOf(palette('surface')).join(' ')
  fade.addColorStop(0, `rgb(${ground} / ${1 - PALEST})`)
  fade.addColorStop(1, `rgb(${ground} / 0)`)
  context.fillStyle = fade
  context.fillRect(0, 0, box.w * FADES, box.h)
  const done = run.end <= t
  if (done) {
    const left = Math.max(0, x(run.end))
    context.fillStyle = palette('sunken')
    context.fillRect(left, 0, box.w - left, box.h)
    context.strokeStyle = palette('axis')
    context.setLineDash([2, 3])
    context.beginPath()
    context.moveTo(Math.round(left) + 0.5, 0)
    context.lineTo(Math.round(left) + 0.5, box.h)
    context.stroke()
    context.setLineDash([])
    const words = `${run.letter} is done at ${seconds(run.end, 2)} s`
    if (box.w - left > 150)
      write(context, palette, words, left + 8, box.h / 2, { colour: 'ink-2', halo: true }, box.w - left - 12)
  } else if (run.begin > t - window) {
    const right = Math.min(box.w, x(run.begin))
    context.fillStyle = palette('sunken')
    context.fillRect(0, 0, right, box.h)
    if (run.begin > t)
      write(context, palette, `${run.letter} starts at ${seconds(run.begin, 2)} s`, box.w / 2, box.h / 2, {
        colour: 'ink-2',
        align: 'center',
      })
  }
  context.restore()
  write(context, palette, 'time, s', box.x - 8, below + 11, { size: 11, colour: 'ink-3', align: 'right' })
  for (const time of ticks.times) {
    const tickX = x(time)
    if (tickX > 16 && tickX < box.w - 64) {
      write(context, palette, ticks.label(time), box.x + tickX, below + 11, {
        size: 11,
        mono: true,
        colour: 'ink-3',
        align: 'center',
      })
    }
  }
}

function drawInFlight(
  context: Canvas2D,
  style: MapStyle,
  { past, strip, queue }: RunLayout,
  { run, moment, figures }: RunPicture,
  now: Now,
  narrow: boolean,
): void {
  const { palette } = style
  const { moments } = moment
  context.fillStyle = palette('sunken')
  context.fillRect(strip.x, strip.y, strip.w, strip.h)
  if (isStarved(figures)) drawStarved(context, style, strip, figures)
  const decades = narrow ? [1e6, 1e9] : [1e5, 1e6, 1e7, 1e8, 1e9]
  context.fillStyle = palette('grid')
  for (const age of decades) context.fillRect(Math.round(strip.x + ageX(age, strip.w)), strip.y, 1, strip.h)

  const scene = endlessScene(style, run, rangeOf(now), past.w, past.h)
  context.save()
  context.beginPath()
  context.rect(past.x, past.y, past.w + strip.w, past.h)
  context.clip()
  let more = 0
  for (let i = 0; i < moments.n; i += 1) {
    if (!isInFlight(moments, i, now.t)) continue
    const colour = scene.classes[moments.cls[i] ?? 0] ?? palette('ink')
    const length = ageX(now.t - (moments.issued[i] ?? now.t), strip.w)
    if (moments.op[i] === FLUSH && (moments.sectors[i] ?? 0) === 0) {
      context.fillStyle = palette('op-flush')
      context.fillRect(strip.x + length, strip.y, 2, strip.h)
      continue
    }
    const box = boxOf(moments, i, scene)
    if (box === undefined) {
      more += 1
      continue
    }
    const y = past.y + box.y
    context.fillStyle = colour
    context.fillRect(past.x + Math.max(0, box.x), y, past.w - Math.max(0, box.x), box.h)
    context.globalAlpha = 0.45
    context.fillRect(strip.x, y, length, box.h)
    context.globalAlpha = 1
    const tall = Math.max(box.h, MARK_TALL + 1.5)
    context.fillRect(strip.x + length, y + (box.h - tall) / 2, HEAD, tall)
  }
  context.restore()
  context.fillStyle = palette('accent')
  context.fillRect(strip.x - 1, strip.y, 2, queue.y + queue.h - strip.y)
  write(
    context,
    palette,
    narrow ? IN_FLIGHT : `${IN_FLIGHT}, by age (log)`,
    strip.x + 7,
    strip.y + 10,
    { size: 11, colour: 'ink-2', halo: true },
    strip.w - 10,
  )
  const left = moments.exact ? 0 : (figures.inFlight ?? moments.n) - moments.n
  const note = left > 0 ? `${left} more not drawn` : more > 0 ? `${more} outside of the axis` : ''
  if (note !== '')
    write(context, palette, note, strip.x + 7, strip.y + 25, { size: 11, colour: 'ink-2', halo: true }, strip.w - 10)
  for (const age of decades.filter(each => narrow || (each !== 1e6 && each !== 1e8))) {
    const style = { size: 11, mono: true, colour: 'ink-3', align: 'center' } as const
    write(
      context,
      palette,
      age === 1e5 ? '0.1 ms' : binWidth(age),
      strip.x + ageX(age, strip.w),
      strip.y + strip.h + 11,
      style,
    )
  }
  const label = atTime(now.t, now.window / 100)
  context.font = `600 11px ${palette('font-mono')}`
  const wide = context.measureText(label).width + 10
  context.fillStyle = palette('accent')
  context.fillRect(strip.x - wide, queue.y + queue.h + 3, wide, 16)
  write(context, palette, label, strip.x - wide / 2, queue.y + queue.h + 11, {
    size: 11,
    weight: 600,
    mono: true,
    colour: 'accent-ink',
    align: 'center',
  })
}

/** Words and a narrow bar: a disk may be starved and busy in turns, and a large area must not flash. */
function drawStarved(context: Canvas2D, { palette }: MapStyle, strip: Box, { waiting }: PlayFigures): void {
  context.fillStyle = palette('starved')
  context.fillRect(strip.x + 1, strip.y, 5, strip.h)
  context.fillStyle = palette('starved-line')
  context.fillRect(strip.x + 6, strip.y, 1, strip.h)
  for (const [i, line] of ['starved', `${waiting} waiting`].entries()) {
    const style = { size: 13, weight: 600, align: 'center', halo: true } as const
    write(context, palette, line, strip.x + strip.w / 2, strip.y + strip.h / 2 - 9 + i * 18, style, strip.w - 16)
  }
}

/** Requests in flight, bios waiting and starved time of the past, as in the chart of the queue depth. */
function drawQueue(
  context: Canvas2D,
  { palette, ratio }: MapStyle,
  box: Box,
  { run, tiles }: RunPicture,
  { t, window }: Now,
  most: number,
): void {
  const x = (time: number) => ((time - t + window) / window) * box.w
  const reason = run.device.absent?.depth
  if (tiles.every(tile => tile.picture.queue === undefined)) {
    const words = `no queue depth: ${reason ?? 'this device issues no requests'}`
    write(context, palette, words, box.x + 6, box.y + box.h / 2, { size: 11, colour: 'ink-3' }, box.w - 12)
    return
  }
  context.save()
  context.beginPath()
  context.rect(box.x, box.y, box.w, box.h)
  context.clip()
  context.imageSmoothingEnabled = false
  for (const { t0, picture } of tiles) {
    const left = box.x + Math.round(x(t0) * ratio) / ratio
    if (picture.queue) context.drawImage(picture.queue, left, box.y, picture.queue.width / ratio, box.h)
  }
  context.restore()
  context.fillStyle = palette('axis')
  context.fillRect(box.x, box.y + box.h - 1, box.w, 1)
  const label = { size: 11, mono: true, colour: 'ink-3', align: 'right' } as const
  write(context, palette, count(most), box.x - 8, box.y + 6, label)
  write(context, palette, '0', box.x - 8, box.y + box.h - 5, label)
}

const isInFlight = (moments: PlaybackMoments, i: number, t: number): boolean => {
  const completed = moments.completed[i] ?? Number.NaN
  return (moments.issued[i] ?? 0) <= t && !(completed <= t)
}

/** Round times in the window that ends at `t`; they keep their places in time. */
function ticksOf(
  t: number,
  window: number,
  most: number,
): { readonly times: readonly number[]; label(time: number): string } {
  const step = roundUp(window / most)
  const first = Math.ceil((t - window) / step)
  const times = Array.from(
    { length: Math.max(0, Math.floor(t / step) - first + 1) },
    (_, i) => (first + i) * step,
  ).filter(time => time >= 0)
  return { times, label: time => atTime(time, step) }
}

/** Names of the parts of the LBA axis: they stay while the past moves. */
export function drawPartNames(
  context: Canvas2D,
  { palette, parts }: MapStyle,
  box: Box,
  names: readonly (string | undefined)[],
): void {
  for (const [i, part] of parts.entries()) {
    const name = names[i]
    if (name !== undefined)
      write(context, palette, name, box.x + 6, box.y + part.top + 9, { size: 11, halo: true }, box.w - 12)
  }
}

/** The labels of the LBA axis at the left of a plot, and its cuts. */
export function drawAxis(
  context: Canvas2D,
  { palette }: MapStyle,
  box: Box,
  parts: readonly AxisPart[],
  ticks: readonly Tick[],
  narrow: boolean,
): void {
  for (const { position, label } of ticks) {
    const y = box.y + Math.min(Math.max(position, 7), box.h - 4)
    write(context, palette, label, box.x - 8, y, {
      size: 11,
      ...(!narrow && { mono: true }),
      colour: 'ink-3',
      align: 'right',
    })
  }
  context.strokeStyle = palette('axis')
  context.lineWidth = 1
  parts.slice(0, -1).forEach((part, i) => {
    const y = box.y + ((parts[i + 1]?.bottom ?? 0) + part.top) / 2
    context.beginPath()
    for (const down of [1, 6]) {
      context.moveTo(box.x - 10, y + down)
      context.lineTo(box.x - 1, y + down - 6)
    }
    context.stroke()
  })
}
