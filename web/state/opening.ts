/** From found files to runs: sorted into traces, each read by its own worker, told about as it grows. */
import type { OpenEvents } from '../engine/client'
import type { Dropped, EngineError, Geometry, Grouping, Part, RunFacts, TraceInfo, Unpacking } from '../engine/protocol'
import type { FoundFile } from '../ingest/found'
import { fetchRun, type Sample } from '../ingest/samples'
import { EMPTY_PAGE, type Engine, type NotRead, type Page, type PageStore, put, settled } from './page'
import { changed, LETTERS, placed, without } from './runs'
import type { Run, RunNote } from './types'

const NO_PROGRESS = { bytes: 0, totalBytes: 0, events: 0, elapsedMs: 0 }

/** Codes of text that may open when its format string is given. */
const FORMAT_WANTED = ['text-not-understood', 'bad-format-string']

/** Reads traces into the store and can stop doing so. */
export interface Opening {
  /** Adds every trace in the files to the page. */
  open(files: readonly FoundFile[]): Promise<void>
  /** Replaces the page's runs by a sample's. */
  openSample(sample: Sample): Promise<void>
  /** Ends the search for traces among dropped files: nothing of them is opened. */
  stop(): void
  /** Stops reading; what is there so far goes, too. */
  remove(id: string): void
  removeAll(): void
  /** Asks for all figures again, as after a change of geometry. */
  resummarise(id: string): void
}

interface Described {
  readonly name: string
  readonly label: string
  readonly parts: readonly Part[]
  /** What is known of it besides its files. */
  readonly told?: Partial<Pick<Run, 'kernel' | 'deviceNames' | 'notes' | 'told' | 'bench'>>
  readonly dropped?: Dropped
}

/** A rejected promise's reason, as an error that can be shown. */
export function asEngineError(reason: unknown, code = 'internal'): EngineError {
  if (typeof reason === 'object' && reason !== null && 'code' in reason && 'message' in reason && typeof reason.code === 'string')
    return reason as EngineError
  return { code, message: reason instanceof Error ? reason.message : String(reason) }
}

/** The shown device survives a new answer even if the order of devices changed. */
function withInfo(run: Run, info: TraceInfo): Partial<Run> {
  const before = run.info?.devices.find(d => d.index === run.device)
  const device = (before && info.devices.find(d => d.dev === before.dev)) ?? info.devices[0]
  return { info, device: device?.index ?? 0 }
}

/** Notes of a trace, those that tell most first. */
const notesOf = ({ files, notes }: Grouping, trace?: number): RunNote[] =>
  notes
    .filter(({ traces }) => trace === undefined || traces.includes(trace))
    .flatMap(({ index, note }) => (files[index] ? [{ ...note, blob: files[index].blob }] : []))
    .sort((a, b) => Number(b.facts.length > 0) - Number(a.facts.length > 0))

/** What notes say of a run as a whole. */
function toldBy(notes: readonly RunNote[], kernel: string | undefined): NonNullable<Described['told']> {
  const names = Object.fromEntries(notes.flatMap(n => n.names ?? []))
  return {
    ...(kernel !== undefined && { kernel }),
    ...(Object.keys(names).length > 0 && { deviceNames: names }),
    ...(notes.length > 0 && { notes }),
  }
}

/** What folders and texts tell of a run besides: for its label, and what the application saw. */
function factsOf(
  path: string,
  { scheduler, workload, writers, jobs, bench }: Omit<RunFacts, 'label'>,
): Pick<NonNullable<Described['told']>, 'told' | 'bench'> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const told = {
    folder,
    ...(scheduler !== undefined && { scheduler }),
    ...(workload !== undefined && { workload }),
    ...(writers !== undefined && { writers }),
    ...(jobs !== undefined && { jobs }),
  }
  return { told, ...(bench && { bench }) }
}

/** What is told later adds to what is known. */
function withFacts(run: Run, { told, bench }: ReturnType<typeof factsOf>): Partial<Run> {
  const known = run.bench ?? []
  const more = bench?.filter(figure => !known.some(k => k.key === figure.key)) ?? []
  return { told: { folder: '', ...told, ...run.told }, ...(known.length + more.length > 0 && { bench: [...known, ...more] }) }
}

