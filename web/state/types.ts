/** The state that the page draws: the runs that were opened, and one view on all of them. */
import type {
  BenchFigure,
  CompareDocument,
  CompareQuery,
  Digest,
  EndedStream,
  EngineError,
  Geometry,
  LabelSource,
  Layer,
  Range,
  ReadProgress,
  Setting,
  SnapshotDetail,
  Stall,
  StreamSecond,
  StreamStatus,
  TimeWindow,
  TraceClient,
  TraceInfo,
  TraceNote,
} from '../engine/protocol'
import type { TraceSummary } from '../engine/summary'
import type { Ns, Sector } from '../lib/units'
import type { Hidden, LatencyStage, Layout, MatrixLayout, RunLetter, SizesAt, TimeAlignment } from '../link/view'

export {
  type Hidden,
  type MatrixLayout,
  type RunLetter,
  SIZES_AT,
  type SizesAt,
} from '../link/view'

/** The detail of a run of which only a snapshot is open. */
interface RunSnapshot extends SnapshotDetail {
  /** Colours of the seek map. */
  readonly layers: readonly Layer[]
}

/**
 * A trace next to a snapshot. It replaced a trace of the snapshot, because it has the same events, times and
 * devices: with the same checksum, with another one, or (`counts`) without one to compare. It replaced none: though
 * the snapshot has its checksum (`contradicts`), or it is not of the snapshot.
 */
export type SnapshotCheck = 'same' | 'other' | 'counts' | 'contradicts' | 'foreign'

/** Where the trace of a stored run is. */
interface DigestOrigin {
  /** Path of its first file, as the command that made the table was given it. */
  readonly path: string
  /** Path of the recording in the folder of a fleet. */
  readonly source?: string
  /** SHA-256 of that recording's bytes. */
  readonly sourceSha256?: string
  /** SHA-256 of the trace. */
  readonly sha256?: string
  /** Number of the row in the table. */
  readonly row: number
}

/** What is known of a recording while a stretch around one of its moments is read in its place. */
interface WholeRecording {
  readonly label: string
  /** Stalls of its devices, on its own clock. */
  readonly moments: readonly Stall[]
  /** Time of its last event. */
  readonly span: Ns
  /** Number of the trace that is its quiet stretch; absent where none was opened, or it was closed. */
  readonly quiet?: number
  /** The part of it that was open before; absent: all. */
  readonly window?: TimeWindow
}

