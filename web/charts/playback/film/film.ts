/** Renders playback frame by frame into a file. */
import type { Range } from '../../../engine/protocol'
import { timeOfFrame, timingOfFilm } from '../clock'
import { wholeRange } from '../player'
import { createStage, type StageInput } from '../stage'
import { type FilmFormat, type FilmWriter, framesOf } from './filmWriter'
import { createVideo } from './video'

export type FilmInput = Omit<StageInput, 'timing' | 'film' | 'width' | 'height' | 'ratio'> & {
  readonly range: Range
  readonly title: string
}

/** The picture is laid out for this height; larger films have more px per line. */
const LAID_OUT = 720
/** Margin of the picture, px. */
const PAD = 20

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

/** Few films are GIFs: their encoder is loaded for one. */
async function writerFor(format: FilmFormat, pause: () => Promise<void>, signal: AbortSignal): Promise<FilmWriter> {
  if (format.kind === 'webm') return createVideo(format, pause, signal)
  const { createGif } = await import('./gif')
  return createGif(format, framesOf(format))
}

/**
 * Rejects with an EngineError, an Error of the encoder, or the signal's reason. `progress` is called after each frame.
 */
export async function renderFilm(
  input: FilmInput,
  format: FilmFormat,
  progress: (frames: number, total: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const { width, height, seconds } = format
  const pause = createPause()
  const writer = await writerFor(format, pause, signal)
  try {
    const range = wholeRange(input.range)
    const frames = framesOf(format)
    const timing = timingOfFilm(range, frames, seconds)
    const ratio = height / LAID_OUT
    const stage = createStage({
      ...input,
      timing,
      ratio,
      width: Math.floor(width / ratio) - 2 * PAD,
      height: LAID_OUT - 2 * PAD,
      film: { title: input.title, speed: (range.t1 - range.t0) / 1e9 / seconds, pad: PAD },
    })
    const sheet = new OffscreenCanvas(width, height)
    const context = sheet.getContext('2d', { alpha: false, willReadFrequently: format.kind === 'gif' })
    if (!context) throw new Error(`The browser cannot create an image of ${width} × ${height}.`)
    const draw = async (frame: number) => {
      signal.throwIfAborted()
      const t = timeOfFrame(timing, frame, frames)
      await stage.load(t)
      stage.ahead(t)
      stage.draw(context, t)
    }
    for (let sample = 0; sample < writer.samples; sample += 1) {
      await draw(Math.round((sample * (frames - 1)) / Math.max(1, writer.samples - 1)))
      writer.look(context)
      await pause()
    }
    for (let frame = 0; frame < frames; frame += 1) {
      await draw(frame)
      await writer.add(context)
      await pause()
      progress(frame + 1, frames)
    }
    return await writer.finish()
  } finally {
    writer.close()
  }
}
