/** Feeds the files of a trace to the engine in parallel, and yields to other work in between. */
import type { TraceFile } from './protocol'
import { type ByteSource, openSource } from './read'

/** Takes the bytes: the engine's trace. */
export interface ByteSink {
  /** Bytes to feed at a time. */
  pieceBytes(): number
  hungry(): number | undefined
  feed(part: number, bytes: Uint8Array): void
  close(part: number): void
}

export interface Feeding {
  /** Bytes of all files taken so far. */
  taken(): number
  /** Ends when every file has been fed. Rejects with an EngineError. */
  run(): Promise<void>
}

/** Read at a time from each file, as long as all buffers together stay below the budget. */
const AHEAD = 4 << 20
const BUDGET = 96 << 20
const LEAST_AHEAD = 16 << 10
/** Other work waits no longer than this. */
const YIELD_MS = 12

/** `yieldToMessages` is awaited between pieces, and lets waiting messages be handled. */
export const createFeeding = (parts: readonly TraceFile[], sink: ByteSink, yieldToMessages: () => Promise<void>): Feeding => {
  const ahead = Math.max(LEAST_AHEAD, Math.min(AHEAD, Math.floor(BUDGET / 2 / Math.max(1, parts.length))))
  const sources: ByteSource[] = []
  const left: (Uint8Array | undefined)[] = []
  const most = sink.pieceBytes()

  /** The next piece of a part, from what was read before or from its file. */
  const piece = async (index: number, source: ByteSource): Promise<Uint8Array | undefined> => {
    const bytes = left[index] ?? (await source.next())
    left[index] = bytes && bytes.byteLength > most ? bytes.subarray(most) : undefined
    return bytes?.subarray(0, most)
  }

  return {
    taken: () => sources.reduce((sum, source) => sum + source.taken(), 0),
    async run() {
      sources.push(...(await Promise.all(parts.map(part => openSource(part, ahead)))))
      let yieldedAt = performance.now()
      for (let index = sink.hungry(); index !== undefined; index = sink.hungry()) {
        const source = sources[index]
        const bytes = source && (await piece(index, source))
        if (bytes) sink.feed(index, bytes)
        else sink.close(index)
        if (performance.now() - yieldedAt > YIELD_MS) {
          await yieldToMessages()
          yieldedAt = performance.now()
        }
      }
    },
  }
}
