/** The history of committed ranges. `undefined` is the complete time axis, which grows while traces are read. */
import type { Range } from '../engine/protocol'

export interface Trail {
  readonly steps: readonly (Range | undefined)[]
  /** Index of the step that is shown. */
  readonly index: number
}

export const START: Trail = { steps: [undefined], index: 0 }

const MAX_STEPS = 200

const isSameRange = (a: Range | undefined, b: Range | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.t0 === b.t0 && a.t1 === b.t1)

export const current = (trail: Trail): Range | undefined => trail.steps[trail.index]

/** Adds a step after the current one and drops all later ones. An equal range adds none. */
export function push(trail: Trail, range: Range | undefined): Trail {
  if (isSameRange(current(trail), range)) return trail
  const steps = [...trail.steps.slice(0, trail.index + 1), range]
  const retained = steps.slice(-MAX_STEPS)
  return { steps: retained, index: retained.length - 1 }
}

/** Changes the range of the current step. */
export function replace(trail: Trail, range: Range | undefined): Trail {
  return isSameRange(current(trail), range) ? trail : { ...trail, steps: trail.steps.with(trail.index, range) }
}

/** Moves by `offset` steps, within the trail. */
export function go(trail: Trail, offset: number): Trail {
  const index = Math.max(0, Math.min(trail.steps.length - 1, trail.index + offset))
  return index === trail.index ? trail : { ...trail, index }
}

const contains = (outer: Range | undefined, inner: Range | undefined): boolean =>
  outer === undefined || (inner !== undefined && outer.t0 <= inner.t0 && outer.t1 >= inner.t1)

/**
 * The ranges around the current one, through which the reader came to it: the complete time axis first, the current
 * range last. Ranges next to it, which were only passed, are not among them.
 */
export function enclosing(trail: Trail): readonly (Range | undefined)[] {
  const path: (Range | undefined)[] = [undefined]
  for (const step of trail.steps.slice(0, trail.index + 1)) {
    while (path.length > 1 && !contains(path.at(-1), step)) path.pop()
    if (isSameRange(path.at(-1), step)) continue
    if (step === undefined) path.length = 1
    else path.push(step)
  }
  return path
}
