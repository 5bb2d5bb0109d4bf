/** What holds for the whole playback: the parts of the LBA axis that are in use, and the colours that occur. */
import type { Layer, Query } from '../../engine/protocol'
import { ns } from '../../lib/units'
import { layerOf } from '../../state/filter'
import { type AxisPart, GAP_SHARE, inCells, layOut, MAX_PARTS, unionOf } from '../seek-map/axis/bands'
import { slotsIn } from '../seek-map/layers'
import { classesIn } from '../seek-map/legend'
import { classesOf } from '../seek-map/scene'
import type { Shown, StableView } from '../shared/answers/shown'

export interface PlayFacts {
  /** Parts of the LBA axis, ascending. */
  readonly spans: readonly (readonly [number, number])[]
  readonly layer: Layer
  /** Classes of the layer that occur. */
  readonly classes: readonly number[]
  /** Per run and part of the axis, the classes of its requests. */
  readonly partClasses: readonly (readonly ReadonlySet<number>[])[]
  /** Some requests are flushes without a place. */
  readonly flushes: boolean
  /** Most requests in flight or bios waiting in any run: the top of the queue. */
  readonly mostDepth: number
}

/** Columns and rows of the map in which the classes are looked for. */
const COLUMNS = 1024
const ROWS = 128

export const layerFor = (layer: Layer, run: Shown): Layer =>
  layer === 'alignment' && run.filter.geometry === undefined ? 'op' : layer

export const hasQueue = ({ device }: Shown): boolean => device.role === 'disk' && device.absent?.depth === undefined

function spansOf(union: readonly (readonly [number, number])[], { lba, trueScale }: StableView): PlayFacts['spans'] {
  if (lba) return [lba]
  if (union.length > 0 && !trueScale) return union
  return [[union[0]?.[0] ?? 0, Math.max(1, ...union.map(([, high]) => high))]]
}

/** Rejects with an EngineError. */
export async function factsOf(shown: readonly Shown[], view: StableView): Promise<PlayFacts> {
  const whole = (run: Shown) => ({ t0: ns(Math.min(run.begin, 0)), t1: ns(run.info.span) })
  const bands = await Promise.all(
    shown.map(run =>
      run.client.query('bands', { filter: run.filter, range: whole(run), most: MAX_PARTS, gapShare: GAP_SHARE }),
    ),
  )
  const spans = spansOf(unionOf(bands.map(answer => answer.bands)), view)
  const layer = layerOf(
    shown.map(s => s.run),
    view,
  )
  const parts = inCells(layOut(spans, ROWS), 1)
  const asked = shown.map(
    (run): Query<'seekMap'> => ({
      filter: run.filter,
      range: whole(run),
      bands: parts,
      w: COLUMNS,
      h: ROWS,
      layer: layerFor(layer, run),
      ...slotsIn(layerFor(layer, run), run),
      marks: 0,
    }),
  )
  const answered = await Promise.all(
    shown.flatMap((run, i) => {
      const ask = asked[i]
      return ask ? [run.client.query('seekMap', ask).then(map => ({ ask, map }))] : []
    }),
  )
  const facets = await Promise.all(shown.map(run => run.client.query('facets', { filter: run.filter })))
  const depths = await Promise.all(
    shown
      .filter(hasQueue)
      .map(run => run.client.query('depth', { device: run.device.index, range: whole(run), n: COLUMNS })),
  )
  const mostDepth = depths.reduce(
    (most, { max, waitMean }) => [...max, ...waitMean].reduce((a, b) => Math.max(a, b), most),
    1,
  )
  return {
    spans,
    layer,
    classes: classesIn(answered.map(({ map }) => map)),
    partClasses: answered.map(({ ask, map }) => parts.map(part => classesOf(part, map, ask))),
    flushes: facets.some(({ ops }) => ops.flush > 0),
    mostDepth: Math.ceil(mostDepth),
  }
}

export const partsFor = ({ spans }: PlayFacts, height: number): readonly AxisPart[] => layOut(spans, height)
