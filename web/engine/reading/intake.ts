/**
 * Unpacks dropped files, and has the engine group them into traces by both ends of each, and read the notes next to
 * them. Runs in a worker.
 */
import {
  arrangeResults,
  FileSorter,
  mayBeText,
  NoteReader,
  noteOutputs,
  refusalOfText,
  TextReader,
} from '../generated/seekscope.js'
import type {
  DroppedFile,
  FoundNote,
  Grouping,
  NotesOfTraces,
  ReadResults,
  SortedFiles,
  TextChoices,
  UnpackProgress,
} from '../protocol'
import { outputsOf, type ResultText, readResults, refusalOf } from '../texts'
import type { WorkerEngine } from '../workerEngine'
import { CONTAINER_BYTES, NOTE_BYTES, PROBE_BYTES, RESULT_BYTES, selectTexts } from './probe'
import { unpackFiles } from './unpack'

/** Number of files that are read in parallel: enough to keep a disk busy, and below limits of open files. */
const MAX_PARALLEL_READS = 16

const NOTHING = new Uint8Array()

/** An unreadable file is empty here; opening it reports the error. */
const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer())
const headOf = ({ blob }: DroppedFile, maxBytes: number): Promise<Uint8Array> =>
  bytesOf(blob.slice(0, maxBytes)).catch(() => NOTHING)
const probe = async (file: DroppedFile) => {
  const head = await headOf(file, PROBE_BYTES)
  const { blob } = file
  // Both ends of a small file are the complete file.
  if (blob.size <= PROBE_BYTES) return { head, tail: head }
  return { head, tail: await bytesOf(blob.slice(blob.size - PROBE_BYTES)).catch(() => NOTHING) }
}

/**
 * Groups files into traces. Needs an initialized engine. `tell` gets the progress of unpacking. Later
 * parts of the engine are asked for only if there are texts.
 */
export const groupFiles = async (
  dropped: readonly DroppedFile[],
  tell: (progress: UnpackProgress) => void,
  engine: WorkerEngine,
): Promise<Grouping> => {
  const { files, problems } = await unpackFiles(dropped, tell, engine)
  const sorter = new FileSorter()
  for (let from = 0; from < files.length; from += MAX_PARALLEL_READS) {
    const batch = files.slice(from, from + MAX_PARALLEL_READS)
    const ends = await Promise.all(batch.map(probe))
    for (const [i, { name, path, blob, lastModified, pattern }] of batch.entries()) {
      const { head, tail } = ends[i] ?? { head: NOTHING, tail: NOTHING }
      sorter.add(JSON.stringify({ name, path, size: blob.size, lastModified, pattern }), head, tail)
    }
  }
  const found: SortedFiles = sorter.group()
  sorter.free()
  return {
    files,
    problems,
    ...(await withNotes(found, files, engine)),
    ...(await withResults(found, files, engine)),
  }
}

const headsOf = async (files: readonly DroppedFile[]): Promise<readonly ResultText[]> => {
  const heads: ResultText[] = []
  for (const file of files)
    heads.push({ path: file.path, size: file.blob.size, bytes: await headOf(file, RESULT_BYTES) })
  return heads
}

/** Reads texts with results as a person chose. */
export const readTexts = async (
  files: readonly DroppedFile[],
  engine: WorkerEngine,
  choices: TextChoices,
): Promise<ReadResults> => {
  await Promise.all([engine.load('rest'), engine.load('compare')])
  return readResults({ arrangeResults, TextReader }, await headsOf(files), choices)
}

/** Indices of text traces that may also be mails with tables. */
const mailsIn = async (traces: SortedFiles['traces'], files: readonly DroppedFile[]): Promise<readonly number[]> => {
  const mails: number[] = []
  for (const index of traces.flatMap(({ parts }) => (parts.length === 1 ? parts : []))) {
    const file = files[index]
    if (file && file.blob.size <= RESULT_BYTES && mayBeText(await headOf(file, CONTAINER_BYTES))) mails.push(index)
  }
  return mails
}

/**
 * Reads results: of texts if there is no trace, and of text traces that may be mails with tables. Also explains why
 * the other texts are rejected.
 */
const withResults = async (
  { traces, rejected }: SortedFiles,
  files: readonly DroppedFile[],
  engine: WorkerEngine,
): Promise<Pick<Grouping, 'results' | 'reading' | 'rejected'>> => {
  const candidates = traces.length === 0 ? rejected.map(r => r.index) : await mailsIn(traces, files)
  const texts = candidates.filter(index => files[index]?.pattern === undefined)
  // Several recordings may come from one text: it is read once.
  const all = [...new Set(texts.flatMap(index => files[index]?.text ?? files[index] ?? []))]
  const selected = selectTexts(all, file => file.blob.size)
  if (selected.length === 0) return { rejected }
  const heads = await headsOf(selected)
  await Promise.all([engine.load('rest'), engine.load('compare')])
  const { document: results, reading } = readResults(
    { arrangeResults, TextReader },
    heads,
    {},
    all.length - selected.length,
  )
  const reasons = rejected.map(({ index, error }) => {
    const file = files[index]
    const head = file && heads[selected.indexOf(file)]
    return { index, error: head ? refusalOf({ refusalOfText }, { ...head, error }) : error }
  })
  return { rejected: reasons, ...(results.tables.length > 0 && { results, reading }) }
}

/** Stands for the open run, which the worker does not know. */
const OPEN = { label: '', paths: [] }

/** Reads texts as notes of the traces next to them. Without a trace they may belong to the open run. */
const withNotes = async (
  { traces, rejected, notes }: SortedFiles,
  files: readonly DroppedFile[],
  engine: WorkerEngine,
): Promise<Pick<Grouping, 'traces' | 'notes' | 'unread' | 'alone'>> => {
  const hasNoTrace = traces.length === 0
  const indices = hasNoTrace ? rejected.map(r => r.index) : notes
  const reader = new NoteReader()
  const texts = indices.flatMap(index => files[index] ?? [])
  if (texts.length > 0) await engine.load('compare')
  for (let from = 0; from < texts.length; from += MAX_PARALLEL_READS) {
    const batch = texts.slice(from, from + MAX_PARALLEL_READS)
    const heads = await Promise.all(batch.map(file => headOf(file, NOTE_BYTES)))
    for (const [i, { path }] of batch.entries()) reader.add(path, heads[i] ?? NOTHING)
  }
  const unread = reader.unread()
  for (const { index, text } of unread) {
    const file = texts[index]
    if (file) {
      await engine.load('rest')
      reader.addOutputs(index, outputsOf({ noteOutputs }, file.path, text ?? (await headOf(file, NOTE_BYTES))))
    }
  }
  const pathsOf = (partIndices: readonly number[]) => partIndices.flatMap(index => files[index]?.path ?? [])
  const beside: NotesOfTraces = reader.assign(
    JSON.stringify(hasNoTrace ? [OPEN] : traces.map(({ label, parts }) => ({ label, paths: pathsOf(parts) }))),
  )
  reader.free()
  const read = beside.notes.map(
    ({ traces, ...note }, i): FoundNote => ({ index: indices[i] ?? 0, note, traces: hasNoTrace ? [] : traces }),
  )
  return {
    ...(hasNoTrace && beside.runs[0] && { alone: beside.runs[0] }),
    traces: traces.map((trace, i) => ({ ...trace, ...beside.runs[i] })),
    notes: read.filter(({ note }) => (hasNoTrace ? note.facts.length > 0 : note.kind !== 'binary')),
    unread: hasNoTrace ? [] : read.flatMap(({ index, note }) => (note.kind === 'binary' ? [index] : [])),
  }
}
