/** The moments of the open runs: stalls of their devices, and triggers of an armed recorder. */
import type { Stall, TimeWindow } from '../../../engine/protocol'
import { ns } from '../../../lib/units'
import type { MomentToCompare } from '../../../state/actions'
import type { Run } from '../../../state/types'
import { isQuiet, spanOf, type Trigger, triggerOf } from './triggers'

/** A stall, a trigger, or a stall within which a trigger fired. */
export interface Moment {
  /** Stable for the life of the page. */
  readonly key: string
  readonly run: Run
  /** Time since the first event of the run. */
  readonly from: number
  /** Number of the stall among those of the run; 0 without a stall. */
  readonly number: number
  readonly stall?: Stall
  readonly trigger?: Trigger
}

/** A stall with its number among those of the run, as `compare --moment` has it. */
export interface NumberedStall {
  readonly run: Run
  readonly stall: Stall
  readonly number: number
}

/**
 * The stalls of all runs, those of a run together. A stretch around one of them stands for its recording: the others
 * stay in the list.
 */
export const stallsOf = (runs: readonly Run[]): readonly NumberedStall[] =>
  runs.flatMap(run =>
    (run.whole?.moments ?? run.moments ?? []).map((stall, index) => ({ run, stall, number: index + 1 })),
  )

/** A stall may be noticed so long after its end, ns: the recorder reads the counters ten times a second. */
const SAMPLE_NS = 100e6

const isWithin = ({ time }: Trigger, { from_ns, to_ns }: Stall): boolean => time >= from_ns && time <= to_ns + SAMPLE_NS

export const momentKey = (run: Pick<Run, 'id'>, from: number): string => `${run.id} ${from}`

/**
 * All moments of a run in their order; none before its stalls are known. A trigger belongs to the stall in which it
 * fired, else it is a moment of its own: which of both may not change under the reader.
 */
export function momentsOf(run: Run): readonly Moment[] {
  if (!run.whole && !run.moments) return []
  const trigger = triggerOf(run)
  const numbered = stallsOf([run])
  const cause = trigger && numbered.find(({ stall }) => isWithin(trigger, stall))?.stall
  const stalls = numbered.map(
    ({ stall, number }): Moment => ({
      key: momentKey(run, stall.from_ns),
      run,
      from: stall.from_ns,
      number,
      stall,
      ...(trigger && stall === cause && { trigger }),
    }),
  )
  if (!trigger || cause) return stalls
  const alone: Moment = { key: momentKey(run, trigger.time), run, from: trigger.time, number: 0, trigger }
  return [...stalls, alone].toSorted((a, b) => a.from - b.from)
}

const windowOf = ([from, to]: readonly [number, number]): TimeWindow => ({ from_ns: ns(from), to_ns: ns(to) })

/** Time before and after a trigger without a stall, ns. */
const MARGIN_NS = 2e9

/** The stretch that shows a moment, on the clock of its run. */
export function stretchAround({ run, from, stall }: Pick<Moment, 'run' | 'from' | 'stall'>): readonly [number, number] {
  return stall?.around_ns ?? [Math.max(0, from - MARGIN_NS), Math.min(spanOf(run), from + MARGIN_NS)]
}

/** What is read to compare a moment with a quiet stretch of its recording. */
export function comparisonWithQuiet(moment: Pick<Moment, 'run' | 'from' | 'stall' | 'number'>): MomentToCompare {
  const { stall, number } = moment
  return {
    label: stall ? `moment ${number}` : 'trigger',
    around: windowOf(stretchAround(moment)),
    ...(stall?.quiet_ns && { quiet: windowOf(stall.quiet_ns) }),
  }
}

/** A run with its moments, or the quiet recording among them. */
export interface RunMoments {
  readonly run: Run
  readonly moments: readonly Moment[]
  readonly quiet: boolean
}

/** The runs that have moments, and quiet recordings beside them; empty if no run has any. */
export function momentsByRun(runs: readonly Run[]): readonly RunMoments[] {
  const all = runs.map(run => ({ run, moments: momentsOf(run), quiet: isQuiet(run) }))
  return all.some(({ moments }) => moments.length > 0)
    ? all.filter(({ moments, quiet }) => quiet || moments.length > 0)
    : []
}

/**
 * The moment `offset` further in the list, which goes on at its other end; without a current one the first, or the
 * last for a negative `offset`.
 */
export function nextMoment(
  moments: readonly Moment[],
  current: string | undefined,
  offset: number,
): Moment | undefined {
  const index = moments.findIndex(({ key }) => key === current)
  if (index < 0) return moments.at(offset > 0 ? 0 : -1)
  return moments[(index + offset + moments.length) % moments.length]
}
