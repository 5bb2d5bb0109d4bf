import type { LayerTime } from '../../engine/protocol'

/** The share of the time itself in that of a layer and those below it. */
export function ownShare({ before_ns: before, after_ns: after, below_ns: below }: LayerTime): number {
  const itself = before + after
  return itself / Math.max(1, itself + below)
}
