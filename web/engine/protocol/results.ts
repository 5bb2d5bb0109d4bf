/** Results of benchmarks without a trace: tables of mails and reports of fio, dd, tiotest and tiobench, as matrices. */
import type { MatrixAnswer } from './compare'
import type { BenchFigure } from './notes'

/** A value of a dimension. */
export interface NamedValue {
  readonly name: string
  readonly value: string
}

/** How often which latency was measured. */
export interface LatencyDistribution {
  /** `read`, `write`, `trim`; of histograms what their text names. */
  readonly operation: string
  /** Latency in ns and number of I/Os, ascending. */
  readonly bins: readonly (readonly [number, number])[]
}

/** A run without a trace. */
export interface ResultRun {
  readonly label: string
  /** Path. */
  readonly file: string
  /** Of its table in the file. */
  readonly line?: number
  /** By dimension; empty if it has none. */
  readonly values: readonly string[]
  /** Which one of those with the same values, where the text says so: `2`, `interval 3`, `500 ms`. */
  readonly repeat?: string
  readonly figures: readonly BenchFigure[]
  readonly distributions?: readonly LatencyDistribution[]
}

/** Runs that were measured in the same way. */
export interface ResultTable {
  readonly title: string
  /** `table`, or the program that printed it: `fio`, `dd`, `iostat`. */
  readonly tool: string
  readonly files: readonly string[]
  /** The same in all runs. */
  readonly common: readonly NamedValue[]
  /** Names of metrics that are 0 in all runs. */
  readonly zero?: readonly string[]
  /** Those in which runs differ; runs with the same values are repeats. */
  readonly dimensions: readonly { readonly key: string; readonly name: string }[]
  readonly runs: readonly ResultRun[]
  /** Keys of dimensions. */
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** Its key: values joined by U+0001. */
  readonly base?: { readonly axis: 'row' | 'column'; readonly key: string }
  /** Values of the first dimension whose runs are in no cell. */
  readonly left_out?: readonly string[]
  /** By what the text tells its sides apart: `by the headings`. */
  readonly evidence?: string
}

/** A table with the figures of its cells. */
export interface ResultMatrix extends ResultTable, MatrixAnswer {
  /** Values of the rows' dimensions. */
  readonly row_values: readonly (readonly string[])[]
  readonly column_values: readonly (readonly string[])[]
  /** Runs of each cell, row by row. */
  readonly cells: readonly (readonly number[])[]
  /** Cells that are compared: base, other. */
  readonly pairs: readonly (readonly [number, number])[]
  /** The lines that were tested, in the order of the figures' sweeps. */
  readonly lines: readonly (readonly string[])[]
  /** Sentences about what the figures themselves show of the text. */
  readonly remarks?: readonly string[]
}

export interface ResultsDocument {
  /** What only traces have, in words. */
  readonly absent: string
  readonly tables: readonly ResultMatrix[]
}

/** How one table is laid out; what is absent is guessed. Dimensions in neither list are averaged. */
export interface ResultLayout {
  /** Index of the table. */
  readonly table: number
  /** Keys of dimensions. */
  readonly rows?: readonly string[]
  readonly columns?: readonly string[]
  readonly base?: NonNullable<ResultTable['base']>
  readonly noBase?: true
  /** Values of the first dimension whose runs are left out. */
  readonly leftOut?: readonly string[]
}

export interface ResultsQuery {
  readonly tables: readonly ResultTable[]
  readonly layout?: ResultLayout
}
