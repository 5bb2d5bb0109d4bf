/** Which two runs are subtracted, and whether a sector of one is a sector of the other. */
import type { DeviceInfo } from '../../engine/protocol'
import { count } from '../../lib/format'
import type { Shown } from '../shared/shown'

export interface Pair {
  readonly base: Shown
  readonly other: Shown
  /** `B − A`. */
  readonly name: string
}

/** The baseline, and the run that was chosen to be compared with it, else the first other one. */
export function pairOf(shown: readonly Shown[]): Pair | undefined {
  const base = shown.find(s => s.run.baseline) ?? shown[0]
  const others = shown.filter(s => s !== base)
  const other = others.find(s => s.run.compared) ?? others[0]
  return base && other && { base, other, name: `${other.letter} \u2212 ${base.letter}` }
}

const ROLES = { disk: 'issues requests', stacked: 'is an array', remapped: 'is mapped to another device' } as const

/** Of two reaches, how much of the longer one both have. */
function shared([a0, a1]: readonly [number, number], [b0, b1]: readonly [number, number]): number {
  return Math.max(0, Math.min(a1, b1) - Math.max(a0, b0)) / Math.max(1, a1 - a0, b1 - b0)
}

type Described = readonly [letter: string, device: DeviceInfo]

/**
 * Why the maps of two devices cannot be subtracted; `undefined` when they match: both of one kind, and of one name or number, or with
 * requests in the same sectors.
 */
export function mismatch([a, one]: Described, [b, two]: Described): string | undefined {
  const shows = `${a} shows ${one.name}, ${b} ${two.name}`
  if (one.role !== two.role)
    return `${shows}: ${one.name} ${ROLES[one.role]}, ${two.name} ${ROLES[two.role]}, and a sector of one is not a sector of the other.`
  if (one.name === two.name || one.dev === two.dev || shared(one.lba, two.lba) >= 0.5) return undefined
  const reach = ({ lba }: DeviceInfo) => `${count(lba[0])} to ${count(lba[1])}`
  return `${shows}: requests of ${a} reach over sectors ${reach(one)}, those of ${b} over ${reach(two)}. These are different devices.`
}
