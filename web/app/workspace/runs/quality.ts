/** Whether a trace is complete, in a few words for its chip. */
import type { TraceInfo, Warning } from '../../../engine/protocol'
import { count, counted } from '../../../lib/format'
import { windowInWords } from '../../../state/runs/part'
import type { Run } from '../../../state/types'

export interface QualityVerdict {
  readonly complete: boolean
  readonly text: string
}

/** The warning that a file ends too early: within a record, or within a line. */
export const cutOf = (warnings: readonly Warning[]): Warning | undefined =>
  warnings.find(w => w.code === 'truncated-tail' || w.code === 'cut-line')

/** The quality of a run in a few words: the gravest loss only. `undefined` while the trace is being read. */
export function qualityVerdict(info: TraceInfo | undefined, cut?: Run['cut']): QualityVerdict | undefined {
  if (!info?.complete) return undefined
  if (cut) return { complete: false, text: 'part of the run' }
  const { lostEvents, truncatedBytes, unknownRecords, holes, warnings } = info.quality
  if (truncatedBytes > 0) {
    const end = cutOf(warnings)
    return { complete: false, text: end?.at ? `truncated: ${end.at.file}` : 'truncated' }
  }
  if (info.window) return { complete: false, text: `${windowInWords(info.window)} only` }
  if (lostEvents > 0) return { complete: false, text: `${counted(lostEvents, 'event')} lost` }
  if (holes.length > 0) return { complete: false, text: 'events lost' }
  if (unknownRecords > 0) return { complete: false, text: counted(unknownRecords, 'unknown record') }
  if (warnings.length > 0) return { complete: false, text: counted(warnings.length, 'warning') }
  const recordedActions = restrictedActions(info)
  if (!knowsLoss(info))
    return {
      complete: true,
      text: recordedActions ? `${recordedActions} only, losses unknown` : 'completely read, losses unknown',
    }
  return {
    complete: true,
    text: `${recordedActions ? `${recordedActions} only` : 'complete'}, ${count(lostEvents)} dropped`,
  }
}

/** Actions of a recording that was restricted to some of them, as `C`, `DC`; `undefined` of others. */
function restrictedActions({ devices }: TraceInfo): string | undefined {
  const recorded = new Set(devices.filter(({ masked }) => masked).map(device => device.recorded))
  const [first, ...others] = recorded
  return others.length === 0 && first !== '' ? first : undefined
}

/** Number of lost events. Unknown without sequence numbers; `some` where gaps were detected otherwise. */
export const lostCount = (info: TraceInfo): string => {
  if (info.quality.lostEvents === 0 && info.quality.holes.length > 0) return 'some'
  return knowsLoss(info) ? count(info.quality.lostEvents) : 'unknown'
}

const knowsLoss = ({ absent, quality }: TraceInfo): boolean =>
  quality.lostEvents > 0 || !absent?.includes('sequence numbers')

/** Number of all records, including messages and process names: what `blkparse` counts as events. */
export const recordCount = (info: TraceInfo): number => info.files.reduce((sum, f) => sum + f.records, 0)
