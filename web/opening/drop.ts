/** Dropped, picked, pasted or fetched files: grouped into traces by the engine, then each read as a run. */

import { asEngineError, UNAVAILABLE } from '../engine/errors'
import type { EngineError, Grouping, TimeWindow, UnpackProgress } from '../engine/protocol'
import type { FoundFile } from '../ingest/found'
import { severalGroups } from '../lib/severalGroups'
import { type NotRead, put } from '../state/page'
import { besideLinked, countChoices } from '../state/results'
import { LETTERS } from '../state/runs'
import { sourcesOf } from '../state/sources'
import { cutTraces } from './cut'
import { countersIn, factsOfNotes, factsOfRun, notesOf, withFacts } from './facts'
import { startIfItFits } from './part'
import { AS_SHOWN, readAgain } from './reading'
import type { Session } from './session'

/** Errors of texts that may open once their blkparse format string is known. */
const NEEDS_FORMAT = ['text-not-understood', 'bad-format-string']

const NO_TRACE: EngineError = {
  code: 'no-trace',
  message: 'None of the files has a trace or results.',
  remedy:
    'Drop the per-CPU files that blktrace writes (sda.blktrace.0, sda.blktrace.1, …), their folder, a dump made by blkparse -d, text output of blkparse, ftrace, trace-cmd or perf, or the output of a benchmark.',
}