export function createOpening(store: PageStore, engine: Engine): Opening {
  /** By trace. */
  const cancels = new Map<number, () => void>()
  const searches = new Set<AbortController>()
  const ids = { next: 1 }

  const update = (change: (page: Page) => Page) => store.setState(page => settled(change(page)), true)
  const find = (id: string) => store.getState().runs.find(r => r.id === id)
  const change = (id: string, by: Partial<Run> | ((run: Run) => Partial<Run>)) =>
    update(page => {
      const run = page.runs.find(r => r.id === id)
      return run ? { ...page, runs: changed(page.runs, id, typeof by === 'function' ? by(run) : by) } : page
    })
  const changeTrace = (trace: number, by: (run: Run) => Partial<Run>) =>
    update(page => ({ ...page, runs: page.runs.map(r => (r.trace === trace ? { ...r, ...by(r) } : r)) }))
  const ofTrace = (trace: number) => store.getState().runs.filter(r => r.trace === trace)
  const cancel = (trace: number) => {
    cancels.get(trace)?.()
    cancels.delete(trace)
  }

  function resummarise(id: string) {
    const run = find(id)
    if (run?.status.kind !== 'ready') return
    const { geometry } = run
    run.client.query('summary', geometry ? { geometry } : {}, 'summary').then(
      summary => {
        if (find(id)?.geometry === geometry) change(id, { summary })
      },
      (reason: unknown) => {
        if (reason instanceof DOMException && reason.name === 'AbortError') return
        if (find(id)) change(id, { status: { kind: 'failed', error: asEngineError(reason) } })
      },
    )
  }

  function failed(trace: number, error: EngineError) {
    cancel(trace)
    update(page => {
      const run = page.runs.find(r => r.trace === trace)
      if (!run) return page
      const runs = page.runs.map(r => (r.trace === trace ? { ...r, status: { kind: 'failed' as const, error } } : r))
      const errors = runs.flatMap(r => (r.status.kind === 'failed' ? r.status.error : []))
      if (errors.length === runs.length) {
        const title = runs.length === 1 ? `${run.label} could not be read` : 'None of the traces could be read'
        return { ...EMPTY_PAGE, dialog: { kind: 'errors', title, errors } }
      }
      return { ...page, runs, dialog: { kind: 'errors', title: `${run.label} could not be read`, errors: [error], run: run.id } }
    })
  }

  function start({ name, label, parts, told, dropped }: Described, geometry: Geometry | undefined) {
    const trace = ids.next++
    const id = `run-${trace}`
    const events: OpenEvents = {
      progress: progress => changeTrace(trace, () => ({ status: { kind: 'reading', progress } })),
      partial: info => changeTrace(trace, run => withInfo(run, info)),
      ready: info => {
        changeTrace(trace, run => ({ ...withInfo(run, info), status: { kind: 'ready' } }))
        if (info.quality.truncatedBytes > 0) update(page => (page.dialog ? page : { ...page, dialog: { kind: 'quality', run: id } }))
        for (const run of ofTrace(trace)) resummarise(run.id)
      },
      failed: error => failed(trace, error),
    }
    const reading = engine.openTrace(name, label, parts, events, dropped, told?.kernel)
    cancels.set(trace, reading.cancel)
    const run: Run = {
      id,
      trace,
      letter: 'A',
      label,
      baseline: false,
      hidden: false,
      status: { kind: 'reading', progress: { ...NO_PROGRESS, totalBytes: parts.reduce((sum, p) => sum + p.blob.size, 0) } },
      client: reading.client,
      device: 0,
      ...told,
      ...(geometry && { geometry }),
    }
    update(page => ({ ...page, runs: placed([...page.runs, run]) }))
  }

  /** Texts that came without a trace are about the runs that are open. Answers their files' indices. */
  function addNotes(grouping: Grouping): readonly number[] {
    const { runs } = store.getState()
    const notes = notesOf(grouping)
    if (runs.length === 0 || notes.length === 0) return []
    const kernels = new Set(notes.flatMap(n => n.kernel ?? []))
    const kernel = runs.length === 1 && kernels.size === 1 ? [...kernels][0] : undefined
    for (const { id } of runs)
      change(id, run => {
        const { deviceNames, ...told } = toldBy([...notes, ...(run.notes ?? [])], run.kernel ?? kernel)
        const facts = runs.length === 1 && grouping.alone ? withFacts(run, factsOf('', grouping.alone)) : {}
        return { ...told, ...facts, ...(deviceNames && { deviceNames: { ...deviceNames, ...run.deviceNames } }) }
      })
    update(page => ({ ...page, dialog: { kind: 'notes', run: runs[0]?.id ?? '' } }))
    return grouping.notes.map(n => n.index)
  }

  /** Says what of a drop was not opened: in a dialog when nothing was, else quietly beside the runs. */
  function report(notRead: readonly NotRead[], texts: readonly FoundFile[], opened: number, dropped: number) {
    const errors = notRead.flatMap(n => n.error ?? [])
    const nothing: EngineError = {
      code: 'no-trace',
      message: dropped === 0 ? 'There were no files in it.' : 'None of the files is a trace.',
      remedy:
        'Drop the per-CPU files that blktrace writes (sda.blktrace.0, sda.blktrace.1, …), their folder, a dump made by blkparse -d, or what blkparse, ftrace, trace-cmd or perf recorded.',
    }
    update(page => ({
      ...page,
      sorting: false,
      notRead: [...page.notRead, ...(opened > 0 || page.runs.length > 0 ? notRead : [])],
      ...(opened === 0 && {
        dialog: {
          kind: 'errors' as const,
          title: errors.length === 1 && errors[0]?.at ? `${errors[0].at.file} could not be opened` : 'Nothing could be opened',
          errors: errors.length > 0 ? errors : [nothing],
          ...(texts.length > 0 && { texts }),
        },
      }),
    }))
  }

  async function open(dropped: readonly FoundFile[]) {
    const search = new AbortController()
    searches.add(search)
    update(page => ({ ...page, sorting: true }))
    try {
      const unpacking = (unpacking: Unpacking) => update(page => ({ ...page, unpacking }))
      const grouping = await engine.groupParts(dropped, unpacking, search.signal)
      const { files, problems, traces, rejected, unread } = grouping
      update(page => put(page, 'unpacking', undefined))
      const added = traces.length === 0 ? addNotes(grouping) : []
      const room = LETTERS.length - store.getState().runs.length
      const before = store.getState().runs.length
      for (const [i, { name, label, parts: own, kernel, dropped, ...facts }] of traces.slice(0, room).entries()) {
        const parts = own.flatMap(i => files[i] ?? []).map(({ name, blob, pattern }) => ({ name, blob, ...(pattern !== undefined && { pattern }) }))
        const told = { ...toldBy(notesOf(grouping, i), kernel), ...factsOf(files[own[0] ?? 0]?.path ?? '', facts) }
        start({ name, label, parts, told, ...(dropped && { dropped }) }, store.getState().geometry)
      }
      const opened = store.getState().runs.length - before
      if (opened > 0) update(page => put(page, 'sample', undefined))
      const overfull = traces.slice(room).map(t => ({
        path: t.name,
        error: { code: 'too-many-runs', message: `${t.name} was left out: ${LETTERS.length} runs are the most that can be compared.` },
      }))
      const notRead = [
        ...problems.map(error => ({ path: error.at?.file ?? '', error })),
        ...rejected.flatMap(({ index, error }) => (files[index] && !added.includes(index) ? [{ path: files[index].path, error }] : [])),
        ...unread.flatMap(i => (files[i] ? [{ path: files[i].path }] : [])),
        ...overfull,
      ]
      const texts = rejected.filter(({ error }) => FORMAT_WANTED.includes(error.code)).flatMap(({ index }) => files[index] ?? [])
      report(notRead, texts, opened + added.length, dropped.length)
    } catch (reason) {
      update(page => ({ ...put(page, 'unpacking', undefined), sorting: false }))
      if (search.signal.aborted) return
      const dialog = { kind: 'errors' as const, title: 'Nothing could be opened', errors: [asEngineError(reason)] }
      update(page => ({ ...page, dialog }))
    } finally {
      searches.delete(search)
    }
  }

  function stop() {
    for (const search of searches) search.abort()
  }

  function removeAll() {
    for (const cancel of cancels.values()) cancel()
    cancels.clear()
    store.setState(EMPTY_PAGE, true)
  }

  async function openSample(sample: Sample) {
    update(page => ({ ...page, sorting: true }))
    try {
      const fetched = await Promise.all(sample.runs.map(run => fetchRun(run)))
      const { trail, view } = store.getState().runs.length === 0 ? store.getState() : EMPTY_PAGE
      const geometry = store.getState().runs.length === 0 ? (store.getState().geometry ?? sample.geometry) : sample.geometry
      removeAll()
      update(page => ({ ...page, title: sample.title, sample: sample.id, trail, view, ...(geometry && { geometry }) }))
      sample.runs.forEach((run, i) => {
        start({ name: run.folder, label: run.label, parts: fetched[i] ?? [], told: { kernel: run.kernel, deviceNames: run.deviceNames } }, geometry)
      })
    } catch (reason) {
      const error = {
        ...asEngineError(reason, 'sample-missing'),
        remedy: 'Copy the folder samples/ to where the page lies, or drop traces of your own.',
      }
      update(page => ({ ...page, sorting: false, dialog: { kind: 'errors', title: 'The sample could not be fetched', errors: [error] } }))
    }
  }

  function remove(id: string) {
    const trace = find(id)?.trace
    if (trace !== undefined && ofTrace(trace).length === 1) cancel(trace)
    const others = without(store.getState().runs, id)
    if (others.every(run => run.status.kind === 'failed')) return removeAll()
    update(page => {
      const rest = { ...put(page, 'sample', undefined), runs: others }
      return page.view.selected?.run === id ? { ...rest, view: put(page.view, 'selected', undefined) } : rest
    })
  }

  return { open, openSample, stop, remove, removeAll, resummarise }
}
