/**
 * The bytes of a stream that will be read as an ordinary run: its last part. Blobs, which a browser may keep on disk.
 */
import type { EndedStream } from '../protocol'

/** Bytes of a blob. */
const PIECE = 4 << 20

interface KeptPiece {
  readonly file: number
  readonly blob: Blob
  /** The latest time that had arrived with it, ns since the begin of the stream. */
  readonly latest: number
}

export interface KeptBytes {
  /** `latest`: the latest time that has arrived with these bytes. */
  add(file: number, bytes: Uint8Array, latest: number): void
  /** All events from here on are kept; absent: from the begin on. */
  from(): number | undefined
  /** As files; `notes` go before what is kept, where the begin is gone. */
  parts(names: readonly string[], notes: () => Uint8Array): EndedStream['parts']
}

export function createKept(most: number): KeptBytes {
  const pieces: KeptPiece[] = []
  const open = new Map<number, { parts: Uint8Array<ArrayBuffer>[]; size: number; latest: number }>()
  let held = 0
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
      held += bytes.length
      if (piece.size >= PIECE) close(file)
      while (held > most && pieces.length > 1) {
        const first = pieces.shift() as KeptPiece
        held -= first.blob.size
        // What is later arrived later.
        from = Math.max(from ?? 0, first.latest + 1)
      }
    },
    from: () => from,
    parts(names, notes) {
      for (const file of [...open.keys()]) close(file)
      const before = from === undefined ? [] : [new Blob([notes() as Uint8Array<ArrayBuffer>])]
      return names.map((name, file) => {
        const own = pieces.flatMap(piece => (piece.file === file ? [piece.blob] : []))
        return { name, blob: new Blob([...(file === 0 ? before : []), ...own]) }
      })
    },
  }
}
