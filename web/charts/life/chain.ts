/** The chain of a request in words: who caused it, for what, on which disk, and when it was done. Pure. */
import type { DiskObject, Life, ObjectNames, RequestColumns } from '../../engine/protocol'
import { count, seconds, size } from '../../lib/format'
import type { Run } from '../../state/types'
import { WRITTEN_BY } from '../files/spec'
import { deviceName } from '../shared/answers/names'
import { callText } from './call'

/** A part of a request: what its sectors belong to, and who wrote them there. */
export interface RequestPart {
  readonly sectors: number
  /** Absent: nothing says to what they belong. */
  readonly object?: DiskObject
  /** Byte in the file. */
  readonly offset?: number
  /** `comm[pid]`, several separated by `|`. */
  readonly writers?: string
}

export interface ChainLink {
  /** What it is; empty where the words say it. */
  readonly role: string
  readonly words: string
}

/** The parts of a row of columns. */
export function partsOf(columns: RequestColumns, i: number, names: ObjectNames): readonly RequestPart[] {
  const [from, to] = [columns.firstPart[i] ?? 0, columns.firstPart[i + 1] ?? 0]
  return Array.from({ length: to - from }, (_, k): RequestPart => {
    const part = from + k
    const object = names.objects[columns.partObject[part] ?? -1]
    const offset = columns.partOffset[part] ?? Number.NaN
    const writers = names.writers[columns.partWriters[part] ?? -1]
    return {
      sectors: columns.partSectors[part] ?? 0,
      ...(object && { object }),
      ...(!Number.isNaN(offset) && { offset }),
      ...(writers !== undefined && { writers }),
    }
  })
}

/** `fio 812`, `fio or sync`: tasks in words. */
function taskWords(writers: string): string {
  const tasks = writers.split('|').map(task => task.replace(/\[(\d+)\]$/, ' $1'))
  if (tasks.length === 1) return tasks[0] ?? ''
  return [...new Set(tasks.map(task => task.replace(/ \d+$/, '')))].join(' or ')
}

/** Sectors that a map calls free, or outside of all partitions, have no owner. */
const hasOwner = ({ object }: RequestPart): boolean =>
  object !== undefined && object.kind !== 'free' && object.kind !== 'outside'

/** The name of a file in filters; absent for other objects. */
export const fileOf = ({ object }: RequestPart): string | undefined =>
  object?.kind === 'file' ? (object.path ?? `inode ${object.inode ?? 0}`) : undefined

function objectWords(part: RequestPart): ChainLink {
  const { object, offset } = part
  if (object === undefined || !hasOwner(part)) return { role: 'file', words: 'unknown' }
  if (object.kind !== 'file') return { role: '', words: object.kind.replaceAll('-', ' ') }
  const name = object.path ?? `inode ${object.inode ?? 0}`
  return { role: 'file', words: offset === undefined ? name : `${name} + ${size(offset)}` }
}

/** Parts that are named; a request rarely covers more. */
const MAX_NAMED = 3

/** The call by its events, else what the call stack says of it. */
function callLinks({ call, enteredBy: entry }: Life): readonly ChainLink[] {
  if (call !== undefined) return [{ role: 'call', words: callText(call) }]
  return entry === undefined ? [] : [{ role: 'entered by', words: entry }]
}

/** From the task to the completion. */
export function chainOf(
  life: Life,
  parts: readonly RequestPart[],
  run: Run,
  devices: readonly ChainLink[] = [],
): readonly ChainLink[] {
  const writers = [...new Set(parts.flatMap(part => part.writers ?? []))]
  const submitter = `${life.process} ${life.pid}`
  const tasks = writers.slice(0, MAX_NAMED).map(taskWords).join(', ')
  const isWrite = life.op === 'write'
  const isOwnTask = tasks === '' || tasks === submitter
  const disk = deviceName(life.dev, run)
  const via = life.via === undefined ? disk : deviceName(life.via, run)
  const objects = parts.slice(0, MAX_NAMED).map(objectWords)
  const [first] = objects
  const more = parts.length - objects.length
  return [
    ...(isOwnTask ? [] : [{ role: isWrite ? 'dirtied by' : 'for', words: tasks }]),
    { role: isOwnTask ? 'task' : isWrite ? WRITTEN_BY : 'read by', words: submitter },
    ...callLinks(life),
    ...(first
      ? [
          {
            role: objects.every(({ role }) => role === first.role) ? first.role : '',
            words: [...objects.map(({ words }) => words), ...(more > 0 ? [`${more} more`] : [])].join(', '),
          },
        ]
      : []),
    ...(devices.length > 0 ? devices : [{ role: 'disk', words: via === disk ? disk : `${via} \u2192 ${disk}` }]),
    ...(life.completed === undefined ? [] : [{ role: '', words: `completed at ${seconds(life.completed, 4)} s` }]),
  ]
}

/** What is not known of the owner, and what would tell it; `undefined` where all parts have one. */
export function unknownWords(life: Life, parts: readonly RequestPart[]): string | undefined {
  let sector: number = life.sector
  for (const part of parts) {
    if (!hasOwner(part)) {
      const why =
        part.object?.kind === 'free' ? 'is free in the map of the disk' : 'belongs to nothing in the map of the disk'
      const learn = 'To learn it, record with --files and the path, or with --origin for the events of the file system.'
      return `The owner of sector ${count(sector)} is unknown, and nothing is guessed: it ${why}. ${learn}`
    }
    sector += part.sectors
  }
  return undefined
}

export const chainText = (chain: readonly ChainLink[]): string =>
  chain.map(({ role, words }) => (role === '' ? words : `${role} ${words}`)).join(' -> ')
