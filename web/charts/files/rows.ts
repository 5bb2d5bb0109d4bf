/** The rows of the table: one object in all runs, with its sums in each. Pure. */
import type { ObjectSums, ObjectsUsed, ObjectUse } from '../../engine/protocol'
import { shortPath, UNKNOWN_SLOT } from '../../state/runs/objects'
import type { Shown } from '../shared/answers/shown'
import { OBJECT_TOKENS } from '../shared/paint/palette'
import { bytesOf } from './owner'
import { OTHERS, UNKNOWN } from './spec'

/** What was requested of an object in a run. */
export type ObjectInRun = ObjectSums & Partial<Pick<ObjectUse, 'extents' | 'writers'>>

export interface FileRow {
  /** As in `TraceInfo.objects`. */
  readonly name: string
  /** The shortest part of the name that differs. */
  readonly label: string
  readonly token: string
  /** What a click shows alone; empty where that is no filter. */
  readonly names: readonly string[]
  /** Per run; `undefined` where nothing was requested of it. */
  readonly uses: readonly (ObjectInRun | undefined)[]
}

export type FilesOfRun = Pick<Shown, 'letter'> & { readonly used: ObjectsUsed | undefined }

const hasRequests = (sums: ObjectSums | undefined): ObjectInRun | undefined => (sums?.requests ? sums : undefined)

/** The most bytes in any run first; then others, and what is unknown. */
export function rowsOf(runs: readonly FilesOfRun[], slots: ReadonlyMap<string, number>): readonly FileRow[] {
  const named = new Map<string, (ObjectInRun | undefined)[]>()
  for (const [i, { used }] of runs.entries()) {
    for (const use of used?.top ?? []) {
      const uses = named.get(use.name) ?? runs.map(() => undefined)
      uses[i] = use
      named.set(use.name, uses)
    }
  }
  const paths = [...named.keys()].filter(name => name.includes('/'))
  const tokenOf = (name: string) => OBJECT_TOKENS[slots.get(name) ?? UNKNOWN_SLOT] ?? 'ob-none'
  const most = (uses: readonly (ObjectInRun | undefined)[]) => Math.max(...uses.map(use => (use ? bytesOf(use) : 0)))
  const rows = [...named]
    .toSorted(([, a], [, b]) => most(b) - most(a))
    .map(
      ([name, uses]): FileRow => ({
        name,
        label: name.includes('/') ? shortPath(name, paths) : name,
        token: tokenOf(name),
        names: slots.has(name) ? [name] : [],
        uses,
      }),
    )
  const left = [...slots.keys()].filter(name => name !== UNKNOWN && !named.has(name))
  const extra = (name: string, names: readonly string[], uses: readonly (ObjectInRun | undefined)[]): FileRow[] =>
    uses.some(use => use !== undefined) ? [{ name, label: name, token: 'ob-none', names, uses }] : []
  return [
    ...rows,
    ...extra(
      OTHERS,
      left,
      runs.map(({ used }) => hasRequests(used?.rest)),
    ),
    ...extra(
      UNKNOWN,
      slots.has(UNKNOWN) ? [UNKNOWN] : [],
      runs.map(({ used }) => hasRequests(used?.unknown)),
    ),
  ]
}

const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined)

/** Share of all the time in the device. */
export const timeShare = (use: ObjectSums, { all }: Pick<ObjectsUsed, 'all'>): number | undefined =>
  ratio(use.d2c_ns, all.d2c_ns)

/** Mean Q2C, ns. */
export const meanTime = (use: ObjectSums): number | undefined => ratio(use.q2c_ns, use.ended)

export const inFile = (use: ObjectSums): number | undefined => ratio(use.sequential_in_file, use.following_in_file)

export const onDisk = (use: ObjectSums): number | undefined => ratio(use.sequential_on_disk, use.following)

/** Names of writers that are listed, and least share of the bytes that a further one has. */
const MAX_WRITERS = 2
const MIN_SHARE = 0.05

/** `fio`, `jbd2 61%, kworker`: who wrote or dirtied it, with shares where several did. */
export function writersOf(use: ObjectInRun | undefined): string {
  const writers = use?.writers ?? []
  const allBytes = writers.reduce((sum, { bytes }) => sum + bytes, 0)
  const listed = writers.filter(({ bytes }, i) => i === 0 || bytes >= MIN_SHARE * allBytes).slice(0, MAX_WRITERS)
  const percent = (bytes: number) => `${Math.round((bytes / allBytes) * 100)}%`
  return listed.map(({ names, bytes }) => (listed.length > 1 ? `${names} ${percent(bytes)}` : names)).join(', ')
}

/** `fio`, where the runs agree; else `A fio · B sync`. */
export function writersOfRow({ uses }: Pick<FileRow, 'uses'>, letters: readonly string[]): string {
  const texts = uses.map(writersOf)
  const [first = '', ...others] = texts.filter(text => text !== '')
  const isSame = others.every(text => text === first) && uses.every((use, i) => use === undefined || texts[i] !== '')
  if (isSame) return first
  return texts.flatMap((text, i) => (text === '' ? [] : [`${letters[i] ?? ''} ${text}`])).join(' \u00b7 ')
}
