/**
 * Unpacks dropped files, and has the engine group them into traces by both ends of each, and read the notes next to
 * them. Runs in a worker.
 */
import { FileSorter, mayBeText, NoteReader } from '../generated/seekscope.js'
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
import { CONTAINER_BYTES, NOTE_BYTES, PROBE_BYTES, RESULT_BYTES, someTexts } from './probe'
import { unpackFiles } from './unpack'

/** Files read at once: enough to keep a disk busy, below any limit on open files. */
const TOGETHER = 16

const NOTHING = new Uint8Array()

/** An unreadable file is an empty one here; opening it reports the error. */
const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer())
const headOf = ({ blob }: DroppedFile, most: number): Promise<Uint8Array> =>
  bytesOf(blob.slice(0, most)).catch(() => NOTHING)
const probe = async (file: DroppedFile) => {
  const head = await headOf(file, PROBE_BYTES)
  const { blob } = file
  // Of a small file both ends are all of it.
  if (blob.size <= PROBE_BYTES) return { head, tail: head }
  return { head, tail: await bytesOf(blob.slice(blob.size - PROBE_BYTES)).catch(() => NOTHING) }
}

/** Needs an initialized engine; `tell` is called with the progress of unpacking, `compiledTexts` where a text may have results. */
export const groupFiles = async (
  dropped: readonly DroppedFile[],
  tell: (progress: UnpackProgress) => void,
  compiledTexts: () => Promise<WebAssembly.Module>,
): Promise<Grouping> => {
  const { files, problems } = await unpackFiles(dropped, tell, compiledTexts)
  const sorter = new FileSorter()
  for (let from = 0; from < files.length; from += TOGETHER) {
    const some = files.slice(from, from + TOGETHER)
    const ends = await Promise.all(some.map(probe))
    for (const [i, { name, path, blob, lastModified, pattern }] of some.entries()) {
      const { head, tail } = ends[i] ?? { head: NOTHING, tail: NOTHING }
      sorter.add(JSON.stringify({ name, path, size: blob.size, lastModified, pattern }), head, tail)
    }
  }
  const found: SortedFiles = sorter.group()
  sorter.free()
  return {
    files,
    problems,
    ...(await withNotes(found, files, compiledTexts)),
    ...(await withResults(found, files, compiledTexts)),
  }
}

const headsOf = async (files: readonly DroppedFile[]): Promise<readonly ResultText[]> => {
  const heads: ResultText[] = []
  for (const file of files)
    heads.push({ path: file.path, size: file.blob.size, bytes: await headOf(file, RESULT_BYTES) })
  return heads
}

/** Reads texts with results as a person chose. Needs an initialized engine; `texts` is the module that reads them. */
export const readTexts = async (
  files: readonly DroppedFile[],
  texts: WebAssembly.Module,
  choices: TextChoices,
): Promise<ReadResults> => readResults(texts, await headsOf(files), choices)

/** Traces of one text, which may be mails with tables. */
const mailsIn = async (traces: SortedFiles['traces'], files: readonly DroppedFile[]): Promise<readonly number[]> => {
  const mails: number[] = []
  for (const index of traces.flatMap(({ parts }) => (parts.length === 1 ? parts : []))) {
    const file = files[index]
    if (file && file.blob.size <= RESULT_BYTES && mayBeText(await headOf(file, CONTAINER_BYTES))) mails.push(index)
  }
  return mails
}

/** Texts without any trace, and text traces that may be mails with tables; why the others are refused. */
const withResults = async (
  { traces, rejected }: SortedFiles,
  files: readonly DroppedFile[],
  compiledTexts: () => Promise<WebAssembly.Module>,
): Promise<Pick<Grouping, 'results' | 'reading' | 'rejected'>> => {
  const candidates = traces.length === 0 ? rejected.map(r => r.index) : await mailsIn(traces, files)
  const texts = candidates.filter(index => files[index]?.pattern === undefined)
  // A text with several recordings is read once, as it is.
  const all = [...new Set(texts.flatMap(index => files[index]?.text ?? files[index] ?? []))]
  const some = someTexts(all, file => file.blob.size)
  if (some.length === 0) return { rejected }
  const heads = await headsOf(some)
  const module = await compiledTexts()
  const { document: results, reading } = readResults(module, heads, {}, all.length - some.length)
  const reasons = rejected.map(({ index, error }) => {
    const file = files[index]
    const head = file && heads[some.indexOf(file)]
    return { index, error: head ? refusalOf(module, { ...head, error }) : error }
  })
  return { rejected: reasons, ...(results.tables.length > 0 && { results, reading }) }
}

/** A placeholder for the open run. */
const OPEN = { label: '', paths: [] }

/** Texts are notes of the traces next to them; without a trace they may belong to an open one. */
const withNotes = async (
  { traces, rejected, notes }: SortedFiles,
  files: readonly DroppedFile[],
  compiledTexts: () => Promise<WebAssembly.Module>,
): Promise<Pick<Grouping, 'traces' | 'notes' | 'unread' | 'alone'>> => {
  const alone = traces.length === 0
  const indices = alone ? rejected.map(r => r.index) : notes
  const reader = new NoteReader()
  const texts = indices.flatMap(index => files[index] ?? [])
  for (let from = 0; from < texts.length; from += TOGETHER) {
    const some = texts.slice(from, from + TOGETHER)
    const heads = await Promise.all(some.map(file => headOf(file, NOTE_BYTES)))
    for (const [i, { path }] of some.entries()) reader.add(path, heads[i] ?? NOTHING)
  }
  const unread = reader.unread()
  for (const { index, text } of unread) {
    const file = texts[index]
    if (file) {
      const module = await compiledTexts()
      reader.addOutputs(index, outputsOf(module, file.path, text ?? (await headOf(file, NOTE_BYTES))))
    }
  }
  const paths = (some: readonly number[]) => some.flatMap(index => files[index]?.path ?? [])
  const beside: NotesOfTraces = reader.assign(
    JSON.stringify(alone ? [OPEN] : traces.map(({ label, parts }) => ({ label, paths: paths(parts) }))),
  )
  reader.free()
  const read = beside.notes.map(
    ({ traces, ...note }, i): FoundNote => ({ index: indices[i] ?? 0, note, traces: alone ? [] : traces }),
  )
  return {
    ...(alone && beside.runs[0] && { alone: beside.runs[0] }),
    traces: traces.map((trace, i) => ({ ...trace, ...beside.runs[i] })),
    notes: read.filter(({ note }) => (alone ? note.facts.length > 0 : note.kind !== 'binary')),
    unread: alone ? [] : read.flatMap(({ index, note }) => (note.kind === 'binary' ? [index] : [])),
  }
}
