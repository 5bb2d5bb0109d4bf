/** Writes frames as WebM: the browser's encoder compresses them, faster or slower than they play. */
import type { FilmFormat, FilmWriter } from './filmWriter'
import { createWebm } from './webm'

/** A key frame every so many seconds: where a player can begin. */
const KEY_EVERY = 2
/** Frames that wait for the encoder. */
const QUEUED = 4

const CODECS = [
  { codec: 'vp09.00.41.08', name: 'V_VP9' },
  { codec: 'vp8', name: 'V_VP8' },
] as const

/** Bits per second: lines and text on plain ground. */
const bitrateOf = ({ width, height, framesPerSecond }: FilmFormat): number =>
  Math.round(width * height * framesPerSecond * 0.12)

/** Why this browser cannot encode; `undefined` when it can. */
export function whyNoVideo(): string | undefined {
  if (typeof VideoEncoder !== 'undefined') return undefined
  return isSecureContext
    ? 'This browser has no video encoder (WebCodecs). Chromium and Firefox 130 or newer have one.'
    : 'Browsers encode video only on pages from https or from this machine. Use the single-file app, seekscope open or seekscope movie.'
}

async function configFor(format: FilmFormat): Promise<{ readonly config: VideoEncoderConfig; readonly name: string }> {
  const { width, height, framesPerSecond } = format
  for (const { codec, name } of CODECS) {
    const config = {
      codec,
      width,
      height,
      framerate: framesPerSecond,
      bitrate: bitrateOf(format),
      latencyMode: 'quality',
    } as const
    const { supported } = await VideoEncoder.isConfigSupported(config)
    if (supported) return { config, name }
  }
  throw new Error(`This browser encodes neither VP9 nor VP8 at ${width} × ${height}.`)
}

/** `pause` lets the encoder work. Rejects with an Error where the browser cannot encode. */
export async function createVideo(
  format: FilmFormat,
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<FilmWriter> {
  const reason = whyNoVideo()
  if (reason !== undefined) throw new Error(reason)
  const { config, name } = await configFor(format)
  const { width, height, framesPerSecond } = format
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
  encoder.configure(config)
  let frame = 0
  return {
    samples: 0,
    look: () => undefined,
    async add({ canvas }) {
      const picture = new VideoFrame(canvas, {
        timestamp: Math.round((frame * 1e6) / framesPerSecond),
        duration: Math.round(1e6 / framesPerSecond),
      })
      encoder.encode(picture, { keyFrame: frame % (KEY_EVERY * framesPerSecond) === 0 })
      picture.close()
      frame += 1
      while (encoder.encodeQueueSize > QUEUED && failed === undefined && !signal.aborted) await pause()
      if (failed !== undefined) throw failed
    },
    async finish() {
      await encoder.flush()
      if (failed !== undefined) throw failed
      return file.finish()
    },
    close() {
      if (encoder.state !== 'closed') encoder.close()
    },
  }
}
