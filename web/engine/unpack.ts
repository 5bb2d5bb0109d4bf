/**
 * Replaces archives and compressed files by the files in them. Runs in a worker; the engine's module must be set up.
 */
import { unreadableFile } from './errors'
import { container, unpack } from './generated/seekscope.js'
import { CONTAINER_BYTES } from './probe'
import type { DroppedFile, EngineError, UnpackProgress, Warning } from './protocol'

/** Bytes kept in memory until they become a Blob, which the browser may keep on disk. */
const HELD = 16 << 20
const TELL_MS = 100

/** Workers have it, and the pages whose types are checked with this file have not. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer }

/** The pieces of one file. */
const createPieces = () => {
  const parts: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let held = 0
  const hand = () => {
    parts.push(new Blob(pieces))
    pieces = []
    held = 0
  }
  return {
    add(bytes: Uint8Array<ArrayBuffer>) {
      pieces.push(bytes)
      held += bytes.byteLength
      if (held >= HELD) hand()
    },
    blob(): Blob {
      hand()
      return new Blob(parts)
    },
  }
}

interface Unpacked {
  readonly files: readonly DroppedFile[]
  readonly problems: readonly (EngineError | Warning)[]
}

const unpackOne = (
  { path, blob, lastModified, pattern }: DroppedFile,
  tell: (progress: UnpackProgress) => void,
): Unpacked => {
  const reader = new FileReaderSync()
  const files: DroppedFile[] = []
  let within = ''
  let pieces = createPieces()
  let told = performance.now()
  const problems = unpack(
    path,
    blob.size,
    {
      read(offset, length) {
        try {
          return new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + length)))
        } catch (thrown) {
          throw unreadableFile(path, offset, blob.size, thrown)
        }
      },
      begin(name) {
        within = name
        pieces = createPieces()
      },
      bytes(bytes, taken) {
        pieces.add(bytes as Uint8Array<ArrayBuffer>)
        if (performance.now() - told < TELL_MS) return
        told = performance.now()
        tell({ path, bytes: taken, totalBytes: blob.size })
      },
      end() {
        const name = within.slice(within.lastIndexOf('/') + 1)
        files.push({ name, path: within, blob: pieces.blob(), lastModified, ...(pattern !== undefined && { pattern }) })
      },
    },
    true,
  ) as readonly Warning[]
  return { files, problems }
}

/** An unreadable file is no container here; opening it reports the error. */
const isContainer = async ({ blob }: DroppedFile) => {
  const head = await blob
    .slice(0, CONTAINER_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  return container(new Uint8Array(head)) !== undefined
}

/** All files, in their order; `tell` is called about every 100 ms. */
export const unpackFiles = async (
  files: readonly DroppedFile[],
  tell: (progress: UnpackProgress) => void,
): Promise<Unpacked> => {
  const containers = await Promise.all(files.map(isContainer))
  const all = files.map(
    (file, i): Unpacked => (containers[i] ? unpackOne(file, tell) : { files: [file], problems: [] }),
  )
  return { files: all.flatMap(one => one.files), problems: all.flatMap(one => one.problems) }
}
