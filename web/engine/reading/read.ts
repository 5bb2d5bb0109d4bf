/** Reads one file as fast as the browser can: the next piece is read while the last one is processed. */
import { unreadableFile } from '../errors'
import type { TraceFile } from '../protocol'

export interface ByteSource {
  /** The next bytes, valid until the next call; `undefined` at the end. Rejects with an EngineError. */
  next(): Promise<Uint8Array | undefined>
  /** Stops reading ahead. */
  end(): void
}

/** Size of the first read: small, so that the first picture appears early. */
const FIRST_READ_BYTES = 256 << 10

/** Firefox may never finish a stream read of a file on a slow medium: after this time the rest is read in slices. */
const STALLED_MS = 3000

/** Opens a file at byte `from`; `ahead` is the size of a read. */
export const openSource = async (part: TraceFile, ahead: number, from = 0): Promise<ByteSource> => {
  try {
    return plainSource(part, Math.max(1, Math.min(ahead, part.blob.size)), from)
  } catch (thrown) {
    throw unreadableFile(part.name, 0, part.blob.size, thrown)
  }
}

/**
 * Two buffers take turns: one is filled while the caller processes the other. `next` hands the caller's previous
 * buffer back to the browser, which is why its bytes are valid only until then.
 */
const plainSource = ({ name, blob: all }: TraceFile, ahead: number, from: number): ByteSource => {
  const blob = from === 0 ? all : all.slice(from)
  let reader: ReadableStreamBYOBReader | undefined = blob.stream().getReader({ mode: 'byob' })
  let requested = 0
  let delivered = 0
  let spare: ArrayBuffer | undefined

  const size = () => (requested === 0 ? Math.min(FIRST_READ_BYTES, ahead) : ahead)

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
        throw unreadableFile(name, from + delivered, all.size, thrown)
      }
      delivered += last?.byteLength ?? 0
      if (last) {
        pending = ask()
        // The next call of `next` handles a failure; until then it must not count as unhandled.
        pending.catch(() => undefined)
      }
      return last
    },
    end() {
      reader?.cancel().catch(() => undefined)
    },
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