/** Texts without a trace belong to the open runs. Returns the indices of their files. */
function addNotes({ store, changeRun, update, addCounters }: Session, grouping: Grouping): readonly number[] {
  const { runs } = store.getState()
  const notes = notesOf(grouping)
  if (runs.length === 0 || notes.length === 0) return []
  const counters = countersIn(notes)
  if (counters.length > 0) for (const trace of new Set(runs.map(run => run.trace))) addCounters(trace, counters)
  const kernels = new Set(notes.flatMap(n => n.kernel ?? []))
  const kernel = runs.length === 1 && kernels.size === 1 ? [...kernels][0] : undefined
  for (const { id } of runs)
    changeRun(id, run => {
      const { deviceNames, ...own } = factsOfNotes([...notes, ...(run.notes ?? [])], run.kernel ?? kernel)
      const facts = runs.length === 1 && grouping.alone ? withFacts(run, factsOfRun('', grouping.alone)) : {}
      return { ...own, ...facts, ...(deviceNames && { deviceNames: { ...deviceNames, ...run.deviceNames } }) }
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
    notRead: [...page.notRead, ...(opened > 0 || page.runs.length > 0 ? notRead : [])],
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

/** What the command line calls these files: the dropped archive, or the base name of per-CPU files. */
function inputsOf(paths: readonly string[], dropped: readonly FoundFile[]): readonly string[] {
  const given = paths.map(
    path => dropped.find(file => path.startsWith(`${file.path}/`))?.path ?? path.replace(/\.blktrace\.\d+$/, ''),
  )
  return [...new Set(given)]
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
    const earlier = store.getState().results?.files ?? []
    const grouping = await engine.groupParts([...earlier, ...dropped], unpacking, signal)
    const { files, problems, traces, rejected, unread, results } = grouping
    update(page => put(page, 'unpacking', undefined))
    const added = traces.length === 0 ? addNotes(session, grouping) : []
    if (results && (traces.length > 0 || store.getState().runs.length === 0)) {
      const own = new Set(results.tables.flatMap(table => table.files))
      const texts = files.filter(file => own.has(file.path))
      const open = traces.length > 0 ? undefined : store.getState().results
      const { choices = AS_SHOWN, before = [] } = open?.texts ?? {}
      // What was chosen for the texts before stays.
      const read =
        countChoices(choices) > 0
          ? await engine.readTexts(texts, choices)
          : { document: results, reading: grouping.reading }
      const shown = {
        ...besideLinked(read.document, open?.linked),
        files: traces.length > 0 ? [] : texts,
        client: engine.results,
        ...(read.reading && { texts: { reading: readAgain(read.reading, grouping.reading), choices, before } }),
      }
      update(page => ({ ...put(page, 'snapshot', page.runs.length > 0 ? page.snapshot : undefined), results: shown }))
    } else if (traces.length > 0 && earlier.length > 0) update(page => put(page, 'results', undefined))
    const shown = new Set(
      traces.length === 0 && store.getState().runs.length === 0
        ? (results?.tables.flatMap(table => table.files) ?? [])
        : [],
    )
    const before = store.getState().runs.length
    const room = LETTERS.length - before
    let waiting = 0
    const used: { path: string; trace?: number }[] = [...grouping.notes.map(n => n.index), ...added].flatMap(
      i => files[i] ?? [],
    )
    const groups = severalGroups(traces.map(trace => trace.group))
    const cuts = cutTraces({ files, traces, problems })
    for (const [i, { name, label, parts: own, kernel, dropped: lost, zones, blocks, group: _, ...known }] of traces
      .slice(0, room)
      .entries()) {
      const parts = own
        .flatMap(i => files[i] ?? [])
        .map(({ name, blob, pattern }) => ({ name, blob, ...(pattern !== undefined && { pattern }) }))
      const notes = notesOf(grouping, i)
      const group = groups[i]
      const facts = {
        ...factsOfNotes(notes, kernel),
        ...factsOfRun(files[own[0] ?? 0]?.path ?? '', known),
        ...(group && { group }),
        ...(cuts[i] && { cut: cuts[i] }),
      }
      const context = { ...(lost && { dropped: lost }), ...(zones && { zones }), ...(blocks && { blocks }) }
      const paths = own.flatMap(i => files[i]?.path ?? [])
      const window = windowOf?.(session.lastTrace() + 1)
      const inputs = inputsOf(paths, dropped)
      const opening = {
        name,
        label,
        parts,
        inputs,
        facts,
        counters: countersIn(notes),
        ...context,
        ...(window && { window }),
      }
      const { trace, waits } = await startIfItFits(session, opening, signal)
      started.push(trace)
      if (waits) waiting++
      used.push(...own.flatMap(part => (files[part] ? [{ path: files[part].path, trace }] : [])))
    }
    const opened = store.getState().runs.length - before + waiting
    const sources = traces.length === 0 && added.length === 0 ? [] : sourcesOf(dropped, used, session.nextBatch())
    update(page => ({
      ...(opened > 0 ? put(page, 'sample', undefined) : page),
      sources: [...page.sources, ...sources],
    }))
    const overfull = traces.slice(room).map(t => ({
      path: t.name,
      error: {
        code: 'too-many-runs',
        message: `${t.name} was skipped: at most ${LETTERS.length} runs can be compared.`,
      },
    }))
    const notRead = [
      ...problems.map(error => {
        const path = error.at?.file ?? ''
        const partly = used.some(file => file.path === path || file.path.startsWith(`${path}/`))
        return { path, error, ...(partly && { partly }) }
      }),
      ...rejected.flatMap(({ index, error }) => {
        const file = files[index]
        return file && !added.includes(index) && !shown.has(file.path) ? [{ path: file.path, error }] : []
      }),
      ...unread.flatMap(i => (files[i] ? [{ path: files[i].path }] : [])),
      ...overfull,
    ]
    const needed = rejected
      .filter(({ error }) => NEEDS_FORMAT.includes(error.code))
      .flatMap(({ index }) => files[index] ?? [])
    report(session, notRead, needed, opened + added.length + shown.size, dropped.length)
  } catch (reason) {
    update(page => ({ ...put(page, 'unpacking', undefined), sorting: false }))
    if (signal.aborted) return started
    const error = asEngineError(reason)
    const again = error.code === UNAVAILABLE && { again: dropped }
    const dialog = { kind: 'errors' as const, title: 'Nothing could be opened', errors: [error], ...again }
    update(page => ({ ...page, dialog }))
  }
  return started
}
