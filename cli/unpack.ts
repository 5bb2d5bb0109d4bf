/** Archives and compressed files are replaced by the files in them. */
import { basename } from 'node:path'
import { isEngineError } from '../web/engine/errors'
import { CONTAINER_BYTES } from '../web/engine/probe'
import type { Warning } from '../web/engine/protocol'
import type { Engine } from './engine'
import { type InputFile, inputAt } from './inputs'
import { progress } from './progress'
import { spool, spooled, spoolFile } from './spool'
import { visibleLine } from './visible'

interface UnpackedInputs {
  readonly files: readonly InputFile[]
  readonly problems: readonly Warning[]
}

/** Which of the files are those of an archive. */
interface FilesInside {
  readonly path: string
  readonly named: boolean
  readonly from: number
  readonly to: number
}

/** Unpacks one container. What was read before its file failed is kept. */
function unpackOne(engine: Engine, input: InputFile, limited: boolean): UnpackedInputs {
  const files: InputFile[] = []
  let [path, start, reported] = ['', 0, 0]
  const { lastModified, id, argument } = input
  const port = {
    read: (offset: number, length: number) => input.read(offset, length),
    begin(name: string) {
      path = visibleLine(name)
      start = spooled()
    },
    bytes(bytes: Uint8Array, taken: number) {
      spool(bytes)
      progress.advance(taken - reported)
      reported = taken
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
      }
      files.push(inputAt(file, { fd: spoolFile(), start }))
    },
  }
  try {
    return { files, problems: engine.unpack(input.path, input.size, port, limited) }
  } catch (error) {
    if (!isEngineError(error)) throw error
    return { files, problems: [error] }
  }
}

/** Containers replaced by the files in them, all other files as they are, without those that cannot be read. */
export function unpack(
  engine: Engine,
  inputs: readonly InputFile[],
  limited: boolean,
): UnpackedInputs & { readonly inside: readonly FilesInside[] } {
  const problems: Warning[] = []
  const readable = inputs.flatMap(input => {
    try {
      return { input, isContainer: engine.container(input.read(0, CONTAINER_BYTES)) !== undefined }
    } catch (error) {
      if (!isEngineError(error)) throw error
      problems.push(error)
      return []
    }
  })
  progress.start(
    'Unpacking',
    readable.reduce((sum, { input, isContainer }) => sum + (isContainer ? input.size : 0), 0),
  )
  const files: InputFile[] = []
  const inside: FilesInside[] = []
  for (const { input, isContainer } of readable) {
    if (!isContainer) {
      files.push(input)
      continue
    }
    progress.file(input.path)
    const { path, named } = input
    const unpacked = unpackOne(engine, input, limited)
    inside.push({ path, named, from: files.length, to: files.length + unpacked.files.length })
    for (const problem of unpacked.problems) problems.push(problem)
    for (const file of unpacked.files) files.push(file)
  }
  progress.stop()
  return { files, problems, inside }
}
