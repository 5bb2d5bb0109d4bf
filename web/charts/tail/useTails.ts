/** The slowest requests of each run: of the complete run from its figures, of what the view shows by a query. */
import type { SummaryDevice, SummaryTail } from '../../engine/summary'
import { duration } from '../../lib/format'
import { nothingHidden } from '../../state/hidden'
import { type ChartFrame, filtered, type Shown, zoomed } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { PERCENTILE, slowestShare } from './spec'

interface TailRun {
  readonly run: Shown
  readonly tail: SummaryTail
}

export interface Tails {
  readonly runs: readonly TailRun[]
  /** Says which requests these are. */
  readonly what: string
  /** Reasons of the runs that are absent. */
  readonly missing: readonly string[]
}

/** A tail is more expensive than what a chart queries. */
const REST_MS = 200

/** `the slowest 1%; complete run`, `the requests of 4 ms to 8 ms; visible range, without hidden requests`. */
function whatOf(frame: ChartFrame, percentile: number): string {
  const { latency } = frame.view
  const which = latency
    ? `the requests of ${duration(latency[0])} to ${duration(latency[1])}`
    : slowestShare(percentile)
  const without = nothingHidden(frame.view.hidden) ? '' : ', without hidden requests'
  return `what the time of ${which} went to; ${zoomed(frame) ? 'visible range' : 'complete run'}${without}`
}

/** Why a run has no tail; absent for a device without requests. */
function reasonOf({ run }: Shown, { absent, latency_ns }: SummaryDevice): string | undefined {
  if (absent?.tail !== undefined) return `absent, ${absent.tail}.`
  const has = latency_ns.q2c ?? latency_ns.d2c
  return run.snapshot && has ? 'not in this snapshot. Drop the original trace, or ask for a new link.' : undefined
}

export function useTails(frame: ChartFrame): Tails {
  const { shown, view } = frame
  const part = zoomed(frame) || filtered(frame)
  const measured = shown.filter(run => run.figures?.tail)
  const replies = useAnswers(
    'tail',
    measured,
    run =>
      part ? { filter: run.filter, range: view.range, ...(view.latency ? {} : { percentile: PERCENTILE }) } : undefined,
    'tail',
    REST_MS,
  )
  const runs = measured.flatMap((run, i): TailRun[] => {
    const tail = part ? replies[i]?.answer?.tail : run.figures?.tail
    return tail ? [{ run, tail }] : []
  })
  const absent = shown.flatMap(run => {
    const reason = run.figures && !run.figures.tail ? reasonOf(run, run.figures) : undefined
    return reason === undefined ? [] : [`${run.letter}: ${reason}`]
  })
  const unknown = measured.flatMap(({ letter }, i) => {
    const { answer, error } = replies[i] ?? {}
    if (!part || answer?.tail || (!answer && !error)) return []
    return [`${letter}: ${error ? error.message : 'no request here has a latency.'}`]
  })
  return { runs, what: whatOf(frame, runs[0]?.tail.percentile || PERCENTILE), missing: [...absent, ...unknown] }
}
