/** The document that `seekscope summary --json` prints for one trace; the page's figures come from the same object. */
export type {
  MemberCheck,
  SizeCount,
  SlowRequest,
  SummaryClasses,
  SummaryCounters,
  SummaryDevice,
  SummaryStage,
  SummaryTail,
  Throughput,
} from './generated/protocol'

import type { BenchFigure, Stall, TraceNote, TraceSummary } from './generated/protocol'

/** The figures of a trace, and what the command line adds to them. */
export interface SummaryTrace extends TraceSummary {
  /** Findings about the run by itself, for the device that a comparison would choose. */
  readonly findings?: readonly SummaryFinding[]
  /** Stalls of the devices, by their time; at most 256, the longest ones. */
  readonly moments?: readonly Stall[]
  readonly notes?: readonly TraceNote[]
  /** Figures of a benchmark, from notes. */
  readonly bench?: readonly BenchFigure[]
}

/** The fields of `RunFinding` that text needs. */
interface SummaryFinding {
  readonly code: string
  readonly rank: number
  /** The finding in ASCII. */
  readonly sentence: string
}
