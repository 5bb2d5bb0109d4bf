/**
 * Replaces archives and compressed files by the files in them, and texts with several recordings by these. Runs in a worker; the engine's module must be set up.
 */
import { unreadableFile } from '../errors'
import { container, hasEvents, isEncodedText, mayBeText, splitRecordings, unpack } from '../generated/seekscope.js'
import type { DroppedFile, EngineError, UnpackProgress, Warning } from '../protocol'
import { plainText } from '../texts'
import { CONTAINER_BYTES, PROBE_BYTES, RESULT_BYTES } from './probe'

/** Bytes kept in memory until they become a Blob, which the browser may keep on disk. */
const HELD = 16 << 20
const TELL_MS = 100
/** Files read at once. */
const TOGETHER = 16

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

/** Receives files that are made of another one. `added`: what they have besides; `taken` is called with its bytes. */
const createReceiver = (
  { path, blob, lastModified, pattern }: DroppedFile,
  files: DroppedFile[],
  taken: (bytes: number) => void = () => undefined,
  added: Partial<DroppedFile> = {},
) => {
  const reader = new FileReaderSync()
  let within = ''
  let pieces = createPieces()
  return {
    read(offset: number, length: number) {
      try {
        return new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + length)))
      } catch (thrown) {
        throw unreadableFile(path, offset, blob.size, thrown)
      }
    },
    begin(name: string) {
      within = name
      pieces = createPieces()
    },
    bytes(bytes: Uint8Array, at: number) {
      pieces.add(bytes as Uint8Array<ArrayBuffer>)
      taken(at)
    },
    end() {
      const name = within.slice(within.lastIndexOf('/') + 1)
      const own = { name, path: within, blob: pieces.blob(), lastModified }
      files.push({ ...own, ...(pattern !== undefined && { pattern }), ...added })
    },
  }
}

const unpackOne = (file: DroppedFile, tell: (progress: UnpackProgress) => void): Unpacked => {
  const { path, blob } = file
  const files: DroppedFile[] = []
  let told = performance.now()
  const port = createReceiver(file, files, bytes => {
    if (performance.now() - told < TELL_MS) return
    told = performance.now()
    tell({ path, bytes, totalBytes: blob.size })
  })
  const problems = unpack(path, blob.size, port, true) as readonly Warning[]
  return { files, problems }
}

/** A mail in an encoding, as a person sees it, if that is a trace; else the text itself. */
const decoded = async (file: DroppedFile, compiledTexts: () => Promise<WebAssembly.Module>): Promise<DroppedFile> => {
  const plain = plainText(await compiledTexts(), new Uint8Array(await file.blob.arrayBuffer()))
  if (!plain || !hasEvents(plain)) return file
  return { ...file, blob: new Blob([plain as Uint8Array<ArrayBuffer>]), text: file }
}

/** The recordings in a text as files; the file itself where it has one, or is no text. */
const recordingsIn = async (
  file: DroppedFile,
  compiledTexts: () => Promise<WebAssembly.Module>,
): Promise<readonly DroppedFile[]> => {
  try {
    const head = new Uint8Array(await file.blob.slice(0, PROBE_BYTES).arrayBuffer())
    if (!mayBeText(head.subarray(0, CONTAINER_BYTES))) return [file]
    const isEncoded = file.blob.size <= RESULT_BYTES && isEncodedText(head)
    const text = isEncoded ? await decoded(file, compiledTexts) : file
    if (!text.text && text.pattern === undefined && !hasEvents(head)) return [file]
    const files: DroppedFile[] = []
    const port = createReceiver(text, files, undefined, { text: text.text ?? text })
    return splitRecordings(text.path, text.blob.size, text.pattern, port) ? files : [text]
  } catch {
    // It is reported where the file is read.
    return [file]
  }
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
  compiledTexts: () => Promise<WebAssembly.Module>,
): Promise<Unpacked> => {
  const containers = await Promise.all(files.map(isContainer))
  const all = files.map(
    (file, i): Unpacked => (containers[i] ? unpackOne(file, tell) : { files: [file], problems: [] }),
  )
  const unpacked = all.flatMap(one => one.files)
  const found: DroppedFile[] = []
  for (let from = 0; from < unpacked.length; from += TOGETHER) {
    const some = unpacked.slice(from, from + TOGETHER).map(file => recordingsIn(file, compiledTexts))
    for (const files of await Promise.all(some)) for (const file of files) found.push(file)
  }
  return { files: found, problems: all.flatMap(one => one.problems) }
}
