/** Zones of a zoned disk on the LBA axis: a ruler of zones, and marks of what happened to them. */

import type { ZoneKind } from '../../../engine/protocol'
import {
  type DeviceInfo,
  type DeviceZones,
  type Query,
  type Range,
  ZONE_KINDS,
  type ZoneMarks,
} from '../../../engine/protocol'
import { count, counted, seconds, sectorSize } from '../../../lib/format'
import { ZONE_NAMES, zonesCounted } from '../../../lib/zones'
import { listed, type Shown } from '../../shared/answers/shown'
import type { Tip } from '../../shared/frame/tips'
import { drawGlyph, GLYPH_REACH } from '../../shared/paint/glyph'
import type { Palette } from '../../shared/paint/palette'
import { dashed, hatch, type Surface } from '../../shared/paint/surface'
import { xOf } from '../../shared/paint/viewport'
import { type AxisPart, sectorsPerPx, yWithin } from '../axis/bands'
import { GLYPHS } from './zoneGlyphs'

/** Boundaries of all zones are lines from this height of a zone on, px; below, those of every 2, 5, 10, ... zones. */
const LINE_PX = 12
/** Least distance of two numbers, px. */
const NUMBER_PX = 14
/** Width of the ruler at the right edge, px. */
const RULER = 5
/** Zones lower than this have no ruler, px. */
const RULER_PX = 3
/** Symbols are about 9 px wide: more of them would hide the requests. */
const MAX_SYMBOLS = 400
/** Reach of the pointer, px. */
const REACH = 8

/** `undefined` for devices that are not known to be zoned, or whose actions were not recorded. */
export const zonesAsk = ({ device }: Pick<Shown, 'device'>, range: Range): Query<'zones'> | undefined =>
  device.zones && device.absent?.zones === undefined ? { device: device.index, range, most: MAX_SYMBOLS } : undefined

export interface ZoneColours {
  readonly boundary: string
  readonly ruler: string
  readonly conventional: string
  readonly halo: string
  readonly mark: string
  readonly off: string
}

export const zoneColoursOf = (palette: Palette): ZoneColours => ({
  boundary: palette('axis'),
  ruler: palette('axis'),
  conventional: palette('grid'),
  halo: palette('surface'),
  mark: palette('ink'),
  off: palette('bad'),
})

/** A labelled zone: `y` is where it begins within the part. */
export interface ZoneLabel {
  readonly y: number
  readonly label: string
}

/** Every how many zones there is a line: 1, else 2, 5 or 10 times a power of ten. */
export function zoneStep(tall: number, least: number): number {
  if (tall >= least) return 1
  for (let power = 1; ; power *= 10) {
    const step = [2, 5, 10].find(n => n * power * tall >= least)
    if (step !== undefined) return step * power
  }
}

const tallOf = (zones: DeviceZones, part: AxisPart): number => zones.sectors / sectorsPerPx(part)

const zoneOf = (zones: DeviceZones, lba: number): number => Math.floor(lba / zones.sectors)

const isConventional = (zones: DeviceZones, lba: number): boolean =>
  zones.conventional?.some(([first, last]) => lba >= first && lba <= last) ?? false

/** `4, conventional`. */
const zoneNumber = (zones: DeviceZones, zone: number): string =>
  `${count(zone)}${isConventional(zones, zone * zones.sectors) ? ', conventional' : ''}`

/** Multiples of `step` among the zones that begin within a part. */
function zonesFrom(zones: DeviceZones, part: AxisPart, step: number): readonly number[] {
  const first = Math.ceil(part.lba0 / (zones.sectors * step)) * step
  const found: number[] = []
  for (let zone = first; zone * zones.sectors < part.lba1; zone += step) found.push(zone)
  return found
}

/**
 * Numbers of zones: the one that a part begins in, then those that begin where a line is, as far apart as they can be
 * read.
 */
