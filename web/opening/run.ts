/** A run from the first byte to the last: its worker, its progress, its figures, its failure, its removal. */
import type { OpenEvents } from '../engine/client'
import { asEngineError } from '../engine/errors'
import type { EngineError, Geometry, TraceClient, TraceInfo } from '../engine/protocol'
import { snapshotTraceOf } from '../state/address/snapshots'
import { isEmpty, type Page, put, withoutRuns } from '../state/page'
import { placeRuns, rowWithout } from '../state/runs/runs'
import { ownChannels } from '../state/runs/split'
import { START } from '../state/trail'
import type { Run } from '../state/types'
import { closing, removal, withStep } from '../state/undo'
import { checkTrace } from './checksum'
import type { Session, TraceToOpen } from './session'

export const NO_PROGRESS = { bytes: 0, totalBytes: 0, events: 0, requests: 0, span: 0, elapsedMs: 0 }

/** Whether reading ended early because memory was full. */
const isFull = ({ quality }: TraceInfo): boolean => quality.warnings.some(warning => warning.code === 'memory-full')

/** The shown device stays shown even if a new answer has another order of devices. */
export function withInfo(run: Run, info: TraceInfo): Partial<Run> {
  const before = run.info?.devices.find(d => d.index === run.device)
  const device = (before && info.devices.find(d => d.dev === before.dev)) ?? info.devices[0]
  return { info, device: device?.index ?? 0 }
}

const isAbort = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'AbortError'

/** Queries all figures again, as after a change of geometry, and the stalls where they are missing. */
export function resummarise({ run: find, changeRun }: Session, id: string): void {
  const run = find(id)
  if (run?.status.kind !== 'ready') return
  const { geometry } = run
  run.client.query('summary', geometry ? { geometry } : {}, 'summary').then(
    summary => {
      if (find(id)?.geometry === geometry) changeRun(id, { summary })
    },
    (reason: unknown) => {
      if (isAbort(reason)) return
      changeRun(id, { status: { kind: 'failed', error: asEngineError(reason) } })
    },
  )
  // Without an answer there are none on the page: a worker that crashed says so itself.
  if (!run.moments) {
    run.client.query('moments', {}, 'moments').then(
      ({ moments }) => changeRun(id, { moments }),
      (reason: unknown) => {
        if (!isAbort(reason)) changeRun(id, { moments: [] })
      },
    )
  }
}

/** Error code of a part without events. */
const EMPTY_WINDOW = 'empty-window'

/** A run that failed stays with its error, unless no run is left that did not fail. */
export function failTrace(session: Session, trace: number, error: EngineError): void {
  const { cancel, update } = session
  const opening = session.openingOf(trace)
  cancel(trace)
  // The user may choose another part, so the opening is kept.
  const canRetry = error.code === EMPTY_WINDOW
  if (canRetry && opening) session.onOpening(trace, opening)
  update(page => {
    const run = page.runs.find(r => r.trace === trace)
    if (!run) return page
    const runs = page.runs.map(r => (r.trace === trace ? { ...r, status: { kind: 'failed' as const, error } } : r))
    const errors = runs.flatMap(r => (r.status.kind === 'failed' ? r.status.error : []))
    if (errors.length === runs.length && !canRetry) {
      const title = runs.length === 1 ? `${run.label} could not be read` : 'None of the traces could be read'
      return {
        ...withoutRuns(page),
        choices: page.choices,
        linkProblems: page.linkProblems,
        dialog: { kind: 'errors', title, errors },
      }
    }
    return {
      ...page,
      runs,
      dialog: { kind: 'errors', title: `${run.label} could not be read`, errors: [error], run: run.id },
    }
  })
}

/** A trace replaces its snapshot: the run keeps its place, label and settings. */
function attach({ store, update, cancel }: Session, trace: number, info: TraceInfo, client: TraceClient) {
  const replaced = snapshotTraceOf(store.getState().runs, info)
  if (replaced === undefined) return
  cancel(replaced)
  const read = store.getState().runs.find(r => r.trace === trace)
  const attached = (run: Run, i: number): Run => {
    const { snapshot: _, summary: __, ...rest } = run
    return {
      ...rest,
      trace,
      client: i === 0 ? client : ownChannels(client, run.id),
      ...(read?.notes && { notes: read.notes }),
    }
  }
  update(page => {
    const replacedRuns = page.runs.filter(r => r.trace === replaced)
    const runs = page.runs.flatMap(r =>
      r.trace === trace ? [] : r.trace === replaced ? [attached(r, replacedRuns.indexOf(r))] : [r],
    )
    return { ...page, runs: placeRuns(runs) }
  })
}

/** Starts the worker that reads a trace. */
function readTrace(session: Session, trace: number, opening: TraceToOpen): TraceClient {
  const { engine, update, changeTrace, runsOf } = session
  const { name, label, parts, facts, dropped, zones, blocks, beside, window, origin } = opening
  const events: OpenEvents = {
    progress: ({ totalBytes, ...progress }) =>
      changeTrace(trace, () => ({
        status: {
          kind: 'reading',
          progress: { ...progress, totalBytes: Math.max(progress.bytes, opening.expected ?? totalBytes) },
        },
      })),
    partial: info => changeTrace(trace, run => withInfo(run, info)),
    ready: info => {
      attach(session, trace, info, reading.client)
      changeTrace(trace, run => ({ ...withInfo(run, info), status: { kind: 'ready' } }))
      if (info.quality.truncatedBytes > 0 || isFull(info))
        update(page => (page.dialog ? page : { ...page, dialog: { kind: 'quality', run: runsOf(trace)[0]?.id ?? '' } }))
      for (const run of runsOf(trace)) resummarise(session, run.id)
      void checkTrace(session, trace, opening)
    },
    failed: error => failTrace(session, trace, error),
  }
  const context = {
    ...(dropped && { dropped }),
    ...(facts?.kernel && { kernel: facts.kernel }),
    ...(zones && { zones }),
    ...(blocks && { blocks }),
    ...(beside && { beside }),
    ...(window && { window }),
    ...(origin !== undefined && { origin }),
  }
  const reading = engine.openTrace(name, label, parts, events, context)
  if (reading.addBeside) session.onBeside(trace, reading.addBeside)
  session.onCancel(trace, reading.cancel)
  session.onOpening(trace, opening)
  return reading.client
}

