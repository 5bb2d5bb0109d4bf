/** Committed ranges, step by step, as a browser keeps pages. `undefined` is the whole of the time axis, however long it grows. */
import type { Range } from '../engine/protocol'

export interface Trail {
  readonly steps: readonly (Range | undefined)[]
  /** The step that is shown. */
  readonly at: number
}

export const START: Trail = { steps: [undefined], at: 0 }

const MOST = 200

const same = (a: Range | undefined, b: Range | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.t0 === b.t0 && a.t1 === b.t1)

export const current = (trail: Trail): Range | undefined => trail.steps[trail.at]

/** A new step after the shown one; what came after it is forgotten. The same range again is no step. */
export function push(trail: Trail, range: Range | undefined): Trail {
  if (same(current(trail), range)) return trail
  const steps = [...trail.steps.slice(0, trail.at + 1), range]
  const kept = steps.slice(-MOST)
  return { steps: kept, at: kept.length - 1 }
}

/** The shown step looks elsewhere now; no new step. */
export function replace(trail: Trail, range: Range | undefined): Trail {
  return same(current(trail), range) ? trail : { ...trail, steps: trail.steps.with(trail.at, range) }
}

/** To another step; stays within the trail. */
export function go(trail: Trail, by: number): Trail {
  const at = Math.max(0, Math.min(trail.steps.length - 1, trail.at + by))
  return at === trail.at ? trail : { ...trail, at }
}
