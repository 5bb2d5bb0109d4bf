/** Feeds the files of a trace to the engine in parallel, and yields to other work in between. */
import type { TraceFile } from '../protocol'
import { type ByteSource, openSource } from './read'

/** Takes the bytes: the engine's trace. */
export interface ByteSink {
  /** Bytes to feed at a time. */
  pieceBytes(): number
  hungry(): number | undefined
  feed(part: number, bytes: Uint8Array): void
  /** Bytes behind the place where a file is paused that `pause` has to know. */
  followingBytes(): number
  /** Takes no more of a file for the time being. */
  pause(part: number, following: Uint8Array): void
  close(part: number): void
}

/** What of each file is fed. */
export interface FedRange {
  /** First byte of each file; absent: 0. */
  readonly from?: readonly number[]
  /** Where each file is paused, as soon as that is known; absent: files are fed to their ends, and closed. */
  readonly ends?: () => readonly number[] | undefined
}

export interface Feeding {
  /** Bytes of all files taken so far. */
  taken(): number
  /** Byte of each file up to which it was fed. */
  offsets(): readonly number[]
  /** Ends when every file has been fed. Rejects with an EngineError. */
  run(): Promise<void>
}

/** Read at a time from each file, as long as all buffers together stay below the budget. */
const AHEAD = 4 << 20
const BUDGET = 96 << 20
const MIN_READ_AHEAD = 16 << 10
/** Other work waits no longer than this. */
const YIELD_MS = 12

/** `yieldToMessages` is awaited between pieces, and lets waiting messages be handled. */
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
  const most = sink.pieceBytes()

  /** The next piece of a part, from what was read before or from its file. */
  const piece = async (index: number, source: ByteSource): Promise<Uint8Array | undefined> => {
    const bytes = left[index] ?? (await source.next())
    left[index] = bytes && bytes.byteLength > most ? bytes.subarray(most) : undefined
    return bytes?.subarray(0, most)
  }

  /** The bytes behind the place where a part is paused; what cannot be read is reported when it is in turn. */
  const following = async (index: number, at: number): Promise<Uint8Array> => {
    const bytes = parts[index]?.blob.slice(at, at + sink.followingBytes()).arrayBuffer()
    return new Uint8Array((await bytes?.catch(() => undefined)) ?? [])
  }

  return {
    taken: () => offsets.reduce((sum, at, index) => sum + at - (from[index] ?? 0), 0),
    offsets: () => offsets,
    async run() {
      sources.push(...(await Promise.all(parts.map((part, index) => openSource(part, ahead, from[index])))))
      let yieldedAt = performance.now()
      for (let index = sink.hungry(); index !== undefined; index = sink.hungry()) {
        const source = sources[index]
        const at = offsets[index] ?? 0
        const paused = (ends()?.[index] ?? Number.POSITIVE_INFINITY) - at
        const bytes = paused > 0 && source ? (await piece(index, source))?.subarray(0, paused) : undefined
        if (bytes) sink.feed(index, bytes)
        else if (paused <= 0) sink.pause(index, await following(index, at))
        else sink.close(index)
        offsets[index] = at + (bytes?.byteLength ?? 0)
        if (performance.now() - yieldedAt > YIELD_MS) {
          await yieldToMessages()
          yieldedAt = performance.now()
        }
      }
      for (const source of sources) source.end()
    },
  }
}
