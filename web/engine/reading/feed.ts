/** Feeds the files of a trace to the engine in parallel, and yields to other work in between. */
import type { TraceFile } from '../protocol'
import { type ByteSource, openSource } from './read'

/** What takes the bytes: the engine's trace. */
export interface ByteSink {
  /** Maximum number of bytes per call of `feed`. */
  pieceBytes(): number
  hungry(): number | undefined
  feed(part: number, bytes: Uint8Array): void
  /** Number of bytes after a pause that `pause` needs to see. */
  followingBytes(): number
  /** Pauses a file at the end of a section; `following` are the bytes after it. */
  pause(part: number, following: Uint8Array): void
  close(part: number): void
}

/** The part of each file that is fed. */
export interface FedRange {
  /** First byte of each file; absent: 0. */
  readonly from?: readonly number[]
  /** Returns where each file is paused, once that is known; absent: files are fed to their ends and closed. */
  readonly ends?: () => readonly number[] | undefined
}

export interface Feeding {
  /** Number of bytes of all files that were fed. */
  taken(): number
  /** Offset in each file up to which it was fed. */
  offsets(): readonly number[]
  /** Resolves when every file has been fed. Rejects with an EngineError. */
  run(): Promise<void>
}

/** Size of a read per file, bytes, as long as all buffers together stay below the budget. */
const AHEAD = 4 << 20
const BUDGET = 96 << 20
const MIN_READ_AHEAD = 16 << 10
/** Maximum time before other messages are handled, ms. */
const YIELD_MS = 12

/** `yieldToMessages` is awaited between pieces, so that waiting queries are answered. */
export const createFeeding = (
  parts: readonly TraceFile[],
  sink: ByteSink,
  yieldToMessages: () => Promise<void>,
  { from = [], ends = () => undefined }: FedRange = {},
): Feeding => {
  const ahead = Math.max(MIN_READ_AHEAD, Math.min(AHEAD, Math.floor(BUDGET / 2 / Math.max(1, parts.length))))
  const sources: ByteSource[] = []
  const left: (Uint8Array | undefined)[] = []
  const offsets = parts.map((_, index) => from[index] ?? 0)
  const pieceBytes = sink.pieceBytes()

  /** The next piece of a file: the remainder of the last read, else the next read. */
  const piece = async (index: number, source: ByteSource): Promise<Uint8Array | undefined> => {
    const bytes = left[index] ?? (await source.next())
    left[index] = bytes && bytes.byteLength > pieceBytes ? bytes.subarray(pieceBytes) : undefined
    return bytes?.subarray(0, pieceBytes)
  }

  /** The bytes after a pause. A read error is ignored here; the section that has these bytes reports it. */
  const readFollowing = async (index: number, offset: number): Promise<Uint8Array> => {
    const bytes = parts[index]?.blob.slice(offset, offset + sink.followingBytes()).arrayBuffer()
    return new Uint8Array((await bytes?.catch(() => undefined)) ?? [])
  }

  return {
    taken: () => offsets.reduce((sum, offset, index) => sum + offset - (from[index] ?? 0), 0),
    offsets: () => offsets,
    async run() {
      sources.push(...(await Promise.all(parts.map((part, index) => openSource(part, ahead, from[index])))))
      let yieldedAt = performance.now()
      for (let index = sink.hungry(); index !== undefined; index = sink.hungry()) {
        const source = sources[index]
        const offset = offsets[index] ?? 0
        const paused = (ends()?.[index] ?? Number.POSITIVE_INFINITY) - offset
        const bytes = paused > 0 && source ? (await piece(index, source))?.subarray(0, paused) : undefined
        if (bytes) sink.feed(index, bytes)
        else if (paused <= 0) sink.pause(index, await readFollowing(index, offset))
        else sink.close(index)
        offsets[index] = offset + (bytes?.byteLength ?? 0)
        if (performance.now() - yieldedAt > YIELD_MS) {
          await yieldToMessages()
          yieldedAt = performance.now()
        }
      }
      for (const source of sources) source.end()
    },
  }
}
