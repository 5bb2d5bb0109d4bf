/** Archives and compressed files are replaced by the files in them, in a temporary file that has no name: nothing is left behind. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { CONTAINER_BYTES } from '../web/engine/probe'
import type { Warning } from '../web/engine/protocol'
import type { Engine } from './engine'
import { type InputFile, inputAt } from './inputs'
import { progress } from './progress'

interface UnpackedInputs {
  readonly files: readonly InputFile[]
  readonly problems: readonly Warning[]
}

/** One for all files of an archive. It is unlinked at once, so that it goes even when the process is killed. */
function temporaryFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-'))
  try {
    return openSync(join(folder, 'unpacked'), 'w+')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function writeFully(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done)
}

/** Unpacks one container and closes it. */
function unpackOne(engine: Engine, input: InputFile, limited: boolean): UnpackedInputs {
  const fd = temporaryFile()
  const files: InputFile[] = []
  let [path, from, to] = ['', 0, 0]
  // The descriptor is shared by the files and by this function.
  let users = 1
  const close = () => {
    users -= 1
    if (users === 0) closeSync(fd)
  }
  const end = () => {
    const [start, size] = [from, to - from]
    users += 1
    const named = input.named && !path.startsWith(`${input.path}/`)
    files.push(inputAt({ name: basename(path), path, size, lastModified: input.lastModified, named }, { fd, start }, close))
  }
  let reported = 0
  const problems: readonly Warning[] = engine.unpack(
    input.path,
    input.size,
    {
      read: (offset, length) => input.read(offset, length),
      begin(name) {
        path = name
        from = to
      },
      bytes(bytes, taken) {
        writeFully(fd, bytes, to)
        to += bytes.length
        progress.advance(taken - reported)
        reported = taken
      },
      end,
    },
    limited,
  )
  close()
  input.close()
  return { files, problems }
}

/** Containers replaced by the files in them, all other files as they are. */
export function unpack(engine: Engine, inputs: readonly InputFile[], limited: boolean): UnpackedInputs {
  const isContainer = inputs.map(input => engine.container(input.read(0, CONTAINER_BYTES)) !== undefined)
  progress.start(
    'Unpacking',
    inputs.reduce((sum, { size }, i) => sum + (isContainer[i] ? size : 0), 0),
  )
  const all = inputs.map((input, i) => {
    if (!isContainer[i]) return { files: [input], problems: [] }
    progress.file(input.path)
    return unpackOne(engine, input, limited)
  })
  progress.stop()
  return { files: all.flatMap(one => one.files), problems: all.flatMap(one => one.problems) }
}
