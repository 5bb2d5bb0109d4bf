/** Paints the zoomed-in map: one mark per request, from D to C. Pure. */
import { ALIGNMENT_CLASSES, type Geometry, type Marks, OPS, type Range } from '../../engine/protocol'
import { hatch, type Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'
import { type AxisPart, yWithin } from './axis/bands'
import { crossed, drawRuler, type RulerColours, rulerFits } from './axis/ruler'

/** No mark is drawn narrower or lower, px. Lines of many requests need some weight to be told apart by colour. */
export const MARK_MIN = 1.5
export const MARK_TALL = 2.5
/** Marks of this size and larger ones show their second cue, hollow or hatched, px. */
const CUE = 6
/** Ticks are short if there are fewer px per flush. */
const FLUSH_ROOM = 12
const FLUSH_SHORT = 7
/** The part past a boundary is at least this tall, px. */
export const PAST_MIN = 3

const READ = OPS.indexOf('read')
const DISCARD = OPS.indexOf('discard')
const FLUSH = OPS.indexOf('flush')
const STRADDLES = ALIGNMENT_CLASSES.indexOf('straddles')

export interface SceneColours extends RulerColours {
  readonly held: string
  readonly ink: string
  readonly surface: string
  readonly page: string
  readonly line: string
  readonly flush: string
}

export interface MapScene {
  readonly range: Range
  readonly width: number
  readonly height: number
  /** The run's end, ns. */
  readonly end: number
  readonly parts: readonly AxisPart[]
  readonly geometry: Geometry | undefined
  /** True when classes are those of ALIGNMENT_CLASSES. */
  readonly byAlignment: boolean
  /** Colour of each class. */
  readonly classes: readonly string[]
  readonly colours: SceneColours
}

export interface MarkBox {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** The box of a request; `undefined` if its sectors are cut out of the axis, or for a flush, which has none. */
export function boxOf(marks: Marks, i: number, scene: MapScene): MarkBox | undefined {
  const lba = marks.lba[i] ?? 0
  const sectors = marks.sectors[i] ?? 0
  const part = scene.parts.find(p => lba < p.lba1 && lba + sectors > p.lba0)
  if (sectors === 0 || part === undefined) return undefined
  const x = xOf(scene.range, scene.width)
  const from = x(marks.issued[i] ?? 0)
  const until = marks.completed[i] ?? Number.NaN
  const to = Number.isNaN(until) ? scene.width : x(until)
  const top = yWithin(part, Math.min(lba + sectors, part.lba1))
  const bottom = yWithin(part, Math.max(lba, part.lba0))
  const w = Math.max(MARK_MIN, to - from)
  const h = Math.max(MARK_TALL, bottom - top)
  return { x: from, y: h > bottom - top ? (top + bottom - h) / 2 : top, w, h }
}

/** From Q to C: the mark with the waiting time before it. */
export function lifeBox(marks: Marks, i: number, scene: MapScene): MarkBox | undefined {
  const box = boxOf(marks, i, scene)
  const queued = marks.queued[i] ?? Number.NaN
  if (box === undefined || Number.isNaN(queued)) return box
  const from = Math.min(box.x, xOf(scene.range, scene.width)(queued))
  return { ...box, x: from, w: box.x + box.w - from }
}

/** The background: cuts and, when zoomed in far enough, the stripe ruler. */
export function drawGround(surface: Surface, scene: MapScene): void {
  const { parts, geometry, colours } = scene
  const width = Math.min(scene.width, Math.max(0, xOf(scene.range, scene.width)(scene.end)))
  for (const part of parts) if (rulerFits(part, geometry)) drawRuler(surface, part, geometry, width, colours)
  parts.forEach((part, i) => {
    const above = parts[i + 1]
    if (above === undefined) return
    surface.fillStyle = colours.page
    surface.fillRect(0, above.bottom, width, part.top - above.bottom)
    surface.fillStyle = colours.line
    surface.fillRect(0, above.bottom, width, 1)
    surface.fillRect(0, part.top - 1, width, 1)
  })
}

export function drawMarks(surface: Surface, marks: Marks, scene: MapScene): void {
  const x = xOf(scene.range, scene.width)
  const boxes = Array.from({ length: marks.n }, (_, i) => boxOf(marks, i, scene))
  drawFlushes(surface, marks, boxes, scene)
  surface.fillStyle = scene.colours.held
  boxes.forEach((box, i) => {
    const queued = marks.queued[i] ?? Number.NaN
    if (box === undefined || Number.isNaN(queued)) return
    const from = x(queued)
    if (box.x - from > 1) surface.fillRect(from, box.y + box.h / 2 - 0.5, box.x - from, 1)
  })
  scene.classes.forEach((colour, cls) => {
    surface.fillStyle = colour
    surface.strokeStyle = colour
    surface.beginPath()
    boxes.forEach((box, i) => {
      if (marks.cls[i] !== cls || box === undefined) return
      if (marks.op[i] === READ && box.w >= CUE && box.h >= CUE) {
        surface.lineWidth = 1.5
        surface.strokeRect(box.x + 0.75, box.y + 0.75, box.w - 1.5, box.h - 1.5)
      } else surface.rect(box.x, box.y, box.w, box.h)
    })
    surface.fill()
  })
  boxes.forEach((box, i) => {
    if (box === undefined) return
    const straddles = scene.byAlignment && marks.cls[i] === STRADDLES
    if ((straddles || marks.op[i] === DISCARD) && box.w >= CUE && box.h >= CUE) {
      surface.globalAlpha = 0.3
      hatch(surface, box.x, box.y, box.w, box.h, scene.colours.surface)
      surface.globalAlpha = 1
    }
    if (straddles) drawPast(surface, marks, i, box, scene)
  })
}

/**
 * Flushes have no sectors: a tick over the full height, or a short one at the top where they are too dense to leave
 * room for marks.
 */
function drawFlushes(surface: Surface, marks: Marks, boxes: readonly (MarkBox | undefined)[], scene: MapScene): void {
  const x = xOf(scene.range, scene.width)
  const flushes = boxes.flatMap((box, i) =>
    box === undefined && marks.op[i] === FLUSH ? [x(marks.issued[i] ?? 0)] : [],
  )
  const tall = flushes.length > scene.width / FLUSH_ROOM ? FLUSH_SHORT : scene.height
  surface.fillStyle = scene.colours.flush
  for (const left of flushes) surface.fillRect(left - MARK_MIN / 2, 0, MARK_MIN, tall)
}

/** The part of a request past a boundary, in ink and at least 3 px tall; only where the ruler shows the boundary. */
function drawPast(surface: Surface, marks: Marks, i: number, box: MarkBox, scene: MapScene): void {
  const lba = marks.lba[i] ?? 0
  const end = lba + (marks.sectors[i] ?? 0)
  const part = scene.parts.find(p => lba < p.lba1 && end > p.lba0)
  if (part === undefined || !rulerFits(part, scene.geometry)) return
  const boundary = crossed(lba, end, scene.geometry)
  if (boundary === undefined || boundary > part.lba1) return
  const y = yWithin(part, boundary)
  const tall = Math.max(PAST_MIN, y - yWithin(part, Math.min(end, part.lba1)))
  surface.fillStyle = scene.colours.ink
  surface.fillRect(box.x, y - tall, box.w, tall)
}
