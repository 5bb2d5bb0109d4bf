/** The last bytes of a stream, in bounded memory, for pages that read it at their own speed. */
import { encodeFrame, type Frame, type StreamHello, type StreamState } from '../../web/engine/live/frames'
import { createNotes } from '../../web/engine/live/records'
import type { StreamTaker } from './stream'

/** Bytes that are kept: 20 s of 100,000 events per second. */
const MAX_RING_BYTES = 128 << 20
/** Memory of a piece besides its bytes. */
const PIECE_COST = 256

interface RingPiece {
  readonly file: number
  readonly bytes: Uint8Array
}

export interface Ring extends StreamTaker {
  ended(state: Extract<StreamState, { readonly state: 'ended' }>): void
  /**
   * All frames from the first kept byte on, as they come; ends after the last one. Between two, `undefined` where the
   * reader may rest.
   */
  frames(hello: Omit<StreamHello, 'skipped'>): AsyncGenerator<Uint8Array>
}

export function createRing(most = MAX_RING_BYTES): Ring {
  const names: string[] = []
  const notes = createNotes()
  const pieces: RingPiece[] = []
  /** Number of the first kept piece, and bytes before it. */
  let [first, gone, held] = [0, 0, 0]
  let end: Extract<StreamState, { readonly state: 'ended' }> | undefined
  let waiting: (() => void)[] = []
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting = []
  }
  const put = (piece: RingPiece) => {
    pieces.push(piece)
    held += piece.bytes.length + PIECE_COST
    while (held > most && pieces.length > 1) {
      const { bytes } = pieces.shift() as RingPiece
      first += 1
      held -= bytes.length + PIECE_COST
      gone += bytes.length
    }
  }
  return {
    file(file, name) {
      names[file] = name
      wake()
    },
    data(file, bytes) {
      notes.add(bytes)
      put({ file, bytes })
      wake()
    },
    ended(state) {
      end = state
      wake()
    },
    async *frames(hello) {
      const skipped = gone
      yield encodeFrame({ kind: 'hello', hello: { ...hello, skipped } })
      let told = 0
      const newFiles = function* () {
        for (; told < names.length; told++) yield encodeFrame({ kind: 'file', file: told, name: names[told] ?? '' })
      }
      yield* newFiles()
      if (skipped > 0) yield encodeFrame({ kind: 'data', file: 0, bytes: notes.bytes() })
      let at = first
      let before = gone
      for (;;) {
        yield* newFiles()
        if (at < first) {
          const state = { state: 'skipped', bytes: gone - before } as const
          yield encodeFrame({ kind: 'state', state })
          ;[at, before] = [first, gone]
        }
        const piece = pieces[at - first]
        if (piece) {
          at += 1
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
            waiting = waiting.filter(other => other !== resolve)
            resolve()
          }, 1000)
          waiting.push(() => {
            clearTimeout(timer)
            resolve()
          })
        })
        if (!pieces[at - first] && !end) yield encodeFrame({ kind: 'state', state: { state: 'alive' } })
      }
    },
  }
}
