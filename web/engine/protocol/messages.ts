/** Messages between page and worker: files, progress, queries, answers. */

import type {
  BlockNote,
  DroppedEvents,
  EngineError,
  GuessedLabels,
  LabelSource,
  RejectedFile,
  ResultsDocument,
  ResultsReading,
  RunFacts,
  SectionPlaces,
  SnapshotOutline,
  TextChoices,
  TimeWindow,
  TraceEstimate,
  TraceInfo,
  TraceNote,
  Warning,
  ZoneNote,
} from '../generated/protocol'
import type { LaterPart } from '../laterParts.mjs'
import type { EndedStream, StreamStatus } from './live'
import type { QueryKind } from './queries'
import type { ReadResults, ResultsClient } from './results'

export interface ReadProgress {
  readonly bytes: number
  readonly totalBytes: number
  readonly events: number
  /** Requests of the device that is shown first. */
  readonly requests: number
  /** From the first event to the last one so far, ns. */
  readonly span: number
  /** Time since opening. */
  readonly elapsedMs: number
}

/** A file of a trace. */
export interface TraceFile {
  readonly name: string
  readonly blob: Blob
  /** Format of `blkparse -f` in which it may be printed. */
  readonly pattern?: string
}

/** A file as it was dropped or picked. */
export interface DroppedFile extends TraceFile {
  /** Folders and name, or the name alone if the browser gives no folders. */
  readonly path: string
  /** ms since 1970. */
  readonly lastModified: number
  /** The text that it was decoded or extracted from. */
  readonly text?: DroppedFile
}

/** How far an archive or a compressed file was unpacked. */
export interface UnpackProgress {
  readonly path: string
  /** Bytes of the dropped file that were unpacked. */
  readonly bytes: number
  readonly totalBytes: number
}

/** A file next to a trace that its engine reads: counters, a map of the disk, events of a file system. */
export interface FileBeside {
  readonly path: string
  readonly blob: Blob
}

/** A trace that was found among files. */
interface FoundTrace extends RunFacts {
  readonly name: string
  /** Indices of its files. */
  readonly parts: readonly number[]
}

/** A text that was read. */
export interface FoundNote {
  /** Index of its file. */
  readonly index: number
  readonly note: TraceNote
  /** Indices of the traces that it belongs to; none when no trace came with it. */
  readonly traces: readonly number[]
}

/** Files grouped into traces and notes. Numbers are indices of `files`. */
export interface Grouping {
  readonly traces: readonly FoundTrace[]
  /** Neither part of a trace nor next to one. */
  readonly rejected: readonly RejectedFile[]
  /** The dropped files; archives and compressed files are replaced by what is in them. */
  readonly files: readonly DroppedFile[]
  /** What could not be unpacked, or not to its end. */
  readonly problems: readonly (EngineError | Warning)[]
  /** Files next to the traces that are not text. */
  readonly unread: readonly number[]
  /** Notes of the traces; without any trace, notes with facts. */
  readonly notes: readonly FoundNote[]
  /** Facts for the open run; only without any trace. */
  readonly alone?: RunFacts
  /** Results of benchmarks without a trace, or in a text that is a trace too. */
  readonly results?: ResultsDocument
  /** How the texts of `results` were read. */
  readonly reading?: ResultsReading
}

/** A section for another worker. */
export interface TraceSection {
  /** Index in `Cuts.sections`. */
  readonly index: number
  readonly origin: string
  readonly places: SectionPlaces
  /** Absent for the last one. */
  readonly next?: SectionPlaces
}

