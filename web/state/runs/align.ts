/** Offsets of the runs on the shared time axis: by first event, first I/O, wall clock, or by hand. */
import { ns } from '../../lib/units'
import { beginOf, deviceOf, visible } from '../filter'
import type { Run, View } from '../types'

type Align = NonNullable<View['align']>

/** A fact about the clock of the machine that recorded a run, ns. */
function clockFact(run: Pick<Run, 'notes'>, key: string): number | undefined {
  const facts = (run.notes ?? []).flatMap(note => (note.kind === 'clock-sync' ? note.facts : []))
  const value = facts.find(fact => fact.key === key)?.value
  return typeof value === 'number' ? value : undefined
}

/**
 * How far apart two simultaneous events may appear when runs are aligned by the wall clock, ns: the sum of the two
 * largest errors that their machines noted. `undefined`: some machine noted none.
 */
export function clockError(runs: readonly Run[]): number | undefined {
  const errors = visible(runs).map(run => clockFact(run, 'clock_error'))
  const noted = errors.filter(error => error !== undefined)
  if (noted.length < errors.length || noted.length < 2) return undefined
  const [first = 0, second = 0] = noted.toSorted((a, b) => b - a)
  return first + second
}

/** Why the wall clock cannot align the runs; `undefined` when it can. */
export function noClock(runs: readonly Run[]): string | undefined {
  const unclocked = visible(runs).filter(r => r.info?.startedAt === undefined && r.status.kind !== 'failed')
  if (unclocked.length === 0) return undefined
  const letters = unclocked.map(r => r.letter).join(', ')
  return `${letters} ${unclocked.length === 1 ? 'has' : 'have'} no wall clock time: the trace has no TIMESTAMP record, or its format lacks one.`
}

/** Where a run begins, ns; only differences between runs matter. `undefined`: unknown. */
function placeOf(run: Run, align: Align, clock: number): number | undefined {
  switch (align) {
    case 'io':
      return run.info && -(deviceOf(run)?.active[0] ?? 0)
    case 'clock':
      return run.info?.startedAt === undefined
        ? undefined
        : (run.info.startedAt - clock) * 1e6 + (clockFact(run, 'clock_correction') ?? 0)
    case 'hand':
      return run.shift ?? 0
  }
}

function withShift(run: Run, shift: number): Run {
  if ((run.shift ?? 0) === shift) return run
  const { shift: _, ...rest } = run
  return shift === 0 ? rest : { ...rest, shift: ns(shift) }
}

/** Parts of recordings begin where the first of them begins; complete recordings are not moved. */
function byBegin(runs: readonly Run[]): readonly Run[] {
  const first = Math.min(...visible(runs).map(beginOf))
  return runs.map(run => withShift(run, run.hidden ? 0 : first - beginOf(run)))
}

/**
 * Applies the alignment: the earliest visible run gets offset 0. Returns the same list if no offset changes, so that
 * the store sees no change.
 */
export function alignRuns(runs: readonly Run[], align: View['align']): readonly Run[] {
  const shownRuns = visible(runs)
  const clock = shownRuns.find(r => r.info?.startedAt !== undefined)?.info?.startedAt ?? 0
  const method = align === 'clock' && noClock(runs) ? undefined : align
  const place = (run: Run) => method && placeOf(run, method, clock)
  const first = Math.min(...shownRuns.flatMap(r => place(r) ?? []))
  const moved = (run: Run) => {
    const begin = place(run)
    return withShift(run, begin === undefined ? 0 : Math.round(begin - first))
  }
  const next = method === undefined ? byBegin(runs) : runs.map(moved)
  return next.every((run, i) => run === runs[i]) ? runs : next
}

/** Applies offsets set by hand: ns by run; only differences matter. */
export const shiftRuns = (runs: readonly Run[], to: Readonly<Record<string, number>>): readonly Run[] =>
  runs.map(run => withShift(run, Math.round(to[run.id] ?? run.shift ?? 0)))

/** The current offsets in ns, by run. */
export const shiftsOf = (runs: readonly Run[]): Readonly<Record<string, number>> =>
  Object.fromEntries(runs.map(r => [r.id, r.shift ?? 0]))
