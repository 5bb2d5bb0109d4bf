/** What the rail leaves out: adding and removing one value of one facet. */
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
