/**
 * Retains the last part of a stream's bytes, to be read as an ordinary run once it has ended. They are Blobs, which a
 * browser may store on disk.
 */
import type { EndedStream } from '../protocol'

/** Size of a blob, bytes. */
const PIECE = 4 << 20

interface KeptPiece {
  readonly file: number
  readonly blob: Blob
  /** Latest time that had arrived by then, ns since the beginning of the stream. */
  readonly latest: number
}

export interface KeptBytes {
  /** `latest`: the latest time that has arrived with these bytes. */
  add(file: number, bytes: Uint8Array, latest: number): void
  /** Time from which on all events are retained; `undefined`: from the beginning. */
  from(): number | undefined
  /**
   * The retained bytes as files. If the beginning was dropped, `notes` precede them: without names and wall clock the
   * rest cannot be read.
   */
  parts(names: readonly string[], notes: () => Uint8Array): EndedStream['parts']
}

export function createRetention(maxBytes: number): KeptBytes {
  const pieces: KeptPiece[] = []
  const open = new Map<number, { parts: Uint8Array<ArrayBuffer>[]; size: number; latest: number }>()
  let retained = 0
  let from: number | undefined
  const close = (file: number) => {
    const { parts, latest } = open.get(file) ?? { parts: [], latest: 0 }
    open.delete(file)
    if (parts.length > 0) pieces.push({ file, blob: new Blob(parts), latest })
  }
  return {
    add(file, bytes, latest) {
      const piece = open.get(file) ?? { parts: [], size: 0, latest }
      open.set(file, piece)
      piece.parts.push(bytes.slice())
      piece.size += bytes.length
      piece.latest = latest
      retained += bytes.length
      if (piece.size >= PIECE) close(file)
      while (retained > maxBytes && pieces.length > 1) {
        const first = pieces.shift() as KeptPiece
        retained -= first.blob.size
        // Dropped pieces have no event after `latest`: later events arrive later.
        from = Math.max(from ?? 0, first.latest + 1)
      }
    },
    from: () => from,
    parts(names, notes) {
      for (const file of [...open.keys()]) close(file)
      const before = from === undefined ? [] : [new Blob([notes() as Uint8Array<ArrayBuffer>])]
      return names.map((name, file) => {
        const blobs = pieces.flatMap(piece => (piece.file === file ? [piece.blob] : []))
        return { name, blob: new Blob([...(file === 0 ? before : []), ...blobs]) }
      })
    },
  }
}
