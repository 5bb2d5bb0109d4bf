/**
 * The actions of the page. Charts, the rail, the keyboard and tests call these and change the store in no other way.
 */
import type { Geometry, Range, TextChoices, TimeWindow } from '../engine/protocol'
import type { FoundFile } from '../ingest/found'
import type { Sample } from '../ingest/samples'
import { type Ns, ns } from '../lib/units'
import type { LinkProblem } from '../link/fields'
import type { TraceSum } from '../link/view'
import { shifted } from './align'
import { type AnnotationDraft, added, edited, placeOf, rangeAround } from './annotations'
import { currentComparison } from './comparing'
import { evidenceRanges, withEvidence, withoutEvidence, withoutMark, withoutOldEvidence } from './evidence'
import { extentOf, NOTHING_HIDDEN } from './filter'
import { inGroups, type RunGroup } from './grouping'
import { type HiddenFacet, type HiddenValue, withHidden } from './hidden'
import { type LabelTable, NO_LABELS } from './labels'
import { type Dialog, type Page, type PageFleet, type PageStore, put, settled, withChoice } from './page'
import { clampRange, isWhole, panRange, zoomRange } from './range'
import { changed, LETTERS, moved, toggled, withBaseline, withCompared } from './runs'
import type { Reference } from './sources'
import { joined, split } from './split'
import { withEnd } from './stream'
import { go, push, replace, type Trail } from './trail'
import type { Actions, Annotation, Run, View } from './types'

/** Opens traces into the store and closes them; `web/opening` implements it. */
export interface Opening {
  /** Adds every trace in the files to the page. Returns their numbers. */
  open(files: readonly FoundFile[]): Promise<readonly number[]>
  /** Adds the runs of a link. `fetched` has one entry per URL; `undefined` where it could not be fetched. */
  openReference(reference: Reference, fetched: readonly (FoundFile | undefined)[]): Promise<void>
  /** Replaces the runs by those of a snapshot, except the traces in `gone`: numbers from 1. */
  openSnapshot(
    text: string,
    options?: { readonly gone?: readonly number[]; readonly sums?: readonly TraceSum[]; readonly inFile?: true },
  ): Promise<void>
  /** SHA-256 of each open trace whose files are here, by its number. */
  checksums(): Promise<ReadonlyMap<number, string>>
  /** Replaces the runs by those of a sample. */
  openSample(sample: Sample): Promise<void>
  /** The mail among the samples. */
  openSampleMail(): Promise<void>
  /** Offers to read another part of a run; its dialog shows the recording over time. */
  choosePart(id: string): Promise<void>
  /** Reads this part of a trace, in place of what is open of it; absent: all. */
  openPart(trace: number, window: TimeWindow | undefined): void
  /** Ends the choice without reading: a trace that waits for it stays closed, an open one stays as it is. */
  skipPart(trace: number): void
  /** Compares rows of the fleet, the first as the baseline. */
  compareRows(rows: readonly number[]): Promise<void>
  /** Follows a stream that is being written; its URL must be of the page's host. */
  openStream(url: string): void
  /** Reads the texts of results again, as the user chose. `before` replaces the choices to which undo leads. */
  readAs(choices: TextChoices, before?: readonly TextChoices[]): Promise<void>
  /** Reads them as before the last change. */
  undoReading(): Promise<void>
  /** Ends a stream: what has come of it is its run. */
  stopStream(id: string): void
  /** Ends the search for traces among dropped files; none of them is opened. */
  stop(): void
  /** Removes a run, also one that is still being read. */
  remove(id: string): void
  removeAll(): void
  /** Queries all figures of a run again, as after a change of geometry. */
  resummarise(id: string): void
}

