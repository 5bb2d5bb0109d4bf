/** All state of the page in one store: the runs, one view on them, and the open dialog. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  CompareDocument,
  DroppedFile,
  EngineError,
  EvidenceChart,
  Geometry,
  PrintedBisection,
  Range,
  ResultsClient,
  ResultsDocument,
  ResultsReading,
  SnapshotSize,
  TextChoices,
  TimeWindow,
  TraceEstimate,
  UnpackProgress,
} from '../engine/protocol'
import type { FleetClient } from '../fleet/client'
import type { FleetView } from '../fleet/rows/view'
import type { FoundFile } from '../ingest/found'
import type { LinkProblem } from '../link/fields'
import type { TraceUrl } from '../link/urls'
import { extentOf, NOTHING_HIDDEN } from './filter'
import { alignRuns } from './runs/align'
import { type LabelTable, NO_LABELS } from './runs/labels'
import type { FetchedFile, Reference } from './runs/sources'
import { current, START, type Trail } from './trail'
import type { Annotation, AnnotationPlace, ComparedRuns, EvidenceWindows, RangedFigures, Run, View } from './types'

/** The snapshot from which the page was opened. */
interface PageSnapshot {
  /** The snapshot as in the URL. `inFile`: it is embedded in this page, which is a report. */
  readonly text: string
  readonly inFile?: true
  readonly size: SnapshotSize
  readonly traces: number
  /** Checksums that the sender gives of its traces, by index; absent where the link has none. */
  readonly sums?: readonly (string | undefined)[]
  /** The comparison of the runs as they were arranged. */
  readonly document?: CompareDocument
}

/** A file that was skipped, with the reason if there is one. */
export interface NotRead {
  readonly path: string
  readonly error?: EngineError
  /** An archive that was read up to its damage: runs that are shown come from it. */
  readonly partly?: true
}

/** A trace of which a part can be chosen: it does not fit into memory, or it is open and another part is wanted. */
export interface PartChoice {
  readonly trace: number
  readonly label: string
  readonly files: readonly { readonly name: string; readonly size: number }[]
  /** What the command line calls them. */
  readonly inputs: readonly string[]
  /** Estimate for the complete trace; absent until the files were sampled. */
  readonly estimate?: TraceEstimate
  /** The part that is open, or was requested. */
  readonly window?: TimeWindow
  /** The run that shows it. */
  readonly run?: string
}

/** The open dialog. */
export type Dialog =
  | { readonly kind: 'shortcuts' }
  /** Finds commands, runs, findings, figures, processes and terms by their names. */
  | { readonly kind: 'find' }
  | { readonly kind: 'geometry' }
  /** Plays back the visible runs. */
  | { readonly kind: 'play' }
  /**
   * Nothing of what was dropped could be opened, or one trace failed: then `run` is the one that can be removed.
   * `texts` may be opened again, with their format; `again` are all files, where the engine was missing.
   */
  | {
      readonly kind: 'errors'
      readonly title: string
      readonly errors: readonly EngineError[]
      readonly run?: string
      readonly texts?: readonly DroppedFile[]
      readonly again?: readonly DroppedFile[]
    }
  /** What is missing from a run that was read. */
  | { readonly kind: 'quality'; readonly run: string }
  | { readonly kind: 'not-read' }
  /** Asks for addresses to fetch from; `text` is what was pasted. */
  | { readonly kind: 'addresses'; readonly text?: string }
  /** A field for text, where the clipboard cannot be read. */
  | { readonly kind: 'paste' }
  /** Asks before the traces of a link are fetched. */
  | { readonly kind: 'reference'; readonly reference: Reference }
  /**
   * Asks before files of another page are opened; `id` is its message's, `replaces` counts the runs that would go,
   * those of results too.
   */
  | {
      readonly kind: 'sender'
      readonly id: string
      readonly origin: string
      readonly names: readonly string[]
      readonly bytes: number
      readonly replaces: number
    }
  /** Makes a link or a file of the page. */
  | { readonly kind: 'share' }
  /** Adds an annotation at a place, or changes one. */
  | { readonly kind: 'annotation'; readonly place: AnnotationPlace; readonly id?: number }
  /** Asks before the browser asks for these dropped files and folders again. */
  | { readonly kind: 'restore'; readonly names: readonly string[] }
  /** Lists problems of the link. */
  | { readonly kind: 'link-problems' }
  /** The notes of a run. */
  | { readonly kind: 'notes'; readonly run: string }
  /** How runs are placed on the time axis. */
  | { readonly kind: 'align' }
  /** Exports the requests of one run, or of all visible runs. */
  | { readonly kind: 'export-requests'; readonly run?: string }
  /** Groups the runs; `run`: its group is shown first. */
  | { readonly kind: 'groups'; readonly run?: string }
  /** The label table. */
  | { readonly kind: 'labels' }
  /** Benchmark results in a text that is a trace too. */
  | { readonly kind: 'results' }
  /** Chooses the part of a trace that is read; its choice is in `Page.choices`. */
  | { readonly kind: 'part'; readonly trace: number }
  /** What blkparse and btt print of a run. */
  | { readonly kind: 'native-tables'; readonly run: string }

