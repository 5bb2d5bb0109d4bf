/** Which two runs are subtracted, and whether their sectors are comparable. */
import type { DeviceInfo } from '../../engine/protocol'
import { count } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'

export interface Pair {
  readonly base: Shown
  readonly other: Shown
  /** `B − A`. */
  readonly name: string
}

/** The baseline, and the run selected for comparison or the first other one. */
export function pairOf(shown: readonly Shown[]): Pair | undefined {
  const base = shown.find(s => s.run.baseline) ?? shown[0]
  const others = shown.filter(s => s !== base)
  const other = others.find(s => s.run.compared) ?? others[0]
  return base && other && { base, other, name: `${other.letter} \u2212 ${base.letter}` }
}

const ROLES = { disk: 'is a disk', stacked: 'is an array', remapped: 'is mapped to another device' } as const

/** Overlap of two sector ranges, as a share of the longer one. */
function shared([a0, a1]: readonly [number, number], [b0, b1]: readonly [number, number]): number {
  return Math.max(0, Math.min(a1, b1) - Math.max(a0, b0)) / Math.max(1, a1 - a0, b1 - b0)
}

type ShownDevice = readonly [letter: string, device: DeviceInfo]

/**
 * Why the maps of two devices cannot be subtracted; `undefined` when they match: both of one kind, and of one name
 * or number, or with requests in the same sectors.
 */
export function mismatch([a, base]: ShownDevice, [b, other]: ShownDevice): string | undefined {
  const shows = `${a} shows ${base.name}, ${b} shows ${other.name}`
  if (base.role !== other.role)
    return `${shows}. ${base.name} ${ROLES[base.role]}, ${other.name} ${ROLES[other.role]}: their sectors are not comparable.`
  if (base.name === other.name || base.dev === other.dev || shared(base.lba, other.lba) >= 0.5) return undefined
  const reach = ({ lba }: DeviceInfo) => `${count(lba[0])} to ${count(lba[1])}`
  return `${shows}. ${a} has requests in sectors ${reach(base)}, ${b} in ${reach(other)}: different devices.`
}

/** Runs that fit side by side in a table. */
const MAX_COLUMNS = 2

/** All runs where they fit side by side; else the baseline and the compared one. */
export function comparedRuns({ shown }: Pick<ChartFrame, 'shown'>): readonly Shown[] {
  if (shown.length <= MAX_COLUMNS) return shown
  const pair = pairOf(shown)
  return pair ? [pair.base, pair.other] : shown.slice(0, MAX_COLUMNS)
}

/** Which of the runs are shown; absent where all are. */
export const comparedWords = ({ shown }: Pick<ChartFrame, 'shown'>, runs: readonly Shown[]): string | undefined =>
  runs.length < shown.length ? `${runs.map(({ letter }) => letter).join(' and ')}, which are compared` : undefined
