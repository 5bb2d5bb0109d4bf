/**
 * Replaces archives and compressed files by the files in them, and texts with several recordings by these. Runs in a
 * worker; the engine's module must be set up.
 */
import { unreadableFile } from '../errors'
import {
  container,
  findRecordings,
  hasEvents,
  isEncodedText,
  mayBeText,
  nameRecordings,
  plainText,
  unpack,
} from '../generated/seekscope.js'
import type { DroppedFile, EngineError, UnpackProgress, Warning } from '../protocol'
import type { WorkerEngine } from '../workerEngine'
import { CONTAINER_BYTES, PROBE_BYTES, RESULT_BYTES } from './probe'

/** Bytes that are collected in memory before they become a Blob, which the browser may store on disk. */
const MAX_PIECES_BYTES = 16 << 20
const PROGRESS_MS = 100
/** Number of files that are read in parallel. */
const MAX_PARALLEL_READS = 16

/** Exists in workers only; the types of pages, with which this file is checked too, lack it. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer }

/** Collects the pieces of one file. */
const createPieces = () => {
  const parts: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const hand = () => {
    parts.push(new Blob(pieces))
    pieces = []
    size = 0
  }
  return {
    add(bytes: Uint8Array<ArrayBuffer>) {
      pieces.push(bytes)
      size += bytes.byteLength
      if (size >= MAX_PIECES_BYTES) hand()
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

/** Receives the files that are unpacked from another one. `reportBytes` gets how far the archive was read. */
const createReceiver = (
  { path, blob, lastModified, pattern }: DroppedFile,
  files: DroppedFile[],
  reportBytes: (bytes: number) => void = () => undefined,
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
    bytes(bytes: Uint8Array, consumed: number) {
      pieces.add(bytes as Uint8Array<ArrayBuffer>)
      reportBytes(consumed)
    },
    end() {
      const name = within.slice(within.lastIndexOf('/') + 1)
      const unpackedFile = { name, path: within, blob: pieces.blob(), lastModified }
      files.push({ ...unpackedFile, ...(pattern !== undefined && { pattern }) })
    },
  }
}

const unpackOne = (file: DroppedFile, isMail: boolean, tell: (progress: UnpackProgress) => void): Unpacked => {
  const { path, blob } = file
  const files: DroppedFile[] = []
  let reportedAt = performance.now()
  const port = createReceiver(file, files, bytes => {
    if (performance.now() - reportedAt < PROGRESS_MS) return
    reportedAt = performance.now()
    tell({ path, bytes, totalBytes: blob.size })
  })
  const problems = unpack(path, blob.size, port, true) as readonly Warning[]
  // A mail is the first of its files, and needs no copy.
  return { files: isMail ? [file, ...files.slice(1)] : files, problems }
}

/** Decodes a mail if the decoded text is a trace; else returns the text as it is. */
const decoded = async (file: DroppedFile, engine: WorkerEngine): Promise<DroppedFile> => {
  await engine.load('rest')
  const decodedText = plainText(new Uint8Array(await file.blob.arrayBuffer()))
  if (!decodedText || !hasEvents(decodedText)) return file
  return { ...file, blob: new Blob([decodedText as Uint8Array<ArrayBuffer>]), text: file }
}

/** Better paths of the recordings in a text, as far as what stands above them tells them apart. */
const namesOf = async (file: DroppedFile, engine: WorkerEngine): Promise<readonly (string | null)[]> => {
  if (file.blob.size > RESULT_BYTES || file.pattern !== undefined) return []
  await engine.load('rest')
  return nameRecordings(file.path, new Uint8Array(await file.blob.arrayBuffer()))
}

/** Splits a text with several recordings into files; returns any other file as it is. */
const recordingsIn = async (file: DroppedFile, engine: WorkerEngine): Promise<readonly DroppedFile[]> => {
  // As of a CPU without events: not worth waiting for what reads texts.
  if (file.blob.size === 0) return [file]
  try {
    const head = new Uint8Array(await file.blob.slice(0, PROBE_BYTES).arrayBuffer())
    if (!mayBeText(head.subarray(0, CONTAINER_BYTES))) return [file]
    await engine.load('compare')
    const isEncoded = file.blob.size <= RESULT_BYTES && isEncodedText(head)
    const text = isEncoded ? await decoded(file, engine) : file
    if (!text.text && text.pattern === undefined && !hasEvents(head)) return [file]
    const { path, blob, pattern, lastModified } = text
    const found = findRecordings(path, blob.size, pattern, createReceiver(text, []))
    if (found.length === 0) return [text]
    const paths = await namesOf(file, engine)
    return found.map(({ path: numbered, begin, end }, index) => {
      const within = (paths.length === found.length && paths[index]) || numbered
      const name = within.slice(within.lastIndexOf('/') + 1)
      const part = { name, path: within, blob: blob.slice(begin, end), lastModified, text: text.text ?? text }
      return { ...part, ...(pattern !== undefined && { pattern }) }
    })
  } catch {
    // The error is reported when the file is read.
    return [file]
  }
}

/** The format of a container. An unreadable file is none here; opening it reports the error. */
const containerKind = async ({ blob }: DroppedFile) => {
  const head = await blob
    .slice(0, CONTAINER_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  return container(new Uint8Array(head))
}

/** Unpacks all files in order; `tell` is called about every 100 ms. */
export const unpackFiles = async (
  files: readonly DroppedFile[],
  tell: (progress: UnpackProgress) => void,
  engine: WorkerEngine,
): Promise<Unpacked> => {
  const kinds = await Promise.all(files.map(containerKind))
  const all = files.map(
    (file, i): Unpacked =>
      kinds[i] === undefined ? { files: [file], problems: [] } : unpackOne(file, kinds[i] === 'mail', tell),
  )
  const unpacked = all.flatMap(result => result.files)
  const found: DroppedFile[] = []
  for (let from = 0; from < unpacked.length; from += MAX_PARALLEL_READS) {
    const batch = unpacked.slice(from, from + MAX_PARALLEL_READS).map(file => recordingsIn(file, engine))
    for (const files of await Promise.all(batch)) for (const file of files) found.push(file)
  }
  return { files: found, problems: all.flatMap(result => result.problems) }
}