/** Results of benchmarks without a trace. */
export interface PageResults {
  readonly document: ResultsDocument
  /** The files; they are read again together with files that are added. */
  readonly files: readonly DroppedFile[]
  /** Tables of a link, whose texts are not here: those of added files follow them. */
  readonly linked?: ResultsDocument['tables']
  readonly client: ResultsClient
  /** How their texts were read; absent for a link, which has tables only. */
  readonly texts?: ReadTexts
}

/** How texts were read, and what the user changed. */
export interface ReadTexts {
  readonly reading: ResultsReading
  readonly choices: TextChoices
  /** Previous choices for undo, the latest at the end. */
  readonly before: readonly TextChoices[]
}

/** The finding and evidence that a link names: rank, and interval from 1. */
interface NamedFinding {
  readonly finding?: number
  readonly evidence?: number
}

/** An open table of digests, in place of the workspace while there is no run. */
export interface PageFleet {
  readonly client: FleetClient
  readonly view: FleetView
  /** The encoded view of the fleet, as in a link. */
  readonly text: string
  /** Present if all of its files came from URLs. */
  readonly urls?: readonly TraceUrl[]
}

/** The open report of a bisection, in place of the workspace while there is no run. */
export interface PageBisection {
  readonly document: PrintedBisection
  /** Name of its file. */
  readonly name: string
  /** Its URL, if it came from one. */
  readonly urls?: readonly TraceUrl[]
}

/** Files that were opened together. */
export interface Batch {
  readonly files: readonly BatchFile[]
  /** Their traces, in the order of opening. */
  readonly traces: readonly number[]
}

export interface BatchFile {
  readonly file: FoundFile
  /** Traces with a part in it: several in an archive, none in a text. */
  readonly traces: readonly number[]
}

/** A message that closes by itself. A new object each time. */
interface Toast {
  readonly words: string
  /** Offers to undo the last step. */
  readonly undo?: true
  /** Files that are open already: offers to open them once more. */
  readonly again?: readonly FoundFile[]
}

/** How to bring back what was removed, closed, grouped or renamed. */
export interface UndoStep {
  /** What happened, as a sentence. */
  readonly words: string
  /** Traces that are open only to be brought back. */
  readonly traces: readonly number[]
  /** All that was open was closed. */
  readonly closes?: true
  /** The dialog in which labels were edited: all its edits are one step. */
  readonly dialog?: Dialog
  /** `undefined`: there is no room for it. */
  restore(page: Page): Page | undefined
}

/** Charts that the page can scroll to. */
export type SightChart = EvidenceChart | 'throughput' | 'percentiles'

interface ChartInSight {
  readonly chart: SightChart
  /** The focus moves there, too: the reader asked for the chart, not for what it supports. */
  readonly focus?: true
}

