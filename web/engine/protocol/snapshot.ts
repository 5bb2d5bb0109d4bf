/** What a link or a report contains instead of the traces: their aggregates at a size, packed as text. */
import type { SummaryTrace } from '../summary'
import type { CompareDocument } from './compare'
import type { Filter, Geometry, Stage } from './filter'
import type { BenchFigure, Setting } from './notes'
import type { Layer } from './pictures'
import type { ResultsDocument, ResultTable } from './results'
import type { TraceInfo } from './trace'

/** `XS`, `S`: two runs in a link of 2,000 and of 8,000 characters; `M`, `L`: larger links; `File`: of a report. */
export type SnapshotSize = 'XS' | 'S' | 'M' | 'L' | 'File'

/** What to take of a trace. */
export interface SnapshotQuery {
  /** One per shown device, as its charts are filtered. */
  readonly filters: readonly Filter[]
  /** Ranges of the pictures, ns since the trace's first event; the complete trace first. */
  readonly ranges: readonly (readonly [number, number])[]
  readonly geometry?: Geometry
  /** The stage that the latency charts show. */
  readonly stage: Stage
  /** Layers of the seek map. */
  readonly layers: readonly Layer[]
  /** Colour slot of each process, for the `process` layer. */
  readonly slots?: readonly number[]
  /** Include process names. */
  readonly names: boolean
  /** Names that replace them: the same in all traces. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Include file names. */
  readonly files: boolean
  readonly size: SnapshotSize
  /** Number of the attempt to fit, from 0, each with less detail than the one before. */
  readonly step: number
}

/** How much a snapshot keeps. */
export interface SnapshotDetail {
  /** Columns of maps, bins of series. */
  readonly columns: number
  /** Rows of maps. */
  readonly rows: number
  /** Digits of numbers that are not whole. */
  readonly digits: number
  /** All stages and percentile curves, not only those that were shown. */
  readonly all: boolean
  /**
   * The bins from which a comparison computes confidence intervals; without them it cannot be repeated for another
   * arrangement.
   */
  readonly pieces: boolean
  /** Of size XS: only the most important figures, findings and charts. */
  readonly brief?: true
}

/**
 * One trace of a snapshot: the answer of `snapshot`. Its other fields are in
 * `parser-wasm/core/src/snapshot/contents.rs`.
 */
export interface TraceSnapshot {
  readonly info: TraceInfo
  readonly summary: SummaryTrace
  readonly detail: SnapshotDetail
  readonly names: boolean
  readonly files: boolean
  readonly pictures: readonly {
    readonly filter: Filter
    readonly range: readonly [number, number]
    readonly map: { readonly layers: Readonly<Partial<Record<Layer, unknown>>> }
  }[]
}

export interface SnapshotHead {
  readonly size: SnapshotSize
  /** One per trace. */
  readonly runs: readonly {
    readonly label: string
    readonly kernel?: string
    readonly deviceNames?: Readonly<Record<string, string>>
    readonly bench?: readonly BenchFigure[]
    /** As far as they differ between the runs. */
    readonly settings?: readonly Setting[]
  }[]
}

export interface Snapshot {
  readonly head: SnapshotHead
  /** `null` for a single run. */
  readonly document: CompareDocument | null
  /** Index into `traces` of each run of the document. */
  readonly of: readonly number[]
  readonly traces: readonly TraceSnapshot[]
  /** Of benchmarks without a trace. */
  readonly results?: { readonly tables: readonly ResultTable[] }
}

/** What the page needs of a trace besides answers; the rest stays in the engine. */
export interface TraceOutline {
  readonly info: TraceInfo
  readonly detail: SnapshotDetail
  /** `DeviceInfo.index` of the first shown device. */
  readonly device: number | null
  /** Layers of the seek map. */
  readonly layers: readonly Layer[]
}

/** A snapshot in the engine, as far as it could be read. */
export interface SnapshotOutline extends Pick<Snapshot, 'head' | 'document'> {
  /** `null` for a trace that could not be read. */
  readonly traces: readonly (TraceOutline | null)[]
  /** What is missing, in words. */
  readonly problems: readonly string[]
  readonly results: ResultsDocument | null
}

/** The complete contents of a snapshot, as far as they could be read; `null` for a trace that could not. */
export interface OpenedSnapshot {
  readonly snapshot: Omit<Snapshot, 'traces'> & { readonly traces: readonly (TraceSnapshot | null)[] }
  /** What is missing, in words. */
  readonly problems: readonly string[]
}