export function zoneLabels(zones: DeviceZones, part: AxisPart): readonly ZoneLabel[] {
  const step = zoneStep(tallOf(zones, part), NUMBER_PX)
  const label = (zone: number) => `zone ${zoneNumber(zones, zone)}`
  const labels = [{ y: yWithin(part, part.lba0), label: label(zoneOf(zones, part.lba0)) }]
  for (const zone of zonesFrom(zones, part, step)) {
    const y = yWithin(part, zone * zones.sectors)
    const last = labels.at(-1)
    if (last !== undefined && last.y - y < NUMBER_PX) {
      if (zone * zones.sectors === part.lba0) labels[labels.length - 1] = { y, label: label(zone) }
    } else if (y - part.top >= NUMBER_PX - 2) labels.push({ y, label: label(zone) })
  }
  return labels
}

/** Boundaries of zones, a ruler at the right edge with every other zone filled, and a hatch over conventional zones. */
export function drawZones(
  surface: Surface,
  parts: readonly AxisPart[],
  zones: DeviceZones,
  width: number,
  colours: ZoneColours,
): void {
  for (const part of parts) {
    const tall = tallOf(zones, part)
    for (const [first, last] of zones.conventional ?? []) {
      if (last < part.lba0 || first >= part.lba1) continue
      const top = Math.max(part.top, yWithin(part, Math.min(last + 1, part.lba1)))
      const bottom = Math.min(part.bottom, yWithin(part, Math.max(first, part.lba0)))
      hatch(surface, 0, top, width, bottom - top, colours.conventional, 7)
    }
    surface.fillStyle = colours.boundary
    for (const zone of zonesFrom(zones, part, zoneStep(tall, LINE_PX))) {
      const y = Math.round(yWithin(part, zone * zones.sectors))
      for (let x = 0; x < width - RULER; x += 4) surface.fillRect(x, y - 0.5, 2, 1)
    }
    if (tall < RULER_PX) continue
    surface.fillStyle = colours.ruler
    surface.fillRect(width - RULER - 1, part.y0, 1, part.y1 - part.y0)
    for (let zone = zoneOf(zones, part.lba0); zone * zones.sectors < part.lba1; zone += 1) {
      if (zone % 2 === 0) continue
      const top = yWithin(part, Math.min((zone + 1) * zones.sectors, part.lba1))
      const bottom = yWithin(part, Math.max(zone * zones.sectors, part.lba0))
      surface.fillRect(width - RULER, top, RULER, bottom - top)
    }
  }
}

/** The axes on which zone marks are drawn. */
export interface ZoneScene {
  readonly range: Range
  readonly width: number
  readonly height: number
  readonly parts: readonly AxisPart[]
  readonly zones: DeviceZones
}

/**
 * Place of a mark. Where its sector is cut out of the axis, that of the nearest one of its zone; `undefined` where all
 * of the zone is.
 */
function placeOf(
  marks: ZoneMarks,
  i: number,
  { range, width, parts, zones }: ZoneScene,
): { readonly x: number; readonly y: number } | undefined {
  const sector = marks.sector[i] ?? 0
  const all = ZONE_KINDS[marks.kind[i] ?? 0] === 'reset-all'
  const start = zoneOf(zones, sector) * zones.sectors
  const part =
    parts.find(p => sector >= p.lba0 && sector < p.lba1) ??
    parts.find(p => start < p.lba1 && start + zones.sectors > p.lba0) ??
    (all ? parts[0] : undefined)
  if (part === undefined) return undefined
  const y = yWithin(part, Math.max(part.lba0, Math.min(part.lba1, sector)))
  return {
    x: xOf(range, width)(marks.at[i] ?? 0),
    y: Math.min(Math.max(y, part.top + GLYPH_REACH), part.bottom - GLYPH_REACH),
  }
}