/** All actions of the page: those of the charts, of opening, and the rest. */
export interface PageActions extends Actions, Opening {
  /** Changes how the fleet is shown. */
  setFleet(change: (fleet: PageFleet) => PageFleet): void
  /** Asks for files or a folder and opens them. */
  pickFiles(what: 'files' | 'folder'): void
  forward(): void
  /** Shows the end of the stream as it comes, or stays where it is. */
  follow(on: boolean): void
  /** Around the time cursor, else the middle. Below 1 zooms in. */
  zoom(factor: number): void
  /** In widths of the view. */
  pan(by: number): void
  rename(id: string, label: string): void
  move(id: string, to: number): void
  setBaseline(id: string): void
  toggle(id: string): void
  /** The run, or its group, that is compared with the baseline. */
  compare(id: string): void
  /** Shows the finding `by` ranks further down the list. */
  nextFinding(by: number): void
  showFinding(rank: number): void
  /** Shows the chart and time range of the current finding; again: the next interval, or `by` intervals further. */
  showEvidence(by?: number): void
  /** Shows the range from which the evidence was opened. */
  leaveEvidence(): void
  /** Groups the runs in exactly this way. */
  group(groups: readonly RunGroup[]): void
  /** Groups repeats as recognised by their names, or undoes that. */
  groupByName(on: boolean): void
  /** Splits a run into one run per device, to compare them. */
  split(id: string): void
  /** Joins the devices of its trace into one run again. */
  join(id: string): void
  /** The device of this name in every run that has one; `dev` where names differ. */
  setDevice(id: string, index: number): void
  /** For all runs, or for one. `undefined`: no stripes. */
  setGeometry(geometry: Geometry | undefined, id?: string): void
  hide<F extends HiddenFacet>(facet: F, value: HiddenValue<F>, hide: boolean): void
  setLatency(latency: readonly [Ns, Ns] | undefined): void
  setLayout(layout: View['layout']): void
  /** Changes how the matrix is laid out. */
  setMatrix(matrix: NonNullable<View['matrix']>): void
  /** Lays the matrix out anew. */
  layOut(matrix: NonNullable<View['matrix']>): void
  /** Changes the label table. */
  label(change: (table: LabelTable) => LabelTable): void
  /** Discards all edits of the label table and guesses it again. */
  guessLabels(): void
  /** Shows only these runs, side by side, the first one as the baseline. */
  lookAt(runs: readonly string[]): void
  /** Absent: by the first event. */
  setAlign(align: View['align']): void
  /** By hand: ns by run, of which only differences count; who is not named stays. */
  shift(to: Readonly<Record<string, number>>): void
  setTitle(title: string): void
  /** The run whose events are listed where only one list fits. */
  listEvents(run: string): void
  /** The filter line as typed, valid or not. */
  setEventFilter(line: string): void
  /** Adds problems of the link to those that are shown. */
  tellLink(problems: readonly LinkProblem[]): void
  dismissLink(): void
  /** Confirms the files of another page's message: they open on this page, or a new tab asks again. */
  consent(id: string, where: 'here' | 'tab'): void
  /** Adds an annotation, or with `id` changes it. */
  saveAnnotation(draft: AnnotationDraft, id?: number): void
  deleteAnnotation(id: number): void
  /** As before a deletion. */
  restoreAnnotations(list: readonly Annotation[]): void
  /** Shows the time of an annotation. */
  goToAnnotation(id: number): void
  show(dialog: Dialog): void
  close(): void
}

/** Layouts with charts. */
const CHARTS: readonly View['layout'][] = ['columns', 'overlay']

