/** Renders playback frame by frame into a WebM file: the browser's encoder compresses them, faster or slower than they play. */
import type { Range } from '../../engine/protocol'
import { timeOfFrame, timingOfFilm } from './clock'
import { wholeRange } from './player'
import { createStage, type StageGiven } from './stage'
import { createWebm } from './webm'

export interface FilmFormat {
  /** px; 16 to 9. */
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly seconds: number
}

export const FILM_SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
] as const
export const FRAME_RATES = [24, 30, 60] as const
/** Bounds of a film's length, s. */
export const SHORTEST_FILM = 1
export const LONGEST_FILM = 300

export type FilmGiven = Omit<StageGiven, 'timing' | 'film' | 'width' | 'height' | 'ratio'> & { readonly range: Range; readonly title: string }

/** The picture is laid out for this height; larger films have more px per line. */
const LAID_OUT = 720
/** Around the picture, px. */
const PAD = 20
/** A key frame every so many seconds: where a player can begin. */
const KEY_EVERY = 2
/** Frames that wait for the encoder. */
const QUEUED = 4

const CODECS = [
  { codec: 'vp09.00.41.08', name: 'V_VP9' },
  { codec: 'vp8', name: 'V_VP8' },
] as const

/** Bits per second: lines and text on plain ground. */
const bitrateOf = ({ width, height, framesPerSecond }: FilmFormat): number => Math.round(width * height * framesPerSecond * 0.12)

export const framesOf = ({ framesPerSecond, seconds }: FilmFormat): number => Math.max(2, Math.round(framesPerSecond * seconds))

/** Why this browser cannot encode; `undefined` when it can. */
export function whyNoFilm(): string | undefined {
  if (typeof VideoEncoder !== 'undefined') return undefined
  return isSecureContext
    ? 'This browser has no video encoder (WebCodecs). Chromium and Firefox 130 or newer have one.'
    : 'Browsers encode video only on pages from https or from this machine. Use the single-file app, seekscope open or seekscope movie.'
}

async function configFor(format: FilmFormat): Promise<{ readonly config: VideoEncoderConfig; readonly name: string }> {
  const { width, height, framesPerSecond } = format
  for (const { codec, name } of CODECS) {
    const config = { codec, width, height, framerate: framesPerSecond, bitrate: bitrateOf(format), latencyMode: 'quality' } as const
    const { supported } = await VideoEncoder.isConfigSupported(config)
    if (supported) return { config, name }
  }
  throw new Error(`This browser encodes neither VP9 nor VP8 at ${width} × ${height}.`)
}

/** Lets the page draw and take clicks. Not slowed down in a tab in the background, as timers are. */
function createPause(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return () =>
    new Promise(resolve => {
      waiting.push(resolve)
      port2.postMessage(undefined)
    })
}

/** Rejects with an EngineError, an Error of the encoder, or the signal's reason. `progress` is called after each frame. */
export async function renderFilm(
  given: FilmGiven,
  format: FilmFormat,
  progress: (frames: number, of: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const reason = whyNoFilm()
  if (reason !== undefined) throw new Error(reason)
  const { config, name } = await configFor(format)
  const { width, height, framesPerSecond, seconds } = format
  const range = wholeRange(given.range)
  const frames = framesOf(format)
  const timing = timingOfFilm(range, frames, seconds)
  const ratio = height / LAID_OUT
  const stage = createStage({
    ...given,
    timing,
    ratio,
    width: Math.floor(width / ratio) - 2 * PAD,
    height: LAID_OUT - 2 * PAD,
    film: { title: given.title, speed: (range.t1 - range.t0) / 1e9 / seconds, pad: PAD },
  })
  const sheet = new OffscreenCanvas(width, height)
  const context = sheet.getContext('2d', { alpha: false })
  if (!context) throw new Error(`The browser cannot create an image of ${width} × ${height}.`)
  const file = createWebm({ codec: name, width, height, framesPerSecond })
  let failed: unknown
  const encoder = new VideoEncoder({
    output: chunk => {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      file.add(bytes, chunk.type === 'key')
    },
    error: thrown => {
      failed = thrown
    },
  })
  const pause = createPause()
  try {
    encoder.configure(config)
    for (let frame = 0; frame < frames; frame += 1) {
      signal.throwIfAborted()
      const t = timeOfFrame(timing, frame, frames)
      await stage.load(t)
      stage.ahead(t)
      stage.draw(context, t)
      const picture = new VideoFrame(sheet, { timestamp: Math.round((frame * 1e6) / framesPerSecond), duration: Math.round(1e6 / framesPerSecond) })
      encoder.encode(picture, { keyFrame: frame % (KEY_EVERY * framesPerSecond) === 0 })
      picture.close()
      do await pause()
      while (encoder.encodeQueueSize > QUEUED && failed === undefined && !signal.aborted)
      if (failed !== undefined) throw failed
      progress(frame + 1, frames)
    }
    await encoder.flush()
    if (failed !== undefined) throw failed
  } finally {
    if (encoder.state !== 'closed') encoder.close()
  }
  return file.finish()
}
