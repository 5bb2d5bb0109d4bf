/**
 * Writes frames as an animated GIF that repeats. All frames have one palette, made of some frames from all of the
 * film; what has not changed since the frame before is transparent, which LZW shortens to almost nothing.
 */
import { applyPalette, GIFEncoder, quantize } from 'gifenc'
import type { FilmFormat, FilmWriter } from './filmWriter'

/** Frames of which the palette is made. */
const SAMPLES = 6
/** One of 256 is for what has not changed. */
const COLOURS = 255
/** How long the last frame stays until the film begins again, ms. */
const LAST_MS = 2000

export function createGif({ width, height, framesPerSecond }: FilmFormat, frames: number): FilmWriter {
  const encoder = GIFEncoder({ auto: false })
  const looked = new Uint8ClampedArray(width * height * 4 * SAMPLES)
  let seen = 0
  let palette: ReturnType<typeof quantize> | undefined
  let before: Uint8Array | undefined
  let added = 0
  /** The browser may keep blobs outside of memory. */
  const parts: Blob[] = []
  const pixels = (frame: OffscreenCanvasRenderingContext2D) => frame.getImageData(0, 0, width, height).data
  const take = () => {
    parts.push(new Blob([encoder.bytes()]))
    encoder.reset()
  }
  return {
    samples: Math.min(SAMPLES, frames),
    look(frame) {
      looked.set(pixels(frame), seen * width * height * 4)
      seen += 1
    },
    async add(frame) {
      palette ??= quantize(looked.subarray(0, seen * width * height * 4), COLOURS, { format: 'rgb565' })
      const now = applyPalette(pixels(frame), palette, 'rgb565')
      const same = palette.length
      const index =
        before?.length === now.length ? now.map((colour, i) => (colour === before?.[i] ? same : colour)) : now
      const first = before === undefined
      if (first) encoder.writeHeader()
      added += 1
      encoder.writeFrame(index, width, height, {
        first,
        delay: added === frames ? LAST_MS : 1000 / framesPerSecond,
        dispose: 1,
        transparent: !first,
        transparentIndex: same,
        ...(first && { palette: [...palette, [0, 0, 0]] }),
      })
      before = now
      take()
    },
    async finish() {
      encoder.finish()
      take()
      return new Blob(parts, { type: 'image/gif' })
    },
    close: () => undefined,
  }
}
