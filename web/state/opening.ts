/** From found files to runs: sorted into traces, each read by its own worker, told about as it grows. */
import type { OpenEvents } from '../engine/client'
import { asEngineError } from '../engine/errors'
import type {
  Dropped,
  EngineError,
  Geometry,
  Grouping,
  Layer,
  Part,
  RunFacts,
  Shot,
  SnapshotHead,
  TraceClient,
  TraceInfo,
  Unpacking,
} from '../engine/protocol'
import type { FoundFile } from '../ingest/found'
import { fetchRun, type Sample } from '../ingest/samples'
import { snapshotOf } from './carried'
import { problemOf } from './linkFields'
import { EMPTY_PAGE, type Engine, type NotRead, type Page, type PageStore, put, settled } from './page'
import { changed, LETTERS, placed, without } from './runs'
import { lotsOf, type Reference, sourcesOf } from './sources'
import { ownChannels } from './split'
import type { Run, RunNote } from './types'

const NO_PROGRESS = { bytes: 0, totalBytes: 0, events: 0, elapsedMs: 0 }

/** Codes of text that may open when its format string is given. */
const FORMAT_WANTED = ['text-not-understood', 'bad-format-string']

const CHANGED = 'is not the file that the link was made of: figures, times and runs may differ.'

/** Reads traces into the store and can stop doing so. */
export interface Opening {
  /** Adds every trace in the files to the page. */
  open(files: readonly FoundFile[]): Promise<void>
  /** Adds the runs of a link, fetched in its order; some of them may be missing. */
  openReference(reference: Reference, fetched: readonly (FoundFile | undefined)[]): Promise<void>
  /** Replaces the page's runs by what a link or a report carries, but for `gone` of them: number, from 1. */
  openSnapshot(text: string, how?: { readonly gone?: readonly number[]; readonly inFile?: true }): Promise<void>
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
  const ids = { next: 1, batch: 1 }

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
        return { ...EMPTY_PAGE, linkProblems: page.linkProblems, dialog: { kind: 'errors', title, errors } }
      }
      return { ...page, runs, dialog: { kind: 'errors', title: `${run.label} could not be read`, errors: [error], run: run.id } }
    })
  }

  /** A trace takes the place of its snapshot. */
  function attach(trace: number, info: TraceInfo, client: TraceClient) {
    const shot = snapshotOf(store.getState().runs, info)
    if (shot === undefined) return
    cancel(shot)
    const read = store.getState().runs.find(r => r.trace === trace)
    const attached = (run: Run, i: number): Run => {
      const { held: _, summary: __, ...rest } = run
      return { ...rest, trace, client: i === 0 ? client : ownChannels(client, run.id), ...(read?.notes && { notes: read.notes }) }
    }
    update(page => {
      const of = page.runs.filter(r => r.trace === shot)
      const runs = page.runs.flatMap(r => (r.trace === trace ? [] : r.trace === shot ? [attached(r, of.indexOf(r))] : [r]))
      return { ...page, runs: placed(runs) }
    })
  }

  /** Answers the number of the trace. */
  function start({ name, label, parts, told, dropped }: Described, geometry: Geometry | undefined): number {
    const trace = ids.next++
    const id = `run-${trace}`
    const events: OpenEvents = {
      progress: progress => changeTrace(trace, () => ({ status: { kind: 'reading', progress } })),
      partial: info => changeTrace(trace, run => withInfo(run, info)),
      ready: info => {
        attach(trace, info, reading.client)
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
    return trace
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
      const used: { path: string; trace?: number }[] = [...grouping.notes.map(n => n.index), ...added].flatMap(i => files[i] ?? [])
      for (const [i, { name, label, parts: own, kernel, dropped, ...facts }] of traces.slice(0, room).entries()) {
        const parts = own.flatMap(i => files[i] ?? []).map(({ name, blob, pattern }) => ({ name, blob, ...(pattern !== undefined && { pattern }) }))
        const told = { ...toldBy(notesOf(grouping, i), kernel), ...factsOf(files[own[0] ?? 0]?.path ?? '', facts) }
        const trace = start({ name, label, parts, told, ...(dropped && { dropped }) }, store.getState().geometry)
        used.push(...own.flatMap(part => (files[part] ? [{ path: files[part].path, trace }] : [])))
      }
      const opened = store.getState().runs.length - before
      const sources = traces.length === 0 && added.length === 0 ? [] : sourcesOf(dropped, used, ids.batch++)
      update(page => ({ ...(opened > 0 ? put(page, 'sample', undefined) : page), sources: [...page.sources, ...sources] }))
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

  async function openReference({ urls, opened, gone }: Reference, fetched: readonly (FoundFile | undefined)[]) {
    const changed = urls.flatMap(({ url, sha }, i) => {
      const [name, found] = [fetched[i]?.name, fetched[i]?.source?.sha]
      if (sha === undefined || name === undefined || found === sha) return []
      const why = found === undefined ? 'could not be compared with the file that the link was made of.' : CHANGED
      return [problemOf('sha', url, `${name} ${why}`)]
    })
    update(page => ({ ...page, opening: true, linkProblems: [...page.linkProblems, ...changed] }))
    for (const lot of lotsOf(fetched, opened)) {
      const files = lot.flatMap(file => file ?? [])
      if (files.length > 0) await open(files)
    }
    if (fetched.every(file => file !== undefined)) {
      const traces = [...new Set(store.getState().runs.map(run => run.trace))].sort((a, b) => a - b)
      for (const run of store.getState().runs) if (gone?.includes(traces.indexOf(run.trace) + 1)) remove(run.id)
    }
    update(page => put(page, 'opening', undefined))
  }

  async function openSnapshot(text: string, { gone = [], inFile }: { readonly gone?: readonly number[]; readonly inFile?: true } = {}) {
    update(page => ({ ...page, sorting: true, opening: true }))
    try {
      const { snapshot, problems } = await engine.openSnapshot(text)
      // What the link says of the view is there before its runs are.
      const { trail, view, linkProblems, finding, title, geometry } = store.getState()
      removeAll()
      const kept = { trail, view, ...(finding !== undefined && { finding }), ...(title !== undefined && { title }), ...(geometry && { geometry }) }
      const { head, document, traces } = snapshot
      const missing = problems.map(what => problemOf('s', '', `It is damaged: ${what} could not be read.`))
      update(page => ({
        ...page,
        ...kept,
        opening: true,
        linkProblems: [...linkProblems, ...missing],
        snapshot: { text, ...(inFile && { inFile }), size: head.size, traces: traces.length, ...(document && { document }) },
      }))
      for (const [i, shot] of traces.entries()) {
        if (shot !== null && !gone.includes(i + 1)) startShot(shot, i, head.runs[i] ?? { label: `Run ${i + 1}` }, geometry)
      }
    } catch (reason) {
      const errors = [asEngineError(reason)]
      update(page => ({ ...page, dialog: { kind: 'errors', title: 'The link could not be opened', errors } }))
    }
    update(page => ({ ...put(page, 'opening', undefined), sorting: false }))
  }

  function startShot(shot: Shot, index: number, known: SnapshotHead['runs'][number], geometry: Geometry | undefined) {
    const trace = ids.next++
    const nothing = () => undefined
    const ready = () => {
      for (const run of ofTrace(trace)) resummarise(run.id)
    }
    const opened = engine.openShot(shot, { progress: nothing, partial: nothing, ready, failed: error => failed(trace, error) })
    cancels.set(trace, opened.cancel)
    const first = shot.pictures[0]?.filter.device
    const run: Run = {
      ...known,
      id: `run-${trace}`,
      trace,
      shot: index,
      held: { ...shot.detail, layers: Object.keys(shot.pictures[0]?.map.layers ?? {}) as Layer[] },
      letter: 'A',
      baseline: false,
      hidden: false,
      status: { kind: 'ready' },
      client: opened.client,
      info: { ...shot.info, label: known.label },
      device: shot.info.devices.find(d => d.index === first)?.index ?? shot.info.devices[0]?.index ?? 0,
      ...(geometry && { geometry }),
    }
    update(page => ({ ...page, runs: placed([...page.runs, run]) }))
  }

  async function openSample(sample: Sample) {
    update(page => ({ ...page, sorting: true }))
    try {
      const fetched = await Promise.all(sample.runs.map(run => fetchRun(run)))
      // What a link says is there before its runs are.
      const { trail, view, linkProblems, finding, ...said } = store.getState().runs.length === 0 ? store.getState() : EMPTY_PAGE
      const { geometry = sample.geometry, title = sample.title } = said
      removeAll()
      const kept = { trail, view, linkProblems, title, ...(finding !== undefined && { finding }), ...(geometry && { geometry }) }
      update(page => ({ ...page, ...kept, sample: sample.id }))
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

  return { open, openReference, openSnapshot, openSample, stop, remove, removeAll, resummarise }
}