/** One opened trace, or one device of it that is compared with the others. */
export interface Run {
  /** Stable for the life of the page. */
  readonly id: string
  /** Number of its trace, ascending in the order of opening; shared by the runs of one trace. */
  readonly trace: number
  /** The run is one device of its trace; the other devices are separate runs. */
  readonly alone?: true
  /** Name of its group; the runs of a group are adjacent. */
  readonly group?: string
  /** Shown in badges and sentences: its side's letter, with a number in a group (`runs/letters.ts`). */
  readonly letter: string
  /** Follows from its place in the row; names the run in links. */
  readonly linkLetter: RunLetter
  readonly label: string
  readonly baseline: boolean
  /** Compared with the baseline, where there is a choice. */
  readonly compared?: true
  /** Index among the traces of the page's snapshot; kept when the trace replaces it. */
  readonly snapshotIndex?: number
  /** Present while only a snapshot of the trace is open. */
  readonly snapshot?: RunSnapshot
  /** How it relates to the page's snapshot; present once a trace was read next to it. */
  readonly check?: SnapshotCheck
  /** Row of the table of digests that it came from; kept when its trace replaces it. */
  readonly digest?: DigestOrigin
  /** Toggled off by its chip or a digit key: keeps its letter, is not drawn. */
  readonly hidden: boolean
  readonly status: RunStatus
  /** Answers queries while reading too: then everything is "so far". */
  readonly client: TraceClient
  /** The label with which it was opened; absent: that of `info`. */
  readonly openedAs?: string
  /** Absent until the first partial picture. */
  readonly info?: TraceInfo
  /** All figures; present once the trace is complete. Queried again when the geometry changes. */
  readonly summary?: TraceSummary
  /** Stalls of its devices; absent until they are found, empty where the engine cannot tell. */
  readonly moments?: readonly Stall[]
  /** Release; known for samples and from notes. */
  readonly kernel?: string
  /** Facts from folder names and texts, for its label. */
  readonly labelFacts?: Omit<LabelSource, 'label' | 'kernel'>
  /** Figures of the application, from notes. */
  readonly bench?: readonly BenchFigure[]
  /** Settings of the machine and its devices, from notes. */
  readonly settings?: readonly Setting[]
  /** Texts next to the trace, or added later. */
  readonly notes?: readonly RunNote[]
  /** Names of partitions by `major,minor`, where a description gives them: `254,1` is `vda1`. */
  readonly deviceNames?: Readonly<Record<string, string>>
  /** Why only a part of the recording was read: its archive is truncated or damaged. */
  readonly cut?: EngineError
  /** Offset on the time axis, ns; absent: 0. Follows from `View.align`. */
  readonly shift?: Ns
  /** Index of the device the charts show. */
  readonly device: number
  /** Present while the run is being written. */
  readonly stream?: FollowedRun
  /** Present once a followed stream has ended: how it ended, and its seconds. */
  readonly streamed?: StreamedRun
  /** Its files are open, so another part of it can be read. */
  readonly rereadable?: true
  /** The part that was requested; absent: all. */
  readonly window?: TimeWindow
  /** Present while only a stretch around one of its moments is open. */
  readonly whole?: WholeRecording
  /** Absent: no stripes. By default the same for all runs. */
  readonly geometry?: Geometry
}

/** Text that a reader added to a time of a run. */
export interface Annotation {
  /** Stable for the life of the page. */
  readonly id: number
  readonly run: string
  /** Time since the first event of the run. */
  readonly at: Ns
  /** End of the range; absent: a single time. */
  readonly to?: Ns
  readonly lba?: Sector
  /** One line without control characters. */
  readonly text: string
  readonly author?: string
  /** Written by the sender of the link or report, not by the reader. */
  readonly theirs?: true
}

/** Where an annotation is added; absent fields are chosen in its form. Times are since the run's first event. */
export interface AnnotationPlace {
  readonly run?: string
  readonly at?: Ns
  readonly to?: Ns
  readonly lba?: Sector
}

/** A run that is being written. */
export interface FollowedRun {
  /** Its URL, on this page's host. */
  readonly url: string
  /** Latest status; absent until the first one arrives. */
  readonly status?: StreamStatus
  /** All seconds since the begin; merged when there are many. */
  readonly seconds: readonly StreamSecond[]
}

export interface StreamedRun extends Pick<EndedStream, 'why' | 'bytes' | 'message'> {
  readonly status?: StreamStatus
  readonly seconds: readonly StreamSecond[]
}

/** A text file about a run. */
export interface RunNote extends TraceNote {
  readonly blob: Blob
}

type RunStatus =
  | { readonly kind: 'reading'; readonly progress: ReadProgress }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: EngineError }

/** A comparison of runs by the engine. */
export interface ComparedRuns {
  /** Ids, in the order of the document's runs. */
  readonly runs: readonly string[]
  readonly ask: CompareQuery
  readonly document: CompareDocument
}

/** What was measured in a part of a run. */
export interface MeasuredPart {
  readonly summary: TraceSummary
  readonly digest: Digest
}

/** Figures of a part of the time axis. */
export interface RangedFigures {
  readonly range: Range
  /** The comparison of that part of each run, or the explanation of the only one. */
  readonly compared: ComparedRuns
  /** By run id. */
  readonly parts: Readonly<Record<string, MeasuredPart>>
  /** Ids of the runs whose shown device has no request in it: they have nothing to compare. */
  readonly silent: readonly string[]
  /** Rank of the chosen finding; absent: the one of complete runs, if the range has it, else the first. */
  readonly finding?: number
}

