/**
 * The actions of the page. Charts, the rail, the keyboard and tests call these and change the store in no other way.
 */
import type { Geometry, TextChoices, TimeWindow } from '../engine/protocol'
import type { FoundFile } from '../ingest/found'
import type { Sample } from '../ingest/samples'
import type { Ns } from '../lib/units'
import type { LinkProblem } from '../link/fields'
import type { TraceSum } from '../link/view'
import type { AnnotationDraft } from './annotations/annotations'
import type { HiddenFacet, HiddenValue } from './hidden'
import type { Dialog, PageFleet, SightChart } from './page'
import type { RunGroup } from './runs/grouping'
import type { LabelTable } from './runs/labels'
import type { Reference } from './runs/sources'
import type { Actions, Annotation, View } from './types'

/** A stall to look at, and with what. */
export interface MomentToCompare {
  /** Name of the run around the stall. */
  readonly label: string
  readonly around: TimeWindow
  /** Absent: the quiet stretch that is open stays; without one, there is no comparison. */
  readonly quiet?: TimeWindow
}

/** Opens traces into the store and closes them; `web/opening` implements it. */
export interface Opening {
  /**
   * Adds every trace in the files to the page. Returns their numbers. Traces that are open already are not opened once
   * more, except with `again`.
   */
  open(files: readonly FoundFile[], again?: boolean): Promise<readonly number[]>
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
  /** Reads this part of a trace in place of the open part; absent: the complete trace. */
  openPart(trace: number, window: TimeWindow | undefined): void
  /** Reads a stretch around a stall in place of the open run, and a quiet one as its baseline. */
  compareMoment(id: string, moment: MomentToCompare): Promise<void>
  /** Reads the complete recording again after `compareMoment`, and closes its quiet stretch. */
  leaveMoment(id: string): Promise<void>
  /** Ends the choice without reading: a trace that waits for it stays closed, an open one stays as it is. */
  skipPart(trace: number): void
  /** Compares rows of the fleet, or runs of the two sides of the bisection, the first as the baseline. */
  compareRows(rows: readonly number[]): Promise<void>
  /** Follows a stream that is being written; its URL must be of the page's host. */
  openStream(url: string): void
  /** Reads the texts of results again, as the user chose. `before` replaces the choices to which undo leads. */
  readAs(choices: TextChoices, before?: readonly TextChoices[]): Promise<void>
  /** Reads the texts with the choices from before the last change. */
  undoReading(): Promise<void>
  /** Ends a stream; the bytes received so far become an ordinary run. */
  stopStream(id: string): void
  /** Ends the search for traces among dropped files; none of them is opened. */
  stop(): void
  /** Removes a run, also one that is still being read. */
  remove(id: string): void
  /** Closes everything for good. */
  removeAll(): void
  /** Closes all runs; this can be undone. */
  closeAll(): void
  /** Queries all figures of a run again, as after a change of geometry. */
  resummarise(id: string): void
}

/** All actions of the page: those of the charts, of opening, and the rest. */
export interface PageActions extends Actions, Opening {
  setFleet(change: (fleet: PageFleet) => PageFleet): void
  /** Asks for files or a folder and opens them. */
  pickFiles(kind: 'files' | 'folder'): void
  forward(): void
  /** Shows the range around the visible one. */
  stepOut(): void
  /** Keeps the end of the stream in view, or leaves the view where it is. */
  follow(enabled: boolean): void
  /** Zooms around the time cursor if it is in view, else around the middle; a factor below 1 zooms in. */
  zoom(factor: number): void
  /** Moves the view by this many times its width; negative: towards the start. */
  pan(widths: number): void
  rename(id: string, label: string): void
  move(id: string, to: number): void
  setBaseline(id: string): void
  toggle(id: string): void
  /** The run, or its group, that is compared with the baseline. */
  compare(id: string): void
  /** Shows the finding `offset` ranks further down the list. */
  nextFinding(offset: number): void
  showFinding(rank: number): void
  /** Shows the chart and time range of the current finding; again: the next interval, or `offset` intervals further. */
  showEvidence(offset?: number): void
  /** Shows the range from which the evidence was opened. */
  leaveEvidence(): void
  /** Scrolls to a chart, and moves the focus there. */
  showChart(chart: SightChart): void
  /** Groups the runs in exactly this way. */
  group(groups: readonly RunGroup[]): void
  /** Groups repeats as recognised by their names, or undoes that. */
  groupByName(enabled: boolean): void
  /** Splits a run into one run per device, to compare them. */
  split(id: string): void
  /** Joins the devices of its trace into one run again. */
  join(id: string): void
  /** The device of this name in every run that has one; `dev` where names differ. */
  setDevice(id: string, index: number): void
  /** Sets the RAID geometry of one run, or of all without an `id`; `undefined`: no stripes. */
  setGeometry(geometry: Geometry | undefined, id?: string): void
  hide<F extends HiddenFacet>(facet: F, value: HiddenValue<F>, hide: boolean): void
  setLatency(latency: readonly [Ns, Ns] | undefined): void
  setLayout(layout: View['layout']): void
  /** Changes how the matrix is laid out. */
  setMatrix(matrix: NonNullable<View['matrix']>): void
  /** Lays the matrix out anew. */
  layOut(matrix: NonNullable<View['matrix']>): void
  label(change: (table: LabelTable) => LabelTable): void
  /** Discards all edits of the label table and guesses it again. */
  guessLabels(): void
  /** Shows only these runs, side by side, the first one as the baseline. */
  lookAt(runs: readonly string[]): void
  /** Sets how runs are aligned; `undefined`: by their first event. */
  setAlign(align: View['align']): void
  /** Aligns runs by hand: offsets in ns by run, of which only the differences count. Runs that are not listed stay. */
  shift(shifts: Readonly<Record<string, number>>): void
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
  /** Replaces all annotations, to undo a deletion. */
  restoreAnnotations(list: readonly Annotation[]): void
  /** Shows the time of an annotation. */
  goToAnnotation(id: number): void
  /** Undoes the last removal, grouping or renaming. */
  undo(): void
  dismissToast(): void
  /** Shows the landing page; what is open stays in memory. */
  goHome(): void
  /** Shows what is open again. */
  leaveHome(): void
  show(dialog: Dialog): void
  close(): void
}
