/** Colour layers of the map: tokens and names of their classes. */
import { ALIGNMENT_CLASSES, type Layer, OPS } from '../../engine/protocol'
import { type LeftOut, ONLY_ASYNC, onlyAlignment, onlyObjects, onlyOp, onlyProcesses } from '../../state/hidden'
import { ALIGNMENT_NAMES, type NameSource, processName } from '../shared/answers/names'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import {
  ALIGNMENT_TOKENS,
  OBJECT_TOKENS,
  OP_TOKENS,
  ORDERED_TOKENS,
  PROCESS_TOKENS,
  SYNC_TOKENS,
} from '../shared/paint/palette'

export const LAYER_NAMES: Readonly<Record<Layer, string>> = {
  density: 'density',
  op: 'operation',
  alignment: 'alignment',
  process: 'process',
  size: 'size',
  latency: 'latency',
  sync: 'sync, FUA, flush',
  object: 'object',
}

const TOKENS: Readonly<Record<Layer, readonly string[]>> = {
  density: ['in-flight'],
  op: OP_TOKENS,
  alignment: ALIGNMENT_TOKENS,
  process: PROCESS_TOKENS,
  size: ORDERED_TOKENS,
  latency: ORDERED_TOKENS,
  sync: SYNC_TOKENS,
  object: OBJECT_TOKENS,
}

export const classTokens = (layer: Layer): readonly string[] => TOKENS[layer]

/** What the slots of processes and objects are, the same in all runs. */
export type Slots = Pick<ChartFrame, 'processes' | 'objects'>

/** The slots that a query of this layer needs. */
export const slotsIn = (layer: Layer, run: Pick<Shown, 'slots' | 'objectSlots'>): { slots?: readonly number[] } =>
  layer === 'process' ? { slots: run.slots } : layer === 'object' ? { slots: run.objectSlots } : {}

const CLASS_NAMES: Readonly<Record<Exclude<Layer, 'process' | 'object'>, readonly string[]>> = {
  density: ['requests'],
  op: ['read', 'write', 'discard', 'flush'],
  alignment: ALIGNMENT_CLASSES.map(name => ALIGNMENT_NAMES[name]),
  size: ['to 4 KiB', '16 KiB', '64 KiB', '256 KiB', '1 MiB', 'larger'],
  latency: ['to 0.1 ms', '1 ms', '10 ms', '100 ms', '1 s', 'longer'],
  sync: ['async', 'sync', 'FUA', 'flush'],
}

/** Name of each class; processes by their keys' slots. */
export function classNames(
  layer: Layer,
  { processes, objects }: Slots,
  run: NameSource | undefined,
): readonly string[] {
  if (layer === 'object') return objects.labels
  if (layer !== 'process') return CLASS_NAMES[layer]
  const names: string[] = ['', '', '', '', '', 'other']
  for (const [key, slot] of processes) if (slot < 5) names[slot] ||= processName(key, run)
  return names
}

/** What to leave out so that one class is shown alone, where filters can do that: those of flags leave out only. */
export function classFilters(layer: Layer, { processes, objects }: Slots): readonly (LeftOut | undefined)[] {
  if (layer === 'op') return OPS.map(onlyOp)
  if (layer === 'alignment') return ALIGNMENT_CLASSES.map(onlyAlignment)
  if (layer === 'sync') return [ONLY_ASYNC]
  if (layer === 'object')
    return OBJECT_TOKENS.map((_, slot) => onlyObjects(objects.slots.keys(), name => objects.slots.get(name) === slot))
  if (layer !== 'process') return []
  return PROCESS_TOKENS.map((_, slot) => onlyProcesses(processes.keys(), key => processes.get(key) === slot))
}

/** `dd vda1`, `dd vda2`, .. as `dd on vda1…4`, when the names are such a sequence. */
export function shortened(names: readonly string[]): string | undefined {
  const parts = names.map(name => /^(.*) ([a-z]+|\d+,)(\d+)$/.exec(name))
  const [first, last] = [parts[0], parts.at(-1)]
  if (names.length < 2 || !first || !last) return undefined
  const same = parts.every(
    (p, i) => p !== null && p[1] === first[1] && p[2] === first[2] && Number(p[3]) === Number(first[3]) + i,
  )
  return same ? `${first[1]} on ${first[2]}${first[3]}\u2026${last[3]}` : undefined
}
