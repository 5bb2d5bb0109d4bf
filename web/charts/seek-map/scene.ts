/** What the map of a run is drawn with: its scene, colours of cells, names of parts. Pure. */
import type { Band, Grid, Layer, Marks, Query } from '../../engine/protocol'
import { OBJECT_CLASSES } from '../../state/runs/objects'
import { viaName } from '../shared/answers/names'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { DENSITY_TOKENS, type Palette, rgbOf } from '../shared/paint/palette'
import type { AxisPart } from './axis/bands'
import type { CellColours } from './cells'
import type { MapScene, SceneColours } from './draw'
import { classTokens } from './layers'

/** Most marks; with more requests the map is a grid. */
export const MAX_MARKS = 6_000
/** Side of a grid cell, CSS px. */
export const CELL = 2

/** What a map needs of its frame. */
export type MapFrame = Pick<ChartFrame, 'shown' | 'plotWidth' | 'palette' | 'processes'> & {
  readonly view: Pick<ChartFrame['view'], 'range'>
}

const longest = ({ shown }: Pick<MapFrame, 'shown'>): Shown | undefined =>
  shown.reduce<Shown | undefined>((a, b) => (a === undefined || b.end > a.end ? b : a), undefined)

const coloursOf = (palette: Palette): SceneColours => ({
  odd: palette('sunken'),
  unit: palette('grid'),
  boundary: palette('axis'),
  held: palette('held'),
  ink: palette('ink'),
  surface: palette('surface'),
  page: palette('page'),
  line: palette('line'),
  flush: palette('op-flush'),
})

/** What a map looks like, wherever it is drawn. */
export interface MapLook {
  readonly palette: Palette
  readonly layer: Layer
  readonly parts: readonly AxisPart[]
}

/** A time range of a run in a plot of this size, without an end. */
export const endlessScene = (
  { palette, layer, parts }: MapLook,
  run: Shown,
  range: MapScene['range'],
  width: number,
  height: number,
): MapScene => ({
  range,
  width,
  height,
  end: Number.POSITIVE_INFINITY,
  parts,
  geometry: run.filter.geometry,
  byAlignment: layer === 'alignment' && run.filter.geometry !== undefined,
  classes: classTokens(layer).map(palette),
  colours: coloursOf(palette),
})

export function sceneOf(
  frame: MapFrame,
  run: Shown,
  parts: readonly AxisPart[],
  layer: Layer,
  height: number,
): MapScene {
  const scene = endlessScene({ palette: frame.palette, layer, parts }, run, frame.view.range, frame.plotWidth, height)
  return run === longest(frame) ? scene : { ...scene, end: run.end }
}

export const cellColours = (palette: Palette, layer: Layer, max: number): CellColours => ({
  max,
  steps: DENSITY_TOKENS.map(token => rgbOf(palette(token))),
  classes: layer === 'density' ? undefined : classTokens(layer).map(token => rgbOf(palette(token))),
})

/** The classes of the requests of a part. */
export function classesOf(
  part: Pick<Band, 'lba0' | 'lba1'>,
  answer: Marks | Grid,
  ask: Query<'seekMap'>,
): ReadonlySet<number> {
  const found = new Set<number>()
  if (answer.kind === 'marks') {
    for (let i = 0; i < answer.n; i += 1)
      if ((answer.lba[i] ?? 0) >= part.lba0 && (answer.lba[i] ?? 0) < part.lba1) found.add(answer.cls[i] ?? 0)
  } else {
    const band = ask.bands.find(b => b.lba0 === part.lba0)
    if (band === undefined) return found
    for (let x = 0; x < answer.w; x += 1) {
      for (let y = band.y0; y < band.y1; y += 1)
        if ((answer.counts[x * answer.h + y] ?? 0) > 0) found.add(answer.cls[x * answer.h + y] ?? 0)
    }
  }
  return found
}

/** The class of all requests of a part, when there is only one. */
export function onlyClassOf(...[part, answer, ask]: Parameters<typeof classesOf>): number | undefined {
  return onlyOne(classesOf(part, answer, ask))
}

export function onlyOne(classes: ReadonlySet<number>): number | undefined {
  const [cls] = classes
  return classes.size === 1 ? cls : undefined
}

/** What the requests of a part belong to: files are one word, structures are listed. */
export function objectOfClasses(classes: ReadonlySet<number>, names: readonly string[]): string | undefined {
  const [cls] = classes
  if (cls === undefined || classes.size === 1) return cls === undefined ? undefined : names[cls]
  const isFile = (each: number) => OBJECT_CLASSES[each]?.startsWith('file')
  const structures = [...classes].filter(each => !isFile(each)).toSorted((a, b) => a - b)
  return [...(structures.length < classes.size ? ['files'] : []), ...structures.map(each => names[each])].join(', ')
}

/** The process (or its partition) or the object of all requests of a part, when there is only one. */
function partName(
  part: AxisPart,
  answer: Marks | Grid | undefined,
  ask: Query<'seekMap'> | undefined,
  names: readonly string[],
  frame: Pick<MapFrame, 'shown' | 'processes'>,
  layer: Layer,
): string | undefined {
  if (answer === undefined || ask === undefined) return undefined
  if (layer === 'object') return objectOfClasses(classesOf(part, answer, ask), names)
  if (layer !== 'process') return undefined
  return processOfClass(onlyClassOf(part, answer, ask), names, frame)
}

/** The name of a part in a run; where it has no request there, what another run has in it. */
export function partLabel(
  part: AxisPart,
  replies: readonly { readonly answer?: Marks | Grid; readonly ask?: Query<'seekMap'> }[],
  i: number,
  names: readonly string[],
  frame: Pick<MapFrame, 'shown' | 'processes'>,
  layer: Layer,
): string | undefined {
  const nameIn = (reply: (typeof replies)[number] | undefined) =>
    partName(part, reply?.answer, reply?.ask, names, frame, layer)
  const ownName = nameIn(replies[i])
  if (ownName !== undefined || layer !== 'object' || replies[i]?.answer === undefined) return ownName
  const other = replies.map(nameIn).find(name => name !== undefined)
  return other && `${other}: none in ${frame.shown[i]?.letter}`
}

/** The name of a class of processes that has a single colour. */
export function processOfClass(
  cls: number | undefined,
  names: readonly string[],
  frame: Pick<MapFrame, 'shown' | 'processes'>,
): string | undefined {
  if (cls === undefined || cls > 4) return undefined
  const key = [...frame.processes].find(([, slot]) => slot === cls)?.[0]
  return key === undefined ? names[cls] : viaName(key, frame.shown[0]?.run)
}
