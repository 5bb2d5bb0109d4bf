/** What a link carries of the view: the types that the codec and the state share. */
import type { AlignmentClass, Flag, Op, TimeWindow } from '../engine/protocol'

/** Letter of a run: its place in the row. */
export type RunLetter =
  | 'A'
  | 'B'
  | 'C'
  | 'D'
  | 'E'
  | 'F'
  | 'G'
  | 'H'
  | 'I'
  | 'J'
  | 'K'
  | 'L'
  | 'M'
  | 'N'
  | 'O'
  | 'P'
  | 'Q'
  | 'R'
  | 'S'
  | 'T'

export const LETTERS = 'ABCDEFGHIJKLMNOPQRST'.split('') as RunLetter[]

export const MAX_LABEL_COLUMNS = 12

/**
 * The part of a trace that is read. `trace`: its number in the order of opening, from 1; absent: all traces that have
 * no part of their own.
 */
export interface TracePart {
  readonly trace?: number
  readonly window: TimeWindow
}

/** Checksum of a trace in a snapshot. `trace`: its number, from 1. `sum`: 64 hex digits. */
export interface TraceSum {
  readonly trace: number
  readonly sum: string
}

/** What the checkboxes of the rail leave out, in every run. Processes by key: `name` or `name via` (`dd 254,1`). */
export interface Hidden {
  readonly ops: readonly Op[]
  readonly flags: readonly Flag[]
  readonly processes: readonly string[]
  readonly cpus: readonly number[]
  readonly alignment: readonly AlignmentClass[]
  /** Files and structures by name. */
  readonly objects: readonly string[]
  /** Who wrote or read their data, by name. */
  readonly writers: readonly string[]
}

/**
 * Which label dimensions are the rows and columns of the matrix. Runs that differ in no listed dimension share a cell,
 * with their mean.
 */
export interface MatrixLayout {
  /** Index of the table of results; absent: the first. */
  readonly table?: number
  /** Keys of label dimensions. */
  readonly rows?: readonly string[]
  readonly columns?: readonly string[]
  /** Key of the figure in the cells. */
  readonly figure?: string
  /** Changes are relative to this row or column, by its values; `none`: no changes. Absent: the baseline's row. */
  readonly base?: { readonly axis: 'row' | 'column'; readonly key: string } | 'none'
  /** Form of the picture of results: `bars`, or the key of the dimension over which lines are drawn. Absent: guessed. */
  readonly picture?: string
  /** Counted latencies are drawn as their running sums. */
  readonly cumulative?: true
  /** What of results is shown. Absent: guessed from the table. */
  readonly show?: ResultsView
  /** Sides of results, or values of the first dimension, whose runs are left out. */
  readonly leftOut?: readonly string[]
  /** Keys of figures of results that are no rows. */
  readonly hidden?: readonly string[]
}

export const RESULTS_VIEWS = ['table', 'chart', 'matrix', 'text'] as const
export type ResultsView = (typeof RESULTS_VIEWS)[number]

export const LAYOUTS = ['columns', 'overlay', 'difference', 'events', 'matrix'] as const
/** How runs are arranged; `events` lists their events. */
export type Layout = (typeof LAYOUTS)[number]

/** The event at which request sizes are counted: Q, D or C. */
export const SIZES_AT = ['queued', 'issued', 'completed'] as const
export type SizesAt = (typeof SIZES_AT)[number]

export const LATENCY_STAGES = ['q2c', 'd2c', 'q2d'] as const
/** Stages that the latency charts can show. */
export type LatencyStage = (typeof LATENCY_STAGES)[number]

/**
 * How runs are placed on the time axis: by first I/O, wall clock, or by hand. By first event where there is none of
 * these.
 */
export const ALIGNMENTS = ['io', 'clock', 'hand'] as const
export type TimeAlignment = (typeof ALIGNMENTS)[number]
