/** Which paths are streams that are being written. */
import { fstatSync, statSync } from 'node:fs'
import { visibleLine } from '../../web/lib/text/visible'
import { fileId, type InputFile } from '../input/find/inputs'
import { spooledInput } from '../input/find/paths'
import { unreadable } from '../input/find/refused'
import { systemCode } from '../input/find/system'
import { folderStream } from './folder'
import { type GrowingStream, isPipe, openPipe, pipeStream } from './stream'

/** A stream; or an input that is none, of which all was read. */
export type OpenedGrowing =
  | { readonly kind: 'growing'; readonly stream: GrowingStream }
  | { readonly kind: 'input'; readonly input: InputFile }

const isFifo = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFIFO() === true

function idOf(path: string): string {
  if (path === '-') return fileId(fstatSync(0, { bigint: true }))
  return fileId(statSync(path, { bigint: true }))
}

/**
 * Opens standard input, a FIFO or, with `folders`, a folder. Waits for the first bytes: other data than blktrace's
 * is read to its end. `undefined` for other paths. Rejects with an EngineError.
 */
export async function growingOf(path: string, folders: boolean): Promise<OpenedGrowing | undefined> {
  const isPiped = path === '-' ? isPipe(0) : isFifo(path)
  if (!isPiped) {
    const isFolder = folders && path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    return isFolder ? { kind: 'growing', stream: folderStream(path) } : undefined
  }
  try {
    const pipe = await openPipe(path)
    if (pipe.isStream) return { kind: 'growing', stream: pipeStream(visibleLine(path), pipe) }
    const name = path === '-' ? 'standard-input' : visibleLine(path)
    const input = await spooledInput(name, idOf(path), pipe.first, pipe.pieces)
    pipe.end()
    return { kind: 'input', input }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw unreadable(visibleLine(path), error)
  }
}
