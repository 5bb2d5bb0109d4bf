/** Dropped, picked, pasted or fetched files: grouped into traces by the engine, then each read as a run. */

import { asEngineError, UNAVAILABLE } from '../engine/errors'
import type { EngineError, Grouping, TimeWindow, UnpackProgress } from '../engine/protocol'
import type { FoundFile } from '../ingest/found'
import { besideLinked, countChoices } from '../state/comparing/results'
import { type Batch, type NotRead, put } from '../state/page'
import { LETTERS } from '../state/runs/runs'
import { sourcesOf } from '../state/runs/sources'
import { besideIn, factsOfNotes, factsOfRun, notesOf, withFacts } from './facts'
import { startIfItFits } from './part'
import { AS_SHOWN, readAgain } from './reading'
import { beginComparison } from './run'
import type { Session } from './session'
import { openingsOf } from './traceOpening'

/** Errors of texts that may open once their blkparse format string is known. */
const NEEDS_FORMAT = ['text-not-understood', 'bad-format-string']

const NO_TRACE: EngineError = {
  code: 'no-trace',
  message: 'None of the files has a trace or results.',
  remedy:
    'Drop the per-CPU files that blktrace writes (sda.blktrace.0, sda.blktrace.1, …), their folder, a dump made ' +
    'by blkparse -d, text output of blkparse, ftrace, trace-cmd or perf, or the output of a benchmark.',
}

/** Adds texts that came without a trace to the open runs as notes. Returns the indices of their files. */
function addNotes({ store, changeRun, update, addBeside }: Session, grouping: Grouping): readonly number[] {
  const { runs, home } = store.getState()
  const notes = notesOf(grouping)
  if (runs.length === 0 || notes.length === 0 || home) return []
  const beside = besideIn(notes)
  if (beside.length > 0) for (const trace of new Set(runs.map(run => run.trace))) addBeside(trace, beside)
  const kernels = new Set(notes.flatMap(n => n.kernel ?? []))
  const kernel = runs.length === 1 && kernels.size === 1 ? [...kernels][0] : undefined
  for (const { id } of runs)
    changeRun(id, run => {
      const { deviceNames, ...noted } = factsOfNotes([...notes, ...(run.notes ?? [])], run.kernel ?? kernel)
      const facts = runs.length === 1 && grouping.alone ? withFacts(run, factsOfRun('', grouping.alone)) : {}
      return { ...noted, ...facts, ...(deviceNames && { deviceNames: { ...deviceNames, ...run.deviceNames } }) }
    })
  update(page => ({ ...page, dialog: { kind: 'notes', run: runs[0]?.id ?? '' } }))
  return grouping.notes.map(n => n.index)
}

/** Reports files that were not opened: in a dialog when nothing was opened, else in the notice next to the runs. */
function report(
  { update }: Session,
  notRead: readonly NotRead[],
  texts: readonly FoundFile[],
  opened: number,
  dropped: number,
) {
  const errors = notRead.flatMap(n => n.error ?? [])
  const nothing: EngineError = dropped === 0 ? { ...NO_TRACE, message: 'There were no files in the drop.' } : NO_TRACE
  update(page => ({
    ...page,
    sorting: false,
    notRead: [...page.notRead, ...(opened > 0 || (page.runs.length > 0 && !page.home) ? notRead : [])],
    ...(opened === 0 && {
      dialog: {
        kind: 'errors' as const,
        title:
          errors.length === 1 && errors[0]?.at ? `${errors[0].at.file} could not be opened` : 'Nothing could be opened',
        errors: errors.length > 0 ? errors : [nothing],
        ...(texts.length > 0 && { texts }),
      },
    }),
  }))
}

/** The part to read of a trace, by its number. */
export type WindowOf = (trace: number) => TimeWindow | undefined

/**
 * Shows results in texts. Next to a trace they are its notes; alone they are compared with the results that are open.
 */
async function showResults({ store, engine, update }: Session, grouping: Grouping): Promise<void> {
  const { files, traces, results, reading } = grouping
  const page = store.getState()
  if (results === undefined || (traces.length === 0 && page.runs.length > 0)) {
    if (traces.length > 0 && page.results?.files?.length) update(page => put(page, 'results', undefined))
    return
  }
  const paths = new Set(results.tables.flatMap(table => table.files))
  const texts = files.filter(file => paths.has(file.path))
  const open = traces.length > 0 ? undefined : page.results
  const { choices = AS_SHOWN, before = [] } = open?.texts ?? {}
  // Choices that the user made for the earlier texts are kept.
  const read = countChoices(choices) > 0 ? await engine.readTexts(texts, choices) : { document: results, reading }
  const shown = {
    ...besideLinked(read.document, open?.linked),
    files: traces.length > 0 ? [] : texts,
    client: engine.results,
    ...(read.reading && { texts: { reading: readAgain(read.reading, reading), choices, before } }),
  }
  update(page => ({ ...put(page, 'snapshot', page.runs.length > 0 ? page.snapshot : undefined), results: shown }))
}

interface UsedFile {
  readonly path: string
  /** Number of its trace; absent for a note. */
  readonly trace?: number
}

interface OpenedTraces {
  readonly used: readonly UsedFile[]
  /** Number of traces that do not fit into memory and wait for the choice of a part. */
  readonly waiting: number
}

/**
 * Reads as many traces as there are free letters. Numbers are pushed to `started` at once, so that the caller has
 * them even if a later trace fails.
 */
