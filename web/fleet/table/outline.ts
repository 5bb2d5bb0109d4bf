/** What the worker of a table says of it. */
import type { DigestFigure, TraceOutline } from '../../engine/protocol'
import type { DigestContents } from '../stored'
import type { StoredColumn } from './columns'

/** A row of a table of errors: what could not be read of a fleet. */
export interface FleetFailure {
  readonly source: string
  readonly file: string
  readonly code: string
  readonly message: string
}

export interface FleetOutline {
  readonly rows: number
  readonly columns: readonly StoredColumn[]
  /** Names of its files. */
  readonly files: readonly string[]
  /** All figures that digests may have. */
  readonly figures: readonly DigestFigure[]
  readonly failures: readonly FleetFailure[]
}

/** A run of a table in the engine, without its digest. */
export interface StoredOutline extends Omit<TraceOutline, 'layers'> {
  readonly about: Omit<DigestContents, 'trace'>
}

/** A file to open. */
export interface TableSource {
  readonly name: string
  /** Path including folders: all rows of `kernel=6.1/part.parquet` have that kernel. */
  readonly path: string
  readonly blob: Blob
}
