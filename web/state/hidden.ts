/** What the rail leaves out: one value of one facet, or all values but those that are to be shown alone. */
import { ALIGNMENT_CLASSES, type AlignmentClass, OPS, type Op } from '../engine/protocol'
import type { Hidden } from './types'

export type HiddenFacet = keyof Hidden
export type HiddenValue<F extends HiddenFacet> = Hidden[F][number]

export function withHidden<F extends HiddenFacet>(
  hidden: Hidden,
  facet: F,
  value: HiddenValue<F>,
  hide: boolean,
): Hidden {
  const rest = (hidden[facet] as readonly HiddenValue<F>[]).filter(v => v !== value)
  return { ...hidden, [facet]: hide ? [...rest, value] : rest }
}

export const nothingHidden = (hidden: Hidden): boolean => Object.values(hidden).every(list => list.length === 0)

/** The facets that change when a few values are shown alone, each with all that it leaves out then. */
export type LeftOut = Partial<Hidden>

/** Names that one click leaves out: a link has room for 500 filters, and a recording may have far more processes. */
export const MAX_LEFT_OUT = 200

/** What to leave out so that this operation is shown alone. */
export const onlyOp = (op: Op): LeftOut => ({ ops: OPS.filter(other => other !== op) })

export const onlyAlignment = (cls: AlignmentClass): LeftOut => ({
  alignment: ALIGNMENT_CLASSES.filter(other => other !== cls),
})

/** No scheduler serves these first: neither sync nor FUA, and no flush. */
export const ONLY_ASYNC: LeftOut = { ops: ['flush'], flags: ['sync', 'fua', 'preflush'] }

/** `undefined` where nothing is left to leave out, or too much. */
export function onlyProcesses(all: Iterable<string>, isShown: (key: string) => boolean): LeftOut | undefined {
  const processes = [...all].filter(key => !isShown(key))
  return processes.length > 0 && processes.length <= MAX_LEFT_OUT ? { processes } : undefined
}

/** The same for files and structures, by name. */
export function onlyObjects(all: Iterable<string>, isShown: (name: string) => boolean): LeftOut | undefined {
  const objects = [...all].filter(name => !isShown(name))
  return objects.length > 0 && objects.length <= MAX_LEFT_OUT ? { objects } : undefined
}

const facetsOf = (leftOut: LeftOut): readonly HiddenFacet[] => Object.keys(leftOut) as HiddenFacet[]

/** Whether exactly these values are left out of these facets. */
export const leavesOut = (hidden: Hidden, leftOut: LeftOut): boolean =>
  facetsOf(leftOut).every(facet => {
    const [now, then] = [new Set<unknown>(hidden[facet]), new Set<unknown>(leftOut[facet])]
    return now.size === then.size && [...then].every(value => now.has(value))
  })

/** Leaves these values out; if they are left out already, shows all values of these facets. */
export const withLeftOut = (hidden: Hidden, leftOut: LeftOut): Hidden =>
  leavesOut(hidden, leftOut)
    ? { ...hidden, ...Object.fromEntries(facetsOf(leftOut).map(facet => [facet, []])) }
    : { ...hidden, ...leftOut }
