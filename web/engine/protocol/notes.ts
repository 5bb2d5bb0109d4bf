/** Notes: texts next to traces, and the facts in them. */

import type { Fact } from '../../lib/facts'

export type { Fact }

/** A striped array as a text describes it. */
export interface StripedArray {
  /** `md0`. */
  readonly device?: string
  readonly level?: 'raid0' | 'raid5' | 'raid6' | 'raid10'
  readonly unit_sectors: number
  /** Without those for parity and copies. */
  readonly disks?: number
}

/** One text file. */
export interface TraceNote {
  /** Path. */
  readonly file: string
  /**
   * What the text is: `uname`, `settings`, `counters`, the program that printed it (`fio`), `table`; `mixed` for several;
   * `text`: not understood; `binary`: no text.
   */
  readonly kind: string
  /** The kind in words. */
  readonly what: string
  readonly facts: readonly Fact[]
  /** Release. */
  readonly kernel?: string
  readonly arrays?: readonly StripedArray[]
  /** [`major,minor`, name] */
  readonly names?: readonly (readonly [string, string])[]
  /** The first ones of a text that is not understood. */
  readonly lines?: readonly string[]
}

/** Events that the tracer dropped, by the word of its log. */
export interface DroppedEvents {
  readonly events: number
  /** Path of the log. */
  readonly file: string
  /** Counts of the log that cannot be, and where the first one is. */
  readonly outliers?: { readonly first: string; readonly count: number; readonly line?: number }
}

/** What the application saw, by the word of its benchmark. */
export interface BenchFigure {
  /** Stable: `bench.fio.write.bw`. */
  readonly key: string
  readonly label: string
  /** Empty: none, or one with two meanings. */
  readonly unit: 'bytes/s' | '1/s' | 'ns' | 'bytes' | 'share' | ''
  /** Absent: neither side is good. */
  readonly good?: 'more' | 'less'
  readonly value: number
  /** Its standard deviation, where its text prints one beside it, of an unknown number of values. */
  readonly deviation?: number
  readonly place?: FigurePlace
}

/** Where a figure stands in a text. */
export interface FigurePlace {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** Characters of the line, from 1; the second one is behind the figure. */
  readonly columns: readonly [number, number]
}

/** A setting by which runs are compared. */
export interface Setting {
  /** Name, else `major,minor`; absent: of the machine, or the text does not name one. */
  readonly device?: string
  /** `major,minor`, if the texts have it. */
  readonly dev?: string
  /** As in sysfs: `read_ahead_kb`. */
  readonly key: string
  readonly value: string
}

/** The zones of a disk, in sectors. */
export interface ZoneNote {
  readonly device?: string
  readonly sectors: number
  /** First and last sector of what may be written anywhere; absent if the types of zones are not known. */
  readonly conventional?: readonly (readonly [number, number])[]
}

/** The logical blocks of a disk, in which commands of its driver count. */
export interface BlockNote {
  readonly device?: string
  readonly bytes: number
}

/** Facts of notes about one trace. */
export interface RunFacts {
  /** From file names, else from notes. */
  readonly label: string
  /** Release. */
  readonly kernel?: string
  readonly scheduler?: string
  /** Names of fio's jobs. */
  readonly workload?: string
  /** How many dds there were. */
  readonly writers?: number
  /** fio's `numjobs`. */
  readonly jobs?: number
  readonly dropped?: DroppedEvents
  readonly zones?: readonly ZoneNote[]
  readonly blocks?: readonly BlockNote[]
  /** Of this run, and surely of this one. */
  readonly bench?: readonly BenchFigure[]
  /** On which its notes agree. */
  readonly settings?: readonly Setting[]
  /** Repeats of one measurement, as the recorder noted. */
  readonly group?: string
}

/** Which notes belong to which traces. */
export interface NotesOfTraces {
  /** `traces`: indices of those that a note belongs to. */
  readonly notes: readonly (TraceNote & { readonly traces: readonly number[] })[]
  /** One per trace. */
  readonly runs: readonly RunFacts[]
}