/** Offset of each run on the time axis, in ns by run id, so that its window is in the range. */
export type EvidenceWindows = Readonly<Record<string, Ns>>

/** What is shown and how: everything that a link holds besides the traces. */
export interface View {
  /** Committed range of the one time axis of all runs. */
  readonly range: Range
  /** A drag that is not committed yet. */
  readonly preview?: Range
  /** Shared LBA range; absent: everything, without empty parts. */
  readonly lba?: readonly [Sector, Sector]
  /** Time cursor, shared by all charts. */
  readonly cursor?: Ns
  /** Absent: the first dimension with more than one value (process, op, alignment when a geometry is set). */
  readonly layer?: Layer
  readonly stage: LatencyStage
  readonly layout: Layout
  /** How runs are aligned: by first I/O, wall clock or by hand; absent: by first event. */
  readonly align?: TimeAlignment
  /** How the matrix is laid out; absent: guessed from the labels. */
  readonly matrix?: MatrixLayout
  /** Filter line of the event list, as typed. */
  readonly eventFilter?: string
  /** Run whose events are listed where there is room for one list; absent: the first. */
  readonly listed?: string
  /** Where request sizes are counted; absent: issued. */
  readonly sizesAt?: SizesAt
  /** Unit of histogram bars; absent: shares. */
  readonly bars?: 'requests'
  /** Unit of the throughput; absent: bytes. */
  readonly rate?: 'ios'
  /** The LBA axis is linear: unused ranges are not cut out. */
  readonly trueScale: boolean
  readonly hidden: Hidden
  readonly latency?: readonly [Ns, Ns]
  /** Only requests that were submitted through these functions of the kernel, the outermost one first. */
  readonly functions?: readonly string[]
  /** Runs that are moved to show the evidence of a finding; it is not part of a link by itself. */
  readonly windows?: EvidenceWindows
  /** Each run is drawn over its own length instead of one scale; while the full run is shown, and in no link. */
  readonly ownLengths?: true
  /** The request whose life is open. */
  readonly selected?: { readonly run: string; readonly row: number }
}

/** Actions of charts. Chart components call these and never touch the store. */
export interface Actions {
  /** Show a drag. `undefined` drops it. */
  preview(range: Range | undefined): void
  /** Make a range the committed one; remembered for `back`. Defaults to the preview. */
  commit(range?: Range): void
  /** Zoom and pan without a step in the history. */
  look(range: Range): void
  lookLba(lba: readonly [Sector, Sector] | undefined): void
  back(): void
  whole(): void
  cursor(time: Ns | undefined): void
  select(run: string | undefined, row?: number): void
  /** Opens the event list at a time. */
  showEvents(time: Ns | undefined): void
  setLayer(layer: Layer): void
  setStage(stage: View['stage']): void
  setTrueScale(enabled: boolean): void
  /** Draws each run over its own length, or all on one scale. */
  setOwnLengths(enabled: boolean): void
  setSizesAt(moment: SizesAt): void
  setBars(bars: View['bars']): void
  setRate(rate: View['rate']): void
  /** The run that is compared with the baseline. */
  compare(id: string): void
  editGeometry(): void
  /** Leaves out these values of these facets, or shows all of them again where exactly these are left out. */
  leaveOut(values: Partial<Hidden>): void
  /** Shows only requests that were submitted through these functions, the outermost one first; `undefined`: all. */
  setFunctions(functions: readonly string[] | undefined): void
  clearFilters(): void
  /** Plays back the seek map. */
  playBack(): void
  openFiles(): void
  /** Remembers where a chart was clicked. */
  point(place: AnnotationPlace): void
  /** Opens the form of a new annotation; without a place, for the selected range, the last click or the time cursor. */
  annotate(place?: AnnotationPlace): void
  /** Shows an annotation in its list. */
  listAnnotation(id: number): void
}