/** The symbols; a reset of all zones is a line over the full height. Those of errors are on top. */
export function drawZoneMarks(
  surface: Surface,
  marks: ZoneMarks,
  scene: ZoneScene,
  colours: Pick<ZoneColours, 'halo' | 'mark' | 'off'>,
): void {
  for (const off of [false, true]) {
    for (let i = 0; i < marks.n; i += 1) {
      const kind = ZONE_KINDS[marks.kind[i] ?? 0] ?? 'action'
      const place = placeOf(marks, i, scene)
      if (place === undefined || isOff(kind) !== off) continue
      if (kind === 'reset-all') {
        surface.strokeStyle = colours.mark
        surface.lineWidth = 1
        dashed(surface, [3, 3], () => {
          surface.beginPath()
          surface.moveTo(place.x, 0)
          surface.lineTo(place.x, scene.height)
          surface.stroke()
        })
      }
      drawGlyph(surface, GLYPHS[kind], place.x, place.y, off ? colours.off : colours.mark, colours.halo)
    }
  }
}

/** The mark nearest to a point, within reach. */
function nearestZoneMark(marks: ZoneMarks, scene: ZoneScene, x: number, y: number): number | undefined {
  let best: number | undefined
  let away = REACH
  for (let i = 0; i < marks.n; i += 1) {
    const place = placeOf(marks, i, scene)
    if (place === undefined) continue
    const distance = Math.hypot(place.x - x, place.y - y)
    if (distance < away) [best, away] = [i, distance]
  }
  return best
}

export const isOff = (kind: ZoneKind): boolean => kind === 'off-pointer' || kind === 'refused'

/** The tip of the mark at a point: what happened, in which zone, and where its write pointer was. */
/** A run as it is labelled in a tip. */
type Labelled = Pick<Shown, 'letter' | 'moved'>

export function zoneTip(marks: ZoneMarks, scene: ZoneScene, x: number, y: number, run: Labelled): Tip | undefined {
  const i = nearestZoneMark(marks, scene, x, y)
  if (i === undefined) return undefined
  return {
    title: ZONE_NAMES[ZONE_KINDS[marks.kind[i] ?? 0] ?? 'action'],
    rows: zoneMarkRows(scene.zones, marks, i, run),
  }
}

/** Another tip, with the zone of its place. */
export const inZone = <T extends Tip | undefined>(zones: DeviceZones | undefined, lba: number, tip: T): T =>
  tip === undefined || zones === undefined
    ? tip
    : { ...tip, rows: [...tip.rows, ['', 'zone', zoneNumber(zones, zoneOf(zones, lba))]] }

function zoneMarkRows(
  zones: DeviceZones,
  marks: ZoneMarks,
  i: number,
  { letter, moved }: Labelled,
): readonly (readonly string[])[] {
  const [pointer, sectors] = [marks.pointer[i] ?? Number.NaN, marks.sectors[i] ?? 0]
  const kind = ZONE_KINDS[marks.kind[i] ?? 0] ?? 'action'
  return [
    [letter, 'at', `${seconds((marks.at[i] ?? 0) - moved, 6)} s`],
    ['', 'zone', kind === 'reset-all' ? 'all' : zoneNumber(zones, zoneOf(zones, marks.sector[i] ?? 0))],
    ['', 'sector', count(marks.sector[i] ?? 0)],
    ...(sectors > 0 ? [['', 'size', sectorSize(sectors)]] : []),
    ...(kind === 'reset-all'
      ? []
      : [['', 'write pointer', Number.isNaN(pointer) ? 'not known' : `sector ${count(pointer)}`]]),
    ...(kind === 'action' ? [['', 'action', 'not recorded which']] : []),
    ...(marks.failed[i] === 1 ? [['', 'result', 'failed']] : []),
  ]
}

/** A sentence about zones; starts with a space. */
export function zoneWords(
  { zones, absent }: Pick<DeviceInfo, 'zones' | 'absent'>,
  marks: ZoneMarks | undefined,
): string {
  if (zones === undefined) return ''
  const found = ZONE_KINDS.flatMap((kind, i) => {
    const n = marks?.counts[i] ?? 0
    return n > 0 ? [zonesCounted(kind, n, counted)] : []
  })
  const what = absent?.zones === undefined ? listed(found) : `their actions are absent, ${absent.zones}`
  return ` Zones of ${sectorSize(zones.sectors)}${what === '' ? '' : `: ${what}`}.`
}
