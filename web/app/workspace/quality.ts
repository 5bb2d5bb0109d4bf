/** Whether a trace is whole, in the few words that stand in its chip. */
import type { TraceInfo, Warning } from '../../engine/protocol'
import { count, counted } from '../../lib/format'

export interface Verdict {
  readonly whole: boolean
  readonly text: string
}

/** The warning that a file ends too early: within a record, or within a line. */
export const cutOf = (warnings: readonly Warning[]): Warning | undefined => warnings.find(w => w.code === 'truncated-tail' || w.code === 'cut-line')

/** `undefined` while the trace is still being read. */
export function verdict(info: TraceInfo | undefined): Verdict | undefined {
  if (!info?.complete) return undefined
  const { lostEvents, truncatedBytes, unknownRecords, holes, warnings } = info.quality
  if (truncatedBytes > 0) {
    const cut = cutOf(warnings)
    return { whole: false, text: cut?.at ? `cut: ${cut.at.file}` : 'cut short' }
  }
  if (lostEvents > 0) return { whole: false, text: `${counted(lostEvents, 'event')} lost` }
  if (holes.length > 0) return { whole: false, text: 'events lost' }
  if (unknownRecords > 0) return { whole: false, text: counted(unknownRecords, 'unknown record') }
  if (warnings.length > 0) return { whole: false, text: counted(warnings.length, 'warning') }
  return { whole: true, text: knowsLoss(info) ? `whole, ${count(lostEvents)} dropped` : 'read whole, losses unknown' }
}

/** Events known to be lost. Without sequence numbers nobody can say that there are none; where some are seen to lack, not how many. */
export const lost = (info: TraceInfo): string => {
  if (info.quality.lostEvents === 0 && info.quality.holes.length > 0) return 'some'
  return knowsLoss(info) ? count(info.quality.lostEvents) : 'unknown'
}

const knowsLoss = ({ absent, quality }: TraceInfo): boolean => quality.lostEvents > 0 || !absent?.includes('sequence numbers')

/** Everything that was written, messages and process names too: what `blkparse` counts as events. */
export const records = (info: TraceInfo): number => info.files.reduce((sum, f) => sum + f.records, 0)