export interface Page {
  /** The landing page is shown over what is open, which stays in memory. */
  readonly home?: true
  /** What can be undone, the latest at the end. */
  readonly undo: readonly UndoStep[]
  readonly toast?: Toast
  /** Id of the record of this comparison in the browser's storage. */
  readonly stored?: string
  /** Id of the record that is being opened again. */
  readonly restoring?: string
  /** The files of everything that is open, in the order of opening; none for samples and snapshots. */
  readonly batches: readonly Batch[]
  /** Fetched files, in the order of opening. */
  readonly sources: readonly FetchedFile[]
  /** Problems of the link, until they are dismissed. */
  readonly linkProblems: readonly LinkProblem[]
  /** Id of the message that the user confirmed, and whether its files open on this page or in a new tab. */
  readonly consent?: { readonly id: string; readonly where: 'here' | 'tab' }
  /** The traces of a link are being opened: its settings for runs wait. */
  readonly opening?: true
  /** A link has settings for runs that are not open yet. */
  readonly arranging?: true
  /**
   * How the runs are grouped: as recognised by their names; not, because the user undid that; as chosen by the user or a
   * link. Absent: as recorded.
   */
  readonly grouping?: 'name' | 'none' | 'chosen'
  /** Given by the user; absent: made from the labels of the runs. */
  readonly title?: string
  readonly runs: readonly Run[]
  /** Shown in place of the workspace while there is no run. */
  readonly results?: PageResults
  readonly fleet?: PageFleet
  readonly bisection?: PageBisection
  /** View of the fleet or the bisection that a link opens, until it is open. */
  readonly fleetWanted?: string
  readonly view: View
  /** The view follows the end of a stream. */
  readonly following?: true
  readonly trail: Trail
  /** The dimensions in which the runs differ. */
  readonly labels: LabelTable
  /** RAID geometry, also applied to runs that are added later. */
  readonly geometry?: Geometry
  readonly notRead: readonly NotRead[]
  /** Traces of which a part is to be chosen. */
  readonly choices: readonly PartChoice[]
  /** Files were dropped and are being sorted into traces. */
  readonly sorting: boolean
  /** Progress of the archive that is being unpacked while files are sorted. */
  readonly unpacking?: UnpackProgress
  readonly dialog?: Dialog
  /** Id of the open sample, until something else is added. */
  readonly sample?: string
  /** The snapshot from which the page was opened, until something else is added. */
  readonly snapshot?: PageSnapshot
  /** The engine's comparison of the visible runs; absent until it is ready. */
  readonly comparison?: ComparedRuns
  /** What the only visible run shows by itself; absent until it is ready. */
  readonly explanation?: ComparedRuns
  /** The same within the visible range; absent without one, and until it is measured. */
  readonly ranged?: RangedFigures
  /** Why there is no comparison, or no explanation. */
  readonly notCompared?: EngineError
  /** Rank of the finding at the top of the page; absent: 1. */
  readonly finding?: number
  /** Annotations in the order in which they were added. */
  readonly annotations: readonly Annotation[]
  /** The annotation to show in its list. A new object each time. */
  readonly listed?: { readonly annotation: number }
  /** Where the last click on a chart was. */
  readonly place?: AnnotationPlace
  /** The finding that the link names, until its comparison is ready. */
  readonly named?: NamedFinding
  /** The chart to scroll to. A new object each time, so that the same chart can be shown again. */
  readonly sight?: ChartInSight
  /** The evidence of the finding, while its range is shown. */
  readonly evidence?: {
    readonly chart: EvidenceChart
    /** Which of the finding's intervals is shown. */
    readonly interval: number
    /** Range of the interval; absent: the complete time axis. */
    readonly range?: Range
    /** Absent where the evidence has no interval: then runs share one time axis. */
    readonly windows?: EvidenceWindows
  }
}

