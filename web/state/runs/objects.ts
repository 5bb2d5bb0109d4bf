/**
 * Files and structures of all runs as one list with one palette: an object has the same name, and so the same colour,
 * in all runs.
 */
import type { ObjectInfo } from '../../engine/protocol'
import type { Run } from '../types'

/**
 * What a colour stands for, by slot. Files beyond the named ones share the slot of the third; the engine has no more
 * slots, and draws what it has no slot for as the last.
 */
export const OBJECT_CLASSES = ['file', 'file', 'files', 'journal', 'inode tables', 'metadata', 'unknown'] as const
type ObjectClass = (typeof OBJECT_CLASSES)[number]

export const UNKNOWN_SLOT = OBJECT_CLASSES.length - 1
/** Files that may have a colour of their own. */
const MAX_NAMED = OBJECT_CLASSES.indexOf('journal')

/** What a map calls sectors that no file had when it was taken: nothing is known of who wrote them. */
const OWNERLESS: readonly string[] = ['free space', 'outside of partitions']

interface NamedObject extends Pick<ObjectInfo, 'name' | 'kind'> {
  readonly slot: number
}

export interface ObjectColours {
  /** The most bytes first; what is unknown is last. Empty without a map of a disk. */
  readonly list: readonly NamedObject[]
  readonly slots: ReadonlyMap<string, number>
  /** The word of each slot. */
  readonly labels: readonly string[]
}

type Objects = readonly ObjectInfo[]

const isFile = ({ kind }: Pick<ObjectInfo, 'kind'>): boolean => kind === 'file' || kind === 'other-files'

/** The objects of all runs in the order of the best rank that a run has for each, and what is unknown last. */
function ranked(runs: readonly Objects[]): Objects {
  const ranks = new Map<string, { readonly object: ObjectInfo; readonly rank: number }>()
  for (const objects of runs)
    for (const [rank, object] of objects.entries())
      if (rank < (ranks.get(object.name)?.rank ?? Number.POSITIVE_INFINITY)) ranks.set(object.name, { object, rank })
  const last = (object: ObjectInfo) => Number(object.kind === 'unknown')
  return [...ranks.values()]
    .toSorted((a, b) => last(a.object) - last(b.object) || a.rank - b.rank)
    .map(({ object }) => object)
}

/** The last parts of a path, as many as distinguish it from the others. */
export function shortPath(path: string, others: readonly string[]): string {
  const parts = path.split('/')
  for (let n = 1; n < parts.length; n += 1) {
    const end = parts.slice(-n).join('/')
    if (end !== '' && !others.some(other => other !== path && (other === end || other.endsWith(`/${end}`)))) return end
  }
  return path
}

function coloursOf(runs: readonly Objects[]): ObjectColours {
  const all = ranked(runs)
  const files = all.filter(isFile)
  const hasOthers = files.length > MAX_NAMED || files.some(({ kind }) => kind === 'other-files')
  const named = files.filter(({ kind }) => kind === 'file').slice(0, hasOthers ? MAX_NAMED - 1 : MAX_NAMED)
  const classOf = ({ name, kind }: ObjectInfo): ObjectClass => {
    if (kind === 'journal') return kind
    if (kind === 'unknown' || OWNERLESS.includes(name)) return 'unknown'
    return name === 'inode tables' ? name : 'metadata'
  }
  const slotOf = (object: ObjectInfo): number => {
    if (!isFile(object)) return OBJECT_CLASSES.indexOf(classOf(object))
    const place = named.indexOf(object)
    return place < 0 ? OBJECT_CLASSES.indexOf('files') : place
  }
  const list = all.map(object => ({ name: object.name, kind: object.kind, slot: slotOf(object) }))
  const paths = files.map(({ name }) => name)
  const labels = OBJECT_CLASSES.map((word, slot) => {
    const file = named[slot]
    return file ? shortPath(file.name, paths) : word === 'files' ? 'other files' : word
  })
  return { list, slots: new Map(list.map(({ name, slot }) => [name, slot])), labels }
}

let last: { readonly lists: readonly (Objects | undefined)[]; readonly colours: ObjectColours } = {
  lists: [],
  colours: coloursOf([]),
}

/** The last answer is cached: one render needs it several times. */
export function objectColours(runs: readonly Run[]): ObjectColours {
  const lists = runs.map(run => run.info?.objects)
  if (lists.length !== last.lists.length || lists.some((objects, i) => objects !== last.lists[i]))
    last = { lists, colours: coloursOf(lists.map(objects => objects ?? [])) }
  return last.colours
}

/** Slot of each object of a run, for the `object` layer: index is `ObjectInfo.index`. */
export function objectSlotsOf(run: Run, { slots }: ObjectColours): number[] {
  const slotOfObject: number[] = []
  for (const { index, name } of run.info?.objects ?? []) slotOfObject[index] = slots.get(name) ?? UNKNOWN_SLOT
  return slotOfObject
}
