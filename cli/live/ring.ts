/** The last bytes of a stream, in bounded memory, for pages that read it at their own speed. */
import { encodeFrame, type Frame, type StreamHello, type StreamState } from '../../web/engine/live/frames'
import { createNotes } from '../../web/engine/live/records'
import type { StreamTaker } from './stream'

/** Bytes that are kept: 20 s of 100,000 events per second. */
const MAX_RING_BYTES = 128 << 20
/** Approximate memory per piece besides its bytes. */
const PIECE_COST = 256

interface RingPiece {
  readonly file: number
  readonly bytes: Uint8Array
}

export interface Ring extends StreamTaker {
  ended(state: Extract<StreamState, { readonly state: 'ended' }>): void
  /**
   * All frames from the first stored byte on, as they arrive; ends after the last one. Yields `undefined` where the
   * reader may pause.
   */
  frames(hello: Omit<StreamHello, 'skipped'>): AsyncGenerator<Uint8Array>
}

export function createRing(maxBytes = MAX_RING_BYTES): Ring {
  const names: string[] = []
  const notes = createNotes()
  const pieces: RingPiece[] = []
  /** Number of the first kept piece, and bytes before it. */
  let [first, dropped, size] = [0, 0, 0]
  let end: Extract<StreamState, { readonly state: 'ended' }> | undefined
  let waiting: (() => void)[] = []
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting = []
  }
  const append = (piece: RingPiece) => {
    pieces.push(piece)
    size += piece.bytes.length + PIECE_COST
    while (size > maxBytes && pieces.length > 1) {
      const { bytes } = pieces.shift() as RingPiece
      first += 1
      size -= bytes.length + PIECE_COST
      dropped += bytes.length
    }
  }
  return {
    file(file, name) {
      names[file] = name
      wake()
    },
    data(file, bytes) {
      notes.add(bytes)
      append({ file, bytes })
      wake()
    },
    ended(state) {
      end = state
      wake()
    },
    async *frames(hello) {
      const skipped = dropped
      yield encodeFrame({ kind: 'hello', hello: { ...hello, skipped } })
      let reported = 0
      const newFiles = function* () {
        for (; reported < names.length; reported++)
          yield encodeFrame({ kind: 'file', file: reported, name: names[reported] ?? '' })
      }
      yield* newFiles()
      if (skipped > 0) yield encodeFrame({ kind: 'data', file: 0, bytes: notes.bytes() })
      let pieceIndex = first
      let before = dropped
      for (;;) {
        yield* newFiles()
        if (pieceIndex < first) {
          const state = { state: 'skipped', bytes: dropped - before } as const
          yield encodeFrame({ kind: 'state', state })
          ;[pieceIndex, before] = [first, dropped]
        }
        const piece = pieces[pieceIndex - first]
        if (piece) {
          pieceIndex += 1
          before += piece.bytes.length
          yield encodeFrame({ kind: 'data', ...piece })
          continue
        }
        if (end) {
          yield encodeFrame({ kind: 'state', state: end } satisfies Frame)
          return
        }
        await new Promise<void>(resolve => {
          const timer = setTimeout(() => {
            waiting = waiting.filter(candidate => candidate !== resolve)
            resolve()
          }, 1000)
          waiting.push(() => {
            clearTimeout(timer)
            resolve()
          })
        })
        if (!pieces[pieceIndex - first] && !end) yield encodeFrame({ kind: 'state', state: { state: 'alive' } })
      }
    },
  }
}
