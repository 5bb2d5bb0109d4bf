/** What a link or a report carries in place of the traces: aggregates of each, taken at a size, packed as text. */
import type { CompareDocument } from './compare'
import type { Filter, Geometry, Stage } from './filter'
import type { BenchFigure } from './notes'
import type { Layer } from './pictures'
import type { TraceInfo } from './trace'

/** `S`: two runs in a link of 8,000 characters; `M`, `L`: larger links; `File`: of a report. */
export type SnapshotSize = 'S' | 'M' | 'L' | 'File'

/** What is taken of a trace. */
export interface SnapshotQuery {
  /** One a shown device, as its charts are filtered. */
  readonly filters: readonly Filter[]
  /** Pictures of these ranges, in the trace's own time; the whole trace first. */
  readonly ranges: readonly (readonly [number, number])[]
  readonly geometry?: Geometry
  /** The latency stage that is looked at. */
  readonly stage: Stage
  /** Colours of the seek map. */
  readonly layers: readonly Layer[]
  /** Class of each process, for that colour. */
  readonly slots?: readonly number[]
  /** Include process names. */
  readonly names: boolean
  /** What they are called otherwise: the same in all traces. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Names of files are taken. */
  readonly files: boolean
  readonly size: SnapshotSize
  /** The so many-th try to fit, each with less than the one before. */
  readonly step: number
}

/** How much of everything a snapshot holds. */
export interface SnapshotDetail {
  /** Columns of maps, bins of series. */
  readonly columns: number
  /** Rows of maps. */
  readonly rows: number
  /** Digits of numbers that are not whole. */
  readonly digits: number
  /** All stages and percentile curves, not those alone that were looked at. */
  readonly all: boolean
  /** The pieces from which a comparison works out how sure it is. */
  readonly pieces: boolean
}

/** A trace of a snapshot. The rest of its inside is the engine's own. */
export interface TraceSnapshot {
  readonly info: TraceInfo
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
  /** What is known of each trace besides. */
  readonly runs: readonly {
    readonly label: string
    readonly kernel?: string
    readonly deviceNames?: Readonly<Record<string, string>>
    readonly bench?: readonly BenchFigure[]
  }[]
}

export interface Snapshot {
  readonly head: SnapshotHead
  /** `null` for a single run. */
  readonly document: CompareDocument | null
  /** Place among `traces` of each run of the document. */
  readonly of: readonly number[]
  readonly traces: readonly TraceSnapshot[]
}

/** As much of a snapshot as could be read; `null` for traces of which nothing is left. */
export interface OpenedSnapshot {
  readonly snapshot: Omit<Snapshot, 'traces'> & { readonly traces: readonly (TraceSnapshot | null)[] }
  /** What is missing, in words. */
  readonly problems: readonly string[]
}
