/** The event list: which lines, and a page of them. */
import type { Ns, Sector } from '../../lib/units'
import type { ZoneKind } from '../../lib/zones'
import type { Flag, Op, Range } from './filter'

/** Which lines an event list shows. What is absent does not restrict. */
export interface EventFilter {
  /** Letters as blkparse prints them; `m` for messages. */
  readonly actions?: readonly string[]
  /** Plugs and messages have no operation. */
  readonly ops?: readonly Op[]
  /** `DeviceInfo.index`. */
  readonly devices?: readonly number[]
  /** `ProcessInfo.index` of the running task. */
  readonly processes?: readonly number[]
  readonly cpus?: readonly number[]
  /** Errors by number or name (`5`, `EIO`), `any` for all: completions that failed. */
  readonly errors?: readonly string[]
  /** [from, to): events that touch it. */
  readonly lba?: readonly [Sector, Sector]
  readonly range?: Range
  /** Words that the printed line must contain; case is ignored. */
  readonly text?: readonly string[]
  /** Plugs and messages stay. */
  readonly hideOps?: readonly Op[]
  readonly hideFlags?: readonly Flag[]
  readonly hideProcesses?: readonly number[]
  readonly hideCpus?: readonly number[]
}

/** A line as blkparse prints it, in its columns. */
export interface EventRow {
  /** Number among all events and messages: the key for `eventRequest`. */
  readonly entry: number
  readonly at: Ns
  readonly dev: string
  readonly cpu: number
  readonly pid: number
  readonly action: string
  readonly rwbs: string
  /** The rest of the line after the flags. */
  readonly tail: string
  /** What it does to a zone. */
  readonly zone?: ZoneKind
  /** Why it failed: `EIO (I/O error)`. */
  readonly failed?: string
}

/**
 * Each query applies the filter to one more piece of the trace: while `examined` < `of`, `total` is "so far" and the
 * query is to be repeated.
 */
export interface SearchProgress {
  readonly total: number
  readonly examined: number
  readonly of: number
}
