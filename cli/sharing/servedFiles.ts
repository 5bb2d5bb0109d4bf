/** The files of `seekscope open` as the page fetches them: traces as archives, documents as they are. */
import { DOCUMENT_HEAD_BYTES, isDocument } from '../../web/lib/documentKind'
import type { InputFile } from '../input/find/inputs'
import type { ServedFile } from './serve'
import { entriesOf, tar, tarSize } from './tar'

/** Bytes of a file that are read at once. */
const READ_BYTES = 1 << 20

/** Files that the page opens together: a directory, or the files of a base name. */
export interface OpenedTogether {
  readonly name: string
  readonly inputs: readonly InputFile[]
}

/** Whether these are tables or reports, which the page takes as they are: not in an archive, as traces. */
function areDocuments(inputs: readonly InputFile[]): boolean {
  const head = (input: InputFile) => Buffer.from(input.read(0, Math.min(DOCUMENT_HEAD_BYTES, input.size)))
  try {
    return inputs.every(input => isDocument(head(input).toString('latin1')))
  } catch {
    // A read error is reported when the page asks for the file.
    return false
  }
}

function* bytesOf(input: InputFile, from: number, to: number): Generator<Uint8Array> {
  for (let offset = from; offset < to; ) {
    const bytes = input.read(offset, Math.min(READ_BYTES, to - offset))
    if (bytes.length === 0) return
    offset += bytes.length
    yield bytes
  }
}

/** The files of a batch by their names: an archive, or documents. */
export function servedFiles({ name, inputs }: OpenedTogether): readonly (readonly [string, ServedFile])[] {
  if (areDocuments(inputs))
    return inputs.map(input => [
      input.name,
      { size: input.size, bytes: (from: number, to: number) => bytesOf(input, from, to) },
    ])
  const entries = entriesOf(inputs)
  return [[`${name}.tar`, { size: tarSize(entries), bytes: (from: number, to: number) => tar(entries, from, to) }]]
}