/** `pick` shows the browser's file dialog; a parameter, so that tests run without one. */
export function createActions(
  store: PageStore,
  opening: Opening,
  pick: (what: 'files' | 'folder') => Promise<Parameters<Opening['open']>[0]>,
): PageActions {
  const update = (change: (page: Page) => Page) =>
    store.setState(page => settled(withoutOldEvidence(change(page))), true)
  const view = (change: (view: View) => View) => update(page => ({ ...page, view: change(page.view) }))
  /** Changes the runs, and drops the LBA range and the selection, which belong to one of the old ones. */
  const row = (change: (runs: readonly Run[]) => readonly Run[]) =>
    update(page => ({
      ...page,
      runs: change(page.runs),
      view: put(put(page.view, 'lba', undefined), 'selected', undefined),
    }))
  const trail = (change: (trail: Trail, page: Page) => Trail) =>
    update(page =>
      put(
        { ...page, trail: change(page.trail, page), view: put(page.view, 'preview', undefined) },
        'following',
        undefined,
      ),
    )

  /** The range clamped to the extent. The complete extent is `undefined`, so that it grows with the runs. */
  const within = (range: Range, page: Page): Range | undefined => {
    const whole = extentOf(page.runs)
    const clamped = clampRange(range, whole)
    return isWhole(clamped, whole) ? undefined : clamped
  }
  const look = (range: Range) => trail((t, page) => replace(t, within(range, page)))

  const pickFiles = (what: 'files' | 'folder') => {
    void pick(what).then(files => (files.length > 0 ? opening.open(files) : undefined))
  }

  const showFinding = (rank: number) => update(page => put(withoutMark({ ...page, finding: rank }), 'named', undefined))

  return {
    ...opening,
    pickFiles,
    openFiles: () => pickFiles('files'),
    preview: range => view(v => put(v, 'preview', range)),
    commit: given =>
      trail((t, page) => {
        const range = given ?? page.view.preview
        return range ? push(t, within(range, page)) : t
      }),
    look,
    lookLba: lba => view(v => put(v, 'lba', lba)),
    back: () => {
      const { trail: t, view: v } = store.getState()
      if (v.preview) view(w => put(w, 'preview', undefined))
      else if (t.at > 0) trail(u => go(u, -1))
      else trail(u => replace(u, undefined))
    },
    forward: () => trail(t => go(t, 1)),
    follow: on => update(page => (on ? withEnd({ ...page, following: true }) : put(page, 'following', undefined))),
    whole: () => trail(t => push(t, undefined)),
    zoom: factor => {
      const { runs, view: v } = store.getState()
      const middle = (v.range.t0 + v.range.t1) / 2
      const at = v.cursor !== undefined && v.cursor >= v.range.t0 && v.cursor <= v.range.t1 ? v.cursor : ns(middle)
      look(zoomRange(v.range, factor, at, extentOf(runs)))
    },
    pan: by => {
      const { runs, view: v } = store.getState()
      look(panRange(v.range, by, extentOf(runs)))
    },
    cursor: at => {
      if (store.getState().view.cursor !== at) view(v => put(v, 'cursor', at))
    },
    select: (run, row) =>
      view(v => put(v, 'selected', run !== undefined && row !== undefined ? { run, row } : undefined)),
    showEvents: at => view(v => put({ ...put(v, 'selected', undefined), layout: 'events' }, 'cursor', at ?? v.cursor)),
    setEventFilter: line => view(v => put(v, 'eventFilter', line.trim() === '' ? undefined : line)),
    setLayer: layer => view(v => ({ ...v, layer })),
    setStage: stage => view(v => ({ ...v, stage })),
    setTrueScale: trueScale => view(v => ({ ...v, trueScale })),
    setSizesAt: at => view(v => put(v, 'sizesAt', at === 'issued' ? undefined : at)),
    setBars: bars => view(v => put(v, 'bars', bars)),
    setRate: rate => view(v => put(v, 'rate', rate)),
    listEvents: run => view(v => put(v, 'listed', run)),
    playBack: () => update(page => ({ ...page, dialog: { kind: 'play' } })),
    editGeometry: () => update(page => ({ ...page, dialog: { kind: 'geometry' } })),
    rename: (id, label) =>
      update(page => (label.trim() === '' ? page : { ...page, runs: changed(page.runs, id, { label: label.trim() }) })),
    move: (id, to) => update(page => ({ ...page, runs: moved(page.runs, id, to) })),
    setBaseline: id => update(page => ({ ...page, runs: withBaseline(page.runs, id) })),
    toggle: id => update(page => ({ ...page, runs: toggled(page.runs, id) })),
    compare: id =>
      update(page => withoutMark(put({ ...page, runs: withCompared(page.runs, id) }, 'finding', undefined))),
    showFinding,
    nextFinding: by => {
      const told = currentComparison(store.getState())
      const { findings = [] } = told?.comparison ?? {}
      const next = told?.finding && findings[findings.indexOf(told.finding) + by]
      if (next) showFinding(next.rank)
    },
    showEvidence: (by = 1) =>
      update(page => {
        const finding = currentComparison(page)?.finding
        const { comparison } = page
        if (!finding || !comparison) return page
        const { chart, run } = finding.evidence
        const id = comparison.runs[run]
        if (chart === 'quality') return id === undefined ? page : { ...page, dialog: { kind: 'quality', run: id } }
        const count = Math.max(1, evidenceRanges(finding).length)
        const interval = page.evidence ? (page.evidence.interval + by + count) % count : 0
        return withEvidence(page, finding, interval, comparison)
      }),
    leaveEvidence: () => update(withoutEvidence),
    group: groups => update(page => ({ ...page, runs: inGroups(page.runs, groups), grouping: 'chosen' })),
    groupByName: on =>
      update(page =>
        on ? { ...page, grouping: 'name' } : { ...page, runs: inGroups(page.runs, []), grouping: 'none' },
      ),
    split: id => row(runs => split(runs, id, LETTERS.length - runs.length)),
    join: id =>
      row(runs => {
        const trace = runs.find(r => r.id === id)?.trace
        return trace === undefined ? runs : joined(runs, trace)
      }),
    setDevice: (id, index) =>
      update(page => {
        const name = page.runs.find(r => r.id === id)?.info?.devices.find(d => d.index === index)?.name
        const runs = page.runs.map(run => {
          if (run.alone) return run
          const device = run.id === id ? index : (run.info?.devices.find(d => d.name === name)?.index ?? run.device)
          return device === run.device ? run : { ...run, device }
        })
        return { ...page, runs, view: put(put(page.view, 'lba', undefined), 'selected', undefined) }
      }),
    setGeometry: (geometry, id) => {
      update(page => ({
        ...(id === undefined ? put(page, 'geometry', geometry) : page),
        runs: page.runs.map(run => (id === undefined || run.id === id ? put(run, 'geometry', geometry) : run)),
      }))
      for (const run of store.getState().runs) if (id === undefined || run.id === id) opening.resummarise(run.id)
    },
    hide: (facet, value, hide) => view(v => ({ ...v, hidden: withHidden(v.hidden, facet, value, hide) })),
    setLatency: latency => view(v => put(v, 'latency', latency)),
    clearFilters: () => view(v => put({ ...v, hidden: NOTHING_HIDDEN }, 'latency', undefined)),
    setLayout: layout =>
      update(page => (page.view.layout === layout ? page : withoutMark({ ...page, view: { ...page.view, layout } }))),
    setMatrix: matrix => view(v => ({ ...v, matrix: { ...v.matrix, ...matrix } })),
    layOut: matrix => view(v => put(v, 'matrix', Object.keys(matrix).length > 0 ? matrix : undefined)),
    label: change => update(page => ({ ...page, labels: change(page.labels) })),
    guessLabels: () => update(page => ({ ...page, labels: NO_LABELS })),
    lookAt: ids =>
      update(page => {
        const first = ids[0]
        if (first === undefined) return page
        const runs = withBaseline(page.runs, first).map(run => ({ ...run, hidden: !ids.includes(run.id) }))
        return { ...page, runs, view: { ...put(page.view, 'selected', undefined), layout: 'columns' } }
      }),
    setFleet: change => update(page => (page.fleet ? { ...page, fleet: change(page.fleet) } : page)),
    setAlign: align => update(page => withoutMark({ ...page, view: put(page.view, 'align', align) })),
    shift: to =>
      update(page => withoutMark({ ...page, runs: shifted(page.runs, to), view: { ...page.view, align: 'hand' } })),
    setTitle: title => update(page => put(page, 'title', title.trim() === '' ? undefined : title.trim())),
    tellLink: problems => update(page => ({ ...page, linkProblems: [...page.linkProblems, ...problems] })),
    dismissLink: () => update(page => ({ ...page, linkProblems: [] })),
    consent: (id, where) => update(page => put({ ...page, consent: { id, where } }, 'dialog', undefined)),
    point: place => update(page => ({ ...page, place })),
    annotate: place => update(page => ({ ...page, dialog: { kind: 'annotation', place: place ?? placeOf(page) } })),
    listAnnotation: annotation => update(page => ({ ...page, listed: { annotation } })),
    saveAnnotation: (draft, id) =>
      update(page => ({
        ...page,
        annotations: id === undefined ? added(page.annotations, draft) : edited(page.annotations, id, draft),
      })),
    deleteAnnotation: id =>
      update(page => ({ ...page, annotations: page.annotations.filter(annotation => annotation.id !== id) })),
    restoreAnnotations: list => update(page => ({ ...page, annotations: list })),
    goToAnnotation: id =>
      update(page => {
        const annotation = page.annotations.find(one => one.id === id)
        const run = page.runs.find(one => one.id === annotation?.run)
        if (!annotation || !run) return page
        const range = rangeAround(annotation, run, page.view.range)
        const seen = CHARTS.includes(page.view.layout)
          ? page
          : { ...page, view: { ...page.view, layout: 'columns' as const } }
        const moved = range ? { ...seen, trail: push(seen.trail, within(range, seen)) } : seen
        const cursor = ns(annotation.at + (run.shift ?? 0))
        return {
          ...withoutMark(moved),
          view: { ...put(moved.view, 'preview', undefined), cursor },
          sight: { chart: 'seek-map' },
        }
      }),
    show: dialog => update(page => ({ ...page, dialog })),
    close: () => update(page => withChoice(put(page, 'dialog', undefined))),
  }
}
