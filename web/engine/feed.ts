/** Feeds the files of a trace to the engine in step with each other, and lets other work in between. */
import type { Part } from './protocol'
import { openSource, type Source } from './read'

/** What takes the bytes: the engine's trace. */
export interface Eater {
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

/** Fed at a time: fits a core's second-level cache. */
const PIECE = 1 << 20
/** Read at a time from each file, as long as all buffers together stay below the budget. */
const AHEAD = 4 << 20
const BUDGET = 96 << 20
const LEAST_AHEAD = 256 << 10
/** Other work waits no longer than this. */
const BREATH_MS = 12

/** `breathe` is awaited between pieces, and lets waiting messages be handled. */
export const createFeeding = (parts: readonly Part[], eater: Eater, breathe: () => Promise<void>): Feeding => {
  const ahead = Math.max(LEAST_AHEAD, Math.min(AHEAD, Math.floor(BUDGET / 2 / Math.max(1, parts.length))))
  const sources: Source[] = []
  const left: (Uint8Array | undefined)[] = []

  /** The next piece of a part, from what was read before or from its file. */
  const piece = async (index: number, source: Source): Promise<Uint8Array | undefined> => {
    const bytes = left[index] ?? (await source.next())
    left[index] = bytes && bytes.byteLength > PIECE ? bytes.subarray(PIECE) : undefined
    return bytes?.subarray(0, PIECE)
  }

  return {
    taken: () => sources.reduce((sum, source) => sum + source.taken(), 0),
    async run() {
      sources.push(...(await Promise.all(parts.map(part => openSource(part, ahead)))))
      let breathed = performance.now()
      for (let index = eater.hungry(); index !== undefined; index = eater.hungry()) {
        const source = sources[index]
        const bytes = source && (await piece(index, source))
        if (bytes) eater.feed(index, bytes)
        else eater.close(index)
        if (performance.now() - breathed > BREATH_MS) {
          await breathe()
          breathed = performance.now()
        }
      }
    },
  }
}
