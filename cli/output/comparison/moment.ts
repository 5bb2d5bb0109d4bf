/** `seekscope compare --moment`: a stall of a recording against a quiet stretch of the same recording. */
import type { Geometry, Range, Stall } from '../../../web/engine/protocol'
import { ascii } from '../../../web/lib/format'
import { stallInWords } from '../../../web/lib/moments'
import { ns } from '../../../web/lib/units'
import { type LoadedTrace, ofEachTrace } from '../../input/read/traces'
import { arrayOf, type ComparedTrace } from '../../input/runs'
import { UsageError } from '../../program/usage'
import type { TraceInputs } from '../../program/values'
import { complain } from '../progress'

/** The two runs, the quiet one first, and the device that stalled. */
export interface MomentRuns {
  readonly runs: readonly [ComparedTrace, ComparedTrace]
  readonly device: string
}

const rangeOf = ([from, to]: readonly [number, number]): Range => ({ t0: ns(from), t1: ns(to) })
const timesOf = ([from, to]: readonly [number, number]): string =>
  `${ascii.seconds(from, 3)} to ${ascii.seconds(to, 3)} s`

/** Lists the moments, for a number that none of them has. */
function listed(moments: readonly Stall[]): string {
  const lines = moments.map((stall, i) => `${i + 1} (${timesOf([stall.from_ns, stall.to_ns])})`)
  return moments.length === 0 ? 'no device stalled in it' : `it has ${lines.join(', ')}`
}

/** Moment `number`, from 1, of the only trace among the inputs; `undefined` after a message where it has no runs. */
export async function momentRuns(
  inputs: TraceInputs,
  geometry: Geometry | undefined,
  number: number,
): Promise<MomentRuns | undefined> {
  const [found, ...others] = await ofEachTrace(inputs, loaded => runsOfMoment(loaded, geometry, number))
  if (others.length > 0)
    throw new UsageError('--moment needs one recording: it is compared with a quiet stretch of its own')
  if (found instanceof UsageError) throw found
  return found
}

function runsOfMoment(
  { trace, ...facts }: LoadedTrace,
  geometry: Geometry | undefined,
  number: number,
): MomentRuns | UsageError | undefined {
  const { moments } = trace.query('moments', {})
  const stall = moments[number - 1]
  if (!stall) return new UsageError(`--moment ${number}: ${facts.path} has no such moment; ${listed(moments)}`)
  if (!stall.quiet_ns) {
    complain(
      facts.path,
      'no-quiet-stretch',
      `Moment ${number} (the device ${stallInWords(stall, ascii)}) has no stretch of the same length in which the device was in use and did not stall. Record longer, or compare with another recording.`,
    )
    return undefined
  }
  const array = geometry ?? arrayOf(facts.notes)
  const run = (name: string, range: readonly [number, number]): ComparedTrace => ({
    ...facts,
    label: `${name}, ${timesOf(range)}`,
    trace: trace.query('digest', { ...(array && { geometry: array }), range: rangeOf(range) }),
  })
  return {
    runs: [run('quiet stretch', stall.quiet_ns), run(`moment ${number}`, stall.around_ns)],
    device: stall.device,
  }
}
