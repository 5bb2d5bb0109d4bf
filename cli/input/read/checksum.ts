/** The checksum of a trace, as the page computes it: see `sha256OfAll`. Files of any size, a piece at a time. */
import { createHash } from 'node:crypto'
import { sortedSums } from '../../../web/lib/sha256'
import type { InputFile } from '../find/inputs'

const MAX_PIECE_BYTES = 4 << 20

function hashInput({ size, read }: InputFile, piece: Uint8Array): string {
  const hash = createHash('sha256')
  for (let offset = 0; offset < size; ) {
    const bytes = read(offset, piece.length, piece)
    if (bytes.length === 0) break
    hash.update(bytes)
    offset += bytes.length
  }
  return hash.digest('hex')
}

/** 64 hex digits. Throws an EngineError when a file cannot be read. */
export function checksumOf(files: readonly InputFile[]): string {
  // Not larger than the files: a fleet has thousands of small ones, and the kernel clears the memory of each.
  const piece = new Uint8Array(Math.min(MAX_PIECE_BYTES, Math.max(0, ...files.map(({ size }) => size))))
  const sums = files.map(file => hashInput(file, piece))
  return createHash('sha256').update(sortedSums(sums)).digest('hex')
}
