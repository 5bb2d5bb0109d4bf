/** Labels of runs, split into dimensions. */
import type { Setting } from './notes'

/** Facts of a run from which its label is split. */
export interface LabelSource {
  readonly label: string
  /** Folders of its files. */
  readonly folder: string
  /** From notes. */
  readonly kernel?: string
  readonly scheduler?: string
  /** Names of the benchmark's jobs. */
  readonly workload?: string
  /** Programs that wrote, and the benchmark's number of jobs. */
  readonly writers?: number
  readonly jobs?: number
  /** From notes: repeats have the same. */
  readonly settings?: readonly Setting[]
}

/** A column of the label table. */
export interface LabelDimension {
  /** Stable: `kernel`, `scheduler`, `writers`, `workload`, `repeat`. */
  readonly key: string
  readonly name: string
}

/** Labels of all runs, taken apart; only what differs. */
export interface GuessedLabels {
  readonly parts: readonly LabelDimension[]
  /** By run and part; empty where a run has nothing of that part. */
  readonly runs: readonly (readonly string[])[]
  /** Repeats of one measurement, by indices of runs; empty when there are none, or nothing to compare them with. */
  readonly groups: readonly { readonly label: string; readonly runs: readonly number[] }[]
}
