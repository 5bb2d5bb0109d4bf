/** Decides before reading which part of a recording is read, by an estimate of its size. */

import type { TimeWindow } from '../../../web/engine/protocol'
import { FEW_EXCERPTS, FITTING_BYTES, surelyFits } from '../../../web/engine/reading/probe'
import { ns } from '../../../web/lib/units'
import type { TimeLimits, TraceInputs } from '../../program/values'
import type { InputFile } from '../find/inputs'
import { type Engine, estimate } from './engine'

export const windowOf = ({ t0, t1 }: TimeLimits): TimeWindow => ({
  ...(t0 !== undefined && { from_ns: ns(t0) }),
  ...(t1 !== undefined && { to_ns: ns(t1) }),
})

const seconds = (ns: number): string => String(Number((ns / 1e9).toPrecision(6)))

/**
 * What to read of a trace: all (absent), or a part. Throws an EngineError with the command that reads a part when it
 * does not fit.
 */
export function planWindow(engine: Engine, files: readonly InputFile[], inputs: TraceInputs): TimeWindow | undefined {
  const { range, prefersComplete, capacity, withRange } = inputs
  const requested = range && windowOf(range)
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  if (capacity === undefined && bytes <= FITTING_BYTES) return prefersComplete ? undefined : requested
  if (prefersComplete || !requested) {
    // The other excerpts of a recording that surely fits would take 4 % of the time of a summary.
    if (surelyFits(estimate(engine, files, { capacity, maxExcerpts: FEW_EXCERPTS }))) return undefined
    if (!estimate(engine, files, { capacity }).error) return undefined
  }
  const { error, window } = estimate(engine, files, { window: requested, capacity })
  if (!error) return requested
  const repeatCommand =
    window && withRange && `Run: ${withRange(`${seconds(window.from_ns ?? 0)}:${seconds(window.to_ns ?? 0)}`)}`
  throw { ...error, remedy: [error.remedy, repeatCommand].filter(Boolean).join(' ') }
}