/** Page to worker. The first message is any but `query`. */
export type ToWorker =
  | {
      readonly type: 'open'
      readonly engine: CompiledEngine
      readonly name: string
      readonly label: string
      readonly parts: readonly TraceFile[]
      readonly dropped?: DroppedEvents
      /** Kernel release according to the notes. */
      readonly kernel?: string
      readonly zones?: readonly ZoneNote[]
      readonly blocks?: readonly BlockNote[]
      readonly beside?: readonly FileBeside[]
      /** The part to read; absent: the complete trace. */
      readonly window?: TimeWindow
      /** Limit of memory, bytes; absent: that of a WebAssembly memory. */
      readonly capacity?: number
      /** Time 0 on the trace clock, in decimal digits, for a part whose beginning is missing. */
      readonly origin?: string
      /** Number of workers that read the trace, including this one; absent: 1. */
      readonly workers?: number
    }
  /** Instead of `open`: follows a stream at a URL of this page's host. Tests set the limits. */
  | {
      readonly type: 'follow'
      readonly engine: CompiledEngine
      readonly url: string
      readonly limits?: { readonly events?: number; readonly bytes?: number }
    }
  /** Ends a stream. */
  | { readonly type: 'stopStream' }
  /** Instead of `open`, repeatable: reads a section of a trace that another worker opened. */
  | {
      readonly type: 'readSection'
      readonly engine: CompiledEngine
      readonly parts: readonly TraceFile[]
      readonly section: TraceSection
    }
  /** Progress of another worker with a section. */
  | { readonly type: 'sectionProgress'; readonly index: number; readonly bytes: number }
  /** A section that another worker has read; without `section`, it failed and must be read here. */
  | { readonly type: 'section'; readonly index: number; readonly section?: Uint8Array<ArrayBuffer> }
  /** Files next to the trace that were dropped later. */
  | { readonly type: 'beside'; readonly files: readonly FileBeside[] }
  | { readonly type: 'group'; readonly engine: CompiledEngine; readonly files: readonly DroppedFile[] }
  /** Reads texts as a person chose. */
  | {
      readonly type: 'readTexts'
      readonly engine: CompiledEngine
      readonly files: readonly DroppedFile[]
      readonly choices: TextChoices
    }
  /** A later part of the engine, after `partWanted`; or why the page has none. */
  | { readonly type: 'part'; readonly part: LaterPart; readonly module: WebAssembly.Module }
  | { readonly type: 'partFailed'; readonly part: LaterPart; readonly error: EngineError }
  /** Estimates the size of a trace; `rough`: only as exact as needed to know that it fits. */
  | {
      readonly type: 'estimate'
      readonly engine: CompiledEngine
      readonly parts: readonly TraceFile[]
      readonly window?: TimeWindow
      readonly rough?: boolean
    }
  | { readonly type: 'labels'; readonly engine: CompiledEngine; readonly runs: readonly LabelSource[] }
  /** Computes the checksum of a trace with these files. */
  | { readonly type: 'checksum'; readonly blobs: readonly Blob[] }
  /** A query about results without a trace. */
  | {
      readonly type: 'results'
      readonly engine: CompiledEngine
      readonly kind: keyof ResultsClient
      readonly ask: unknown
    }
  /** Instead of `open`: a snapshot, whose traces answer queries from then on. */
  | { readonly type: 'snapshot'; readonly engine: CompiledEngine; readonly text: string }
  /** `trace`: index of a trace of a snapshot. */
  | {
      readonly type: 'query'
      readonly id: number
      readonly trace?: number
      readonly kind: QueryKind
      readonly ask: unknown
    }

export type { LaterPart }

/** The parts of the compiled engine: `xtask/src/parts.rs`. */
export interface CompiledEngine {
  readonly first: WebAssembly.Module
  /** Those that the page has: the first picture of a trace does not wait for them. */
  readonly later: Readonly<Partial<Record<LaterPart, WebAssembly.Module>>>
  /** Absolute addresses of the later parts, for a worker that needs one earlier. */
  readonly urls: Readonly<Record<LaterPart, string>>
}

/** Worker to page. */
export type FromWorker =
  | { readonly type: 'progress'; readonly progress: ReadProgress }
  /** Partial results can be queried; sent about every 100 ms while reading. */
  | { readonly type: 'partial'; readonly info: TraceInfo }
  | { readonly type: 'ready'; readonly info: TraceInfo }
  /** Status of a stream, about every second. */
  | { readonly type: 'stream'; readonly status: StreamStatus }
  /** The stream has ended; queries are no longer answered. */
  | { readonly type: 'streamEnded'; readonly ended: EndedStream }
  /** Asks a helper, one of `workers - 1`, to read a section. */
  | { readonly type: 'wanted'; readonly helper: number; readonly section: TraceSection }
  /** Bytes of its section that a helper has read. */
  | { readonly type: 'sectionProgress'; readonly bytes: number }
  | { readonly type: 'section'; readonly section?: Uint8Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly error: EngineError }
  | { readonly type: 'unpacking'; readonly progress: UnpackProgress }
  /** What the worker does goes on when the part of the engine arrives. */
  | { readonly type: 'partWanted'; readonly part: LaterPart }
  | { readonly type: 'grouped'; readonly grouping: Grouping }
  | { readonly type: 'textsRead'; readonly read: ReadResults }
  | { readonly type: 'estimated'; readonly estimate: TraceEstimate }
  | { readonly type: 'labels'; readonly labels: GuessedLabels }
  /** `sum` is absent if the browser cannot compute it. */
  | { readonly type: 'checksum'; readonly sum?: string }
  | { readonly type: 'results'; readonly answer: unknown }
  | { readonly type: 'snapshot'; readonly outline: SnapshotOutline }
  | { readonly type: 'answer'; readonly id: number; readonly trace?: number; readonly answer: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly trace?: number; readonly error: EngineError }
