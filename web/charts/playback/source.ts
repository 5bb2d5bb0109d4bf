/**
 * What the engine answers about one run, fetched ahead in chunks of moments and in tiles of the seek map, and dropped
 * behind: memory is bounded.
 */
import type { DepthSeries, Grid, Layer, Marks, PlaybackMoments, Query } from '../../engine/protocol'
import { ns } from '../../lib/units'
import type { Binned } from '../queue-depth/draw'
import { slotsIn } from '../seek-map/layers'
import type { Shown } from '../shared/answers/shown'
import { numberOf, type Timing } from './clock'

/** Moments per chunk: half a second of playback. */
const CHUNK = 30
/** Most requests in flight in one chunk. */
const MAX_IN_FLIGHT = 8_192
/** Chunks and tiles fetched ahead, and kept on both sides. */
const AHEAD = 3
const KEPT = 5
/** Single moments that are kept: those of pauses and steps. */
const SINGLES = 8
/** Most marks of a tile; with more requests it is a grid. */
export const TILE_MARKS = 4_000

type MapQuery = Query<'seekMap'>

/** What a tile is painted of. */
export interface TileAnswer {
  readonly map: Marks | Grid
  readonly ask: MapQuery
  /** Has a bin more on either side, so that lines go on from tile to tile; absent without a queue depth. */
  readonly queue?: Binned<DepthSeries>
}

/** How a run is asked for tiles, without their time. */
export interface TileQuery {
  readonly map: Omit<MapQuery, 'range'>
  /** Bins of the queue depth per tile; absent without one. */
  readonly bins?: number
}

/** The state at one moment: number `k` of `moments`. */
export interface RunMoment {
  readonly moments: PlaybackMoments
  readonly k: number
}

/** Half of the picture's window, painted. */
export interface Tile<T> {
  readonly t0: number
  readonly t1: number
  readonly picture: T
}

/** A piece of a chunk: the engine answers fewer moments where much is in flight. */
interface Piece {
  readonly first: number
  readonly moments: PlaybackMoments
}

export interface RunSource<T> {
  /** The state at a time, once it is known. */
  moment(t: number): RunMoment | undefined
  /** The tiles of the window that ends with `t`, once all of them are known. */
  tiles(t: number): readonly Tile<T>[] | undefined
  /** Fetches what `t` needs; rejects with an EngineError. */
  load(t: number): Promise<void>
  /** Fetches what comes after `t`, and drops what is far from it. */
  ahead(t: number): void
}

/** Fetches each key once; a failed one is fetched again when it is asked for. */
function createCache<K, V>(fetch: (key: K) => Promise<V>) {
  const values = new Map<K, V>()
  const pending = new Map<K, Promise<V>>()
  const get = (key: K): Promise<V> => {
    const value = values.get(key)
    if (value !== undefined) return Promise.resolve(value)
    const waiting = pending.get(key)
    if (waiting) return waiting
    const asked = fetch(key).then(
      value => {
        pending.delete(key)
        values.set(key, value)
        return value
      },
      reason => {
        pending.delete(key)
        throw reason
      },
    )
    pending.set(key, asked)
    return asked
  }
  return {
    get,
    peek: (key: K) => values.get(key),
    drop: (far: (key: K) => boolean) => {
      for (const key of values.keys()) if (far(key)) values.delete(key)
    },
    /** Drops the oldest beyond `most`. */
    limit: (most: number) => {
      for (const key of values.keys()) if (values.size > most) values.delete(key)
    },
  }
}

/** `paint` makes a picture of an answer for a tile. */
export function createSource<T>(
  run: Shown,
  layer: Layer,
  timing: Timing,
  tile: TileQuery,
  paint: (answer: TileAnswer) => T,
): RunSource<T> {
  const { range, step, window } = timing
  const half = window / 2
  const ask = (time: number, n: number) =>
    run.client.query('playback', {
      filter: run.filter,
      at: ns(time),
      step: ns(step),
      n,
      window: ns(window),
      layer,
      ...slotsIn(layer, run),
      most: MAX_IN_FLIGHT,
    })
  const fetchChunk = async (c: number): Promise<readonly Piece[]> => {
    const pieces: Piece[] = []
    for (let first = c * CHUNK, end = first + CHUNK; first < end; ) {
      const moments = await ask(range.t0 + first * step, end - first)
      pieces.push({ first, moments })
      first += Math.max(1, moments.moments)
    }
    return pieces
  }
  const chunks = createCache<number, readonly Piece[]>(fetchChunk)
  const singles = createCache<number, PlaybackMoments>(t => ask(t, 1))
  const tiles = createCache<number, Tile<T>>(async i => {
    const [t0, t1] = [i * half, (i + 1) * half]
    const asked = { ...tile.map, range: { t0: ns(t0), t1: ns(t1) } }
    const bin = half / (tile.bins ?? 1)
    const wider = { t0: ns(t0 - bin), t1: ns(t1 + bin) }
    const [map, series] = await Promise.all([
      run.client.query('seekMap', asked),
      tile.bins === undefined
        ? undefined
        : run.client.query('depth', { device: run.device.index, range: wider, n: tile.bins + 2 }),
    ])
    return {
      t0,
      t1,
      picture: paint({ map, ask: asked, ...(series && { queue: { range: wider, n: (tile.bins ?? 0) + 2, series } }) }),
    }
  })
  /** Number of the chunk of a moment; `undefined` for times between moments. */
  const chunkOf = (t: number) => {
    const number = numberOf(timing, t)
    return number === undefined ? undefined : Math.floor(number / CHUNK)
  }
  const lastChunk = Math.floor((range.t1 - range.t0) / step / CHUNK)
  const tilesOf = (t: number) => {
    const [first, last] = [Math.floor((t - window) / half), Math.ceil(t / half) - 1]
    return Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => first + i)
  }
  return {
    moment(t) {
      const c = chunkOf(t)
      if (c === undefined || t >= range.t1) {
        const moments = singles.peek(t)
        return moments && { moments, k: 0 }
      }
      const number = numberOf(timing, t) ?? 0
      const piece = chunks.peek(c)?.findLast(({ first }) => first <= number)
      return piece && { moments: piece.moments, k: number - piece.first }
    },
    tiles(t) {
      const found = tilesOf(t).map(i => tiles.peek(i))
      return found.every(answer => answer !== undefined) ? found : undefined
    },
    async load(t) {
      const c = chunkOf(t)
      await Promise.all([
        c === undefined || t >= range.t1 ? singles.get(t) : chunks.get(c),
        ...tilesOf(t).map(i => tiles.get(i)),
      ])
      singles.limit(SINGLES)
    },
    ahead(t) {
      const c = Math.floor((t - range.t0) / step / CHUNK)
      const i = Math.floor(t / half)
      // A failure is told when it is needed.
      const quiet = (asked: Promise<unknown>) => void asked.catch(() => undefined)
      for (let k = 1; k <= AHEAD; k += 1) {
        if (c + k <= lastChunk) quiet(chunks.get(c + k))
        if (i + k <= Math.ceil(range.t1 / half)) quiet(tiles.get(i + k))
      }
      chunks.drop(key => Math.abs(key - c) > KEPT)
      tiles.drop(key => Math.abs(key - i) > KEPT)
    },
  }
}
