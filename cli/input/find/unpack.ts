/** Archives, compressed files and texts with several recordings are replaced by the files in them. */
import { basename } from 'node:path'
import { isEngineError } from '../../../web/engine/errors'
import type { Warning } from '../../../web/engine/protocol'
import { CONTAINER_BYTES, PROBE_BYTES, RESULT_BYTES } from '../../../web/engine/reading/probe'
import { visibleLine } from '../../../web/lib/text/visible'
import { progress } from '../../output/progress'
import type { Engine } from '../read/engine'
import { type InputFile, inputAt } from './inputs'
import { spool, spooled, spoolFile } from './spool'

/** Bytes that are copied at a time. */
const PIECE_BYTES = 1 << 20

interface UnpackedInputs {
  readonly files: readonly InputFile[]
  readonly problems: readonly Warning[]
}

/** Range of the files that came from one archive. */
export interface UnpackedFiles {
  readonly path: string
  readonly named: boolean
  readonly from: number
  readonly to: number
}

/** Receives the files that are unpacked from an input, and stores their bytes. `added`: further fields of each. */
function receiver(input: InputFile, files: InputFile[], added: Partial<InputFile> = {}) {
  let [path, start, reported] = ['', 0, 0]
  const { lastModified, id, argument, pattern } = input
  return {
    read: (offset: number, length: number) => input.read(offset, length),
    begin(name: string) {
      path = visibleLine(name)
      start = spooled()
    },
    bytes(bytes: Uint8Array, consumed: number) {
      spool(bytes)
      progress.advance(consumed - reported)
      reported = consumed
    },
    end() {
      const named = input.named && !path.startsWith(`${input.path}/`)
      const file = {
        name: basename(path),
        path,
        size: spooled() - start,
        lastModified,
        named,
        ...(id !== undefined && { id }),
        ...(argument !== undefined && { argument }),
        ...(pattern !== undefined && { pattern }),
        ...added,
      }
      files.push(inputAt(file, { fd: spoolFile(), start }))
    },
  }
}

/** Unpacks one container. What was read before its file failed is kept. */
function unpackOne(engine: Engine, input: InputFile, limited: boolean): UnpackedInputs {
  const files: InputFile[] = []
  try {
    return { files, problems: engine.unpack(input.path, input.size, receiver(input, files), limited) }
  } catch (error) {
    if (!isEngineError(error)) throw error
    return { files, problems: [error] }
  }
}

/** A mail in an encoding, as a person sees it, if that is a trace; else the text itself. */
function decoded(engine: Engine, input: InputFile): InputFile {
  if (input.size > RESULT_BYTES || !engine.isEncodedText(input.read(0, PROBE_BYTES))) return input
  const decodedText = engine.plainText(input.read(0, RESULT_BYTES))
  if (!decodedText || !engine.hasEvents(decodedText)) return input
  const files: InputFile[] = []
  const { begin, bytes, end } = receiver(input, files, { text: input })
  begin(input.path)
  bytes(decodedText, 0)
  end()
  return files[0] ?? input
}

/** The recordings in a text as files; the file itself where it has one, or is no text. */
function recordingsIn(engine: Engine, input: InputFile): readonly InputFile[] {
  try {
    if (!engine.mayBeText(input.read(0, CONTAINER_BYTES))) return [input]
    const text = decoded(engine, input)
    const files: InputFile[] = []
    const { path, size, pattern } = text
    const port = receiver(text, files, { text: text.text ?? text })
    const found = engine.findRecordings(path, size, pattern, port)
    if (found.length === 0) return [text]
    const isNamed = input.size <= RESULT_BYTES && pattern === undefined
    const paths = isNamed ? engine.nameRecordings(input.path, input.read(0, RESULT_BYTES)) : []
    for (const [index, { path: numbered, begin, end }] of found.entries()) {
      port.begin((paths.length === found.length && paths[index]) || numbered)
      for (let offset = begin; offset < end; offset += PIECE_BYTES)
        port.bytes(text.read(offset, Math.min(PIECE_BYTES, end - offset)), 0)
      port.end()
    }
    return files
  } catch (error) {
    // The error is reported when the file is read.
    if (!isEngineError(error)) throw error
    return [input]
  }
}

/**
 * Containers replaced by the files in them, texts with several recordings by these, all other files as they are, without
 * those that cannot be read.
 */
export function unpack(
  engine: Engine,
  inputs: readonly InputFile[],
  limited: boolean,
): UnpackedInputs & { readonly inside: readonly UnpackedFiles[] } {
  const problems: Warning[] = []
  const readable = inputs.flatMap(input => {
    try {
      return { input, kind: engine.container(input.read(0, CONTAINER_BYTES)) }
    } catch (error) {
      if (!isEngineError(error)) throw error
      problems.push(error)
      return []
    }
  })
  progress.start(
    'Unpacking',
    readable.reduce((sum, { input, kind }) => sum + (kind === undefined ? 0 : input.size), 0),
  )
  const files: InputFile[] = []
  const inside: UnpackedFiles[] = []
  for (const { input, kind } of readable) {
    if (kind === undefined) {
      for (const file of recordingsIn(engine, input)) files.push(file)
      continue
    }
    progress.file(input.path)
    const { path, named } = input
    const unpacked = unpackOne(engine, input, limited)
    for (const problem of unpacked.problems) problems.push(problem)
    const [mail, ...attached] = kind === 'mail' ? unpacked.files : []
    if (mail && attached.length === 0) {
      for (const file of recordingsIn(engine, input)) files.push(file)
      continue
    }
    // With what is attached to it a mail need not have results itself.
    const contents = mail ? [{ ...mail, named: false }, ...attached] : unpacked.files
    const found = contents.flatMap(file => recordingsIn(engine, file))
    inside.push({ path, named, from: files.length, to: files.length + found.length })
    for (const file of found) files.push(file)
  }
  progress.stop()
  return { files, problems, inside }
}
