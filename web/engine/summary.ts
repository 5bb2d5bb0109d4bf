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
  SummaryTrace,
  Throughput,
  TraceSummary,
} from './generated/protocol'