const started = ({ parts, expected }: TraceToOpen): Run['status'] => ({
  kind: 'reading',
  progress: { ...NO_PROGRESS, totalBytes: expected ?? parts.reduce((sum, p) => sum + p.blob.size, 0) },
})

/** Starts to read a trace as a new run. Returns the trace's number. */
export function startTrace(
  session: Session,
  opening: TraceToOpen,
  geometry: Geometry | undefined,
  trace = session.nextTrace(),
): number {
  const run: Run = {
    id: `run-${trace}`,
    trace,
    letter: 'A',
    linkLetter: 'A',
    label: opening.label,
    openedAs: opening.label,
    baseline: false,
    hidden: false,
    status: started(opening),
    client: readTrace(session, trace, opening),
    device: 0,
    rereadable: true,
    ...opening.facts,
    ...(opening.window && { window: opening.window }),
    ...(geometry && { geometry }),
  }
  session.update(page => ({ ...page, runs: placeRuns([...page.runs, run]) }))
  return trace
}

/** Reads a trace again, or another part of it: its runs keep their places, labels and settings. */
export function rereadTrace(session: Session, opening: TraceToOpen, trace: number): void {
  session.cancel(trace)
  const client = readTrace(session, trace, opening)
  const reread = (run: Run, i: number): Run => {
    const { info, summary, window, moments, whole, ...rest } = run
    return {
      ...rest,
      ...(opening.window && { window: opening.window }),
      status: started(opening),
      client: i === 0 ? client : ownChannels(client, run.id),
    }
  }
  session.update(page => {
    const traceRuns = page.runs.filter(run => run.trace === trace)
    const { selected, ...view } = page.view
    const shown = traceRuns.some(run => run.id === selected?.run) ? view : page.view
    return {
      ...page,
      view: shown,
      trail: START,
      runs: page.runs.map(run => (run.trace === trace ? reread(run, traceRuns.indexOf(run)) : run)),
    }
  })
}

export function removeAllRuns({ cancelAll, store }: Session): void {
  cancelAll()
  const page = store.getState()
  const left = withoutRuns(page)
  if (!left.fleet) page.fleet?.client.close()
  store.setState(left, true)
}

/**
 * Prepares the page for another comparison: what is open behind the landing page is closed for good, and what was
 * removed or closed before can no longer come back.
 */
export function beginComparison(session: Session): void {
  const { store, update } = session
  const { home, sorting, opening } = store.getState()
  if (home) {
    removeAllRuns(session)
    update(page => ({ ...page, sorting, ...(opening && { opening }) }))
  } else if (isEmpty(store.getState())) update(page => put({ ...page, undo: [] }, 'toast', undefined))
}

/** Ends the workers of traces that no step of undo holds any longer. Returns a function that stops this. */
export const freeTraces = ({ store, cancel }: Session): (() => void) =>
  store.subscribe((page, before) => {
    if (page.undo === before.undo) return
    const held = new Set([...page.undo.flatMap(step => step.traces), ...page.runs.map(run => run.trace)])
    for (const trace of before.undo.flatMap(step => step.traces)) if (!held.has(trace)) cancel(trace)
  })

/** Ends a run that is still being read, or comes back by undo. The worker of a trace ends with its last run. */
export function removeRun(session: Session, id: string): void {
  const run = session.run(id)
  if (!run) return
  const isLast = session.runsOf(run.trace).length === 1
  if (run.status.kind === 'reading') {
    if (isLast) session.cancel(run.trace)
    dropRun(session, id)
  } else dropRun(session, id, isLast ? [run.trace] : [])
}

/** Removes a run. `held`: traces that stay open to bring it back; absent: that is not possible. */
export function dropRun(session: Session, id: string, held?: readonly number[]): void {
  const { store, update } = session
  const before = store.getState()
  const run = session.run(id)
  const remaining = rowWithout(before.runs, id)
  if (!run) return
  if (!held && session.runsOf(run.trace).length === 1) session.cancel(run.trace)
  if (remaining.every(other => other.status.kind === 'failed')) {
    if (held) closeRuns(session, before, `Removed ${run.letter}.`)
    else removeAllRuns(session)
    return
  }
  update(page => {
    const rest = { ...put(page, 'sample', undefined), runs: remaining }
    const shown = page.view.selected?.run === id ? { ...rest, view: put(page.view, 'selected', undefined) } : rest
    return held ? withStep(shown, removal(before, run, held)) : shown
  })
}

/** Closes the runs of a page; its traces stay open until the step is gone. */
function closeRuns({ store }: Session, before: Page, words?: string): void {
  store.setState(page => withStep({ ...withoutRuns(page), undo: page.undo }, closing(before, words)), true)
}

/** Closes all runs. Those that are still being read are ended. */
export function closeAllRuns(session: Session): void {
  const page = session.store.getState()
  const runs = page.runs.filter(run => run.status.kind !== 'reading')
  if (runs.length === 0) removeAllRuns(session)
  else {
    for (const run of page.runs) if (run.status.kind === 'reading') session.cancel(run.trace)
    closeRuns(session, { ...page, runs: placeRuns(runs) })
  }
}
