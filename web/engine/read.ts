/** Bytes of one file, as fast as a browser gives them: the next piece is being read while the last one is worked on. */
import { damagedGzip, unreadableFile } from './errors'
import type { Part } from './protocol'

export interface Source {
  /** The next bytes, valid until the next call; `undefined` at the end. Rejects with an EngineError. */
  next(): Promise<Uint8Array | undefined>
  /** Bytes of the file taken so far; for a compressed file, compressed ones. */
  taken(): number
}

/** Read at first, so that the first picture comes soon. */
const FIRST = 256 << 10

/** A read that has not answered for so long is given up, and the rest is read in another way. */
const STALLED_MS = 3000

const isGzip = async (blob: Blob): Promise<boolean> => {
  const magic = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  return magic[0] === 0x1f && magic[1] === 0x8b
}

/** Opens a file; `ahead` is how many bytes are read at a time. */
export const openSource = async (part: Part, ahead: number): Promise<Source> => {
  try {
    return (await isGzip(part.blob)) ? gzipSource(part) : plainSource(part, Math.max(1, Math.min(ahead, part.blob.size)))
  } catch (thrown) {
    throw unreadableFile(part.name, 0, part.blob.size, thrown)
  }
}

/** Two buffers take turns: one is filled while the other is worked on. */
const plainSource = ({ name, blob }: Part, ahead: number): Source => {
  let reader: ReadableStreamBYOBReader | undefined = blob.stream().getReader({ mode: 'byob' })
  let requested = 0
  let taken = 0
  let spare: ArrayBuffer | undefined

  const size = () => (requested === 0 ? Math.min(FIRST, ahead) : ahead)

  const fromSlice = async (): Promise<Uint8Array | undefined> => {
    const bytes = await blob.slice(requested, requested + size()).arrayBuffer()
    return bytes.byteLength > 0 ? new Uint8Array(bytes) : undefined
  }

  const fromStream = async (stream: ReadableStreamBYOBReader): Promise<Uint8Array | undefined> => {
    const read = stream.read(new Uint8Array(spare ?? new ArrayBuffer(size())))
    spare = undefined
    const outcome = await unlessStalled(read)
    if (outcome !== 'stalled') return outcome.done ? undefined : outcome.value
    reader = undefined
    stream.cancel().catch(() => undefined)
    return fromSlice()
  }

  const ask = async () => {
    const bytes = await (reader ? fromStream(reader) : fromSlice())
    requested += bytes?.byteLength ?? 0
    return bytes
  }

  let pending = ask()
  let last: Uint8Array | undefined
  return {
    async next() {
      if (last?.buffer instanceof ArrayBuffer && last.buffer.byteLength === ahead) spare = last.buffer
      try {
        last = await pending
      } catch (thrown) {
        throw unreadableFile(name, taken, blob.size, thrown)
      }
      taken += last?.byteLength ?? 0
      if (last) {
        pending = ask()
        // Looked at by the next call; until then a failure is nobody's.
        pending.catch(() => undefined)
      }
      return last
    },
    taken: () => taken,
  }
}

const unlessStalled = async <T>(read: Promise<T>): Promise<T | 'stalled'> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stalled = new Promise<'stalled'>(resolve => {
    timer = setTimeout(() => resolve('stalled'), STALLED_MS)
  })
  try {
    return await Promise.race([read, stalled])
  } finally {
    clearTimeout(timer)
  }
}

const gzipSource = ({ name, blob }: Part): Source => {
  let taken = 0
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      taken += bytes.byteLength
      controller.enqueue(bytes)
    },
  })
  const reader = blob.stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip')).getReader()
  return {
    async next() {
      try {
        const { done, value } = await reader.read()
        return done ? undefined : value
      } catch (thrown) {
        throw damagedGzip(name, taken, blob.size, thrown)
      }
    },
    taken: () => taken,
  }
}

/** The first `most` bytes of what is in a file, unpacked when it is compressed; what can be had of a damaged one. */
export const headOf = async (part: Part, most: number): Promise<Uint8Array> => {
  if (!(await isGzip(part.blob))) return new Uint8Array(await part.blob.slice(0, most).arrayBuffer())
  const source = gzipSource(part)
  const head = new Uint8Array(most)
  let filled = 0
  while (filled < most) {
    const bytes = await source.next().catch(() => undefined)
    if (!bytes) break
    const fits = bytes.subarray(0, most - filled)
    head.set(fits, filled)
    filled += fits.byteLength
  }
  return head.subarray(0, filled)
}

/** The last `most` bytes of a file; none of a compressed one, since its end cannot be unpacked alone. */
export const tailOf = async (part: Part, most: number): Promise<Uint8Array> => {
  const { blob } = part
  if (await isGzip(blob)) return new Uint8Array()
  return new Uint8Array(await blob.slice(Math.max(0, blob.size - most)).arrayBuffer())
}