const EMPTY_VIEW: View = {
  range: extentOf([]),
  stage: 'q2c',
  layout: 'columns',
  trueScale: false,
  hidden: NOTHING_HIDDEN,
}

export const EMPTY_PAGE: Page = {
  runs: [],
  undo: [],
  batches: [],
  annotations: [],
  view: EMPTY_VIEW,
  trail: START,
  labels: NO_LABELS,
  sources: [],
  linkProblems: [],
  notRead: [],
  choices: [],
  sorting: false,
}

/** What stays open while some of its runs are compared. */
export const documentOf = ({ fleet, bisection }: Page): PageFleet | PageBisection | undefined => fleet ?? bisection

/** Nothing is open. */
export const isEmpty = (page: Page): boolean => page.runs.length === 0 && !page.results && !documentOf(page)

/** The landing page is shown. */
export const showsLanding = (page: Page): boolean => page.home === true || isEmpty(page)

/** The page while a kept comparison is opened again. */
export const withRestoring = (page: Page, restoring: string): Page => ({
  ...page,
  restoring,
  opening: true,
  sorting: true,
})

/** The page when a kept comparison could not be opened again. */
export const withoutRestoring = (page: Page): Page => ({
  ...put(put(page, 'restoring', undefined), 'opening', undefined),
  sorting: false,
})

/** The page after its runs were closed; an open fleet or bisection stays. */
export const withoutRuns = ({ fleet, bisection, runs }: Page): Page =>
  runs.length > 0 ? put(put(EMPTY_PAGE, 'fleet', fleet), 'bisection', bisection) : EMPTY_PAGE

export type PageStore = StoreApi<Page>

export const createPageStore = (): PageStore => createStore<Page>(() => EMPTY_PAGE)

/** Sets an optional key, or removes it when the value is `undefined`. */
export function put<T extends object, K extends keyof T>(object: T, key: K, value: T[K] | undefined): T {
  const { [key]: _, ...rest } = object
  return (value === undefined ? rest : { ...rest, [key]: value }) as T
}

/** Shows the first choice of a part that waits, unless another dialog is open. */
export function withChoice(page: Page): Page {
  const [next] = page.choices
  return page.dialog || !next ? page : { ...page, dialog: { kind: 'part', trace: next.trace } }
}

/**
 * Recomputes what follows from other fields: the runs' offsets from the alignment, and the committed range from the
 * trail. A step without a range shows the complete extent, which grows while traces are read. Every change of runs,
 * alignment or trail must pass through here.
 */
export function settlePage(unsettled: Page): Page {
  const runs = alignRuns(unsettled.runs, unsettled.view.align)
  const page = runs === unsettled.runs ? unsettled : { ...unsettled, runs }
  const shown = current(page.trail)
  const range = shown ?? extentOf(runs)
  const isOneScale = shown !== undefined || page.view.layout !== 'columns' || page.evidence?.windows !== undefined
  const view = page.view.ownLengths && isOneScale ? put(page.view, 'ownLengths', undefined) : page.view
  return view.range.t0 === range.t0 && view.range.t1 === range.t1 && view === page.view
    ? page
    : { ...page, view: { ...view, range } }
}

/** The full runs side by side, each over its own length or all on one scale. */
export function withOwnLengths(page: Page, enabled: boolean): Page {
  return { ...page, view: put(page.view, 'ownLengths', enabled ? true : undefined) }
}

/** The title given by the user, else one made from the labels. */
export function titleOf(page: Page): string {
  if (page.title !== undefined) return page.title
  const [a, b] = page.runs
  const [table, ...tables] = page.results?.document.tables ?? []
  if (!a && table) return tables.length === 0 ? table.title : `${table.title} and ${tables.length} more`
  if (!a) return page.fleet?.client.outline.files.join(', ') ?? page.bisection?.name ?? 'Seekscope'
  if (!b) return a.label
  return page.runs.length === 2 ? `${a.label} against ${b.label}` : `${a.label} and ${page.runs.length - 1} more`
}