async function startTraces(
  session: Session,
  grouping: Grouping,
  { dropped, signal, windowOf }: Drop,
  started: number[],
): Promise<OpenedTraces> {
  const { files, traces } = grouping
  const used: UsedFile[] = []
  let waiting = 0
  for (const [i, opening] of openingsOf(grouping, dropped).slice(0, freeLetters(session)).entries()) {
    const window = windowOf?.(session.lastTrace() + 1)
    const { trace, waits } = await startIfItFits(session, { ...opening, ...(window && { window }) }, signal)
    started.push(trace)
    if (waits) waiting++
    for (const part of traces[i]?.parts ?? []) if (files[part]) used.push({ path: files[part].path, trace })
  }
  return { used, waiting }
}

const freeLetters = ({ store }: Session): number => LETTERS.length - store.getState().runs.length

/** Files that were not used. `noteIndices`: files that became notes; `shown`: paths of results. */
function notReadOf(
  { files, problems, rejected, unread, traces }: Grouping,
  used: readonly UsedFile[],
  noteIndices: readonly number[],
  shown: ReadonlySet<string>,
  room: number,
): readonly NotRead[] {
  return [
    ...problems.map(error => {
      const path = error.at?.file ?? ''
      const partly = used.some(file => file.path === path || file.path.startsWith(`${path}/`))
      return { path, error, ...(partly && { partly }) }
    }),
    ...rejected.flatMap(({ index, error }) => {
      const file = files[index]
      return file && !noteIndices.includes(index) && !shown.has(file.path) ? [{ path: file.path, error }] : []
    }),
    ...unread.flatMap(i => (files[i] ? [{ path: files[i].path }] : [])),
    ...traces.slice(room).map(({ name }) => ({
      path: name,
      error: {
        code: 'too-many-runs',
        message: `${name} was skipped: at most ${LETTERS.length} runs can be compared.`,
      },
    })),
  ]
}

/** The dropped files that became part of the page, with the traces in each. */
function batchOf(dropped: readonly FoundFile[], used: readonly UsedFile[], traces: readonly number[]): Batch {
  const files = dropped.flatMap(file => {
    const uses = used.filter(({ path }) => path === file.path || path.startsWith(`${file.path}/`))
    return uses.length === 0 ? [] : [{ file, traces: [...new Set(uses.flatMap(use => use.trace ?? []))] }]
  })
  return { files, traces: [...traces] }
}

/** Adds the traces, notes and results that were found in files to the page. */
async function openGrouping(session: Session, grouping: Grouping, drop: Drop, started: number[]): Promise<void> {
  const { store, update } = session
  const { files, traces, rejected, results, notes } = grouping
  if (traces.length > 0 || results) beginComparison(session)
  const noteIndices = traces.length === 0 ? addNotes(session, grouping) : []
  await showResults(session, grouping)
  const { length: before } = store.getState().runs
  const room = freeLetters(session)
  const shown = new Set(traces.length === 0 && before === 0 ? results?.tables.flatMap(table => table.files) : [])
  const read = await startTraces(session, grouping, drop, started)
  const texts = [...notes.map(note => note.index), ...noteIndices].flatMap(i => files[i] ?? [])
  const used = [...texts.map(({ path }) => ({ path })), ...read.used]
  const opened = store.getState().runs.length - before + read.waiting
  const sources =
    traces.length === 0 && noteIndices.length === 0 ? [] : sourcesOf(drop.dropped, used, session.nextBatch())
  const batch = batchOf(drop.dropped, [...used, ...[...shown].map(path => ({ path }))], started)
  update(page => ({
    ...(opened > 0 ? put(page, 'sample', undefined) : page),
    sources: [...page.sources, ...sources],
    batches: batch.files.length > 0 ? [...page.batches, batch] : page.batches,
  }))
  const withoutFormat = rejected
    .filter(({ error }) => NEEDS_FORMAT.includes(error.code))
    .flatMap(({ index }) => files[index] ?? [])
  report(
    session,
    notReadOf(grouping, used, noteIndices, shown, room),
    withoutFormat,
    opened + noteIndices.length + shown.size,
    drop.dropped.length,
  )
}

interface Drop {
  readonly dropped: readonly FoundFile[]
  readonly signal: AbortSignal
  readonly windowOf: WindowOf | undefined
}

/** Opens every trace in the files, and returns their numbers; `signal` ends the search for traces. */
export async function openFiles(
  session: Session,
  dropped: readonly FoundFile[],
  signal: AbortSignal,
  windowOf?: WindowOf,
): Promise<readonly number[]> {
  const { store, engine, update } = session
  const started: number[] = []
  update(page => ({ ...page, sorting: true }))
  try {
    const unpacking = (unpacking: UnpackProgress) => update(page => ({ ...page, unpacking }))
    // Results without a trace are compared with those that are added; next to a trace they are notes.
    const { results, home } = store.getState()
    const earlier = home ? [] : (results?.files ?? [])
    const plain = dropped.map(({ handle: _, ...file }) => file)
    const grouping = await engine.groupParts([...earlier, ...plain], unpacking, signal)
    update(page => put(page, 'unpacking', undefined))
    await openGrouping(session, grouping, { dropped, signal, windowOf }, started)
  } catch (reason) {
    update(page => ({ ...put(page, 'unpacking', undefined), sorting: false }))
    if (signal.aborted) return started
    const error = asEngineError(reason)
    const retry = error.code === UNAVAILABLE && { again: dropped }
    const dialog = { kind: 'errors' as const, title: 'Nothing could be opened', errors: [error], ...retry }
    update(page => ({ ...page, dialog }))
  }
  return started
}
