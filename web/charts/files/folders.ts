/** The rows of the table by folder: each folder with the sums of what is in it, before its files. Pure. */
import type { ObjectSums } from '../../engine/protocol'
import { bytesOf } from './owner'
import type { FileRow, ObjectInRun } from './rows'
import { OTHERS, STRUCTURES, UNKNOWN } from './spec'

/** A row in its folder. */
export interface FolderRow extends FileRow {
  /** Number of folders around it. */
  readonly depth: number
  /** Identifies a folder; absent for what is none. */
  readonly folder?: string
}

interface Folder {
  readonly path: string
  readonly folders: Map<string, Folder>
  readonly rows: FileRow[]
}

const newFolder = (path: string): Folder => ({ path, folders: new Map(), rows: [] })

function insert(root: Folder, row: FileRow): void {
  const parts = row.name.split('/').slice(0, -1)
  let folder = root
  for (const part of parts.filter(part => part !== '')) {
    const path = `${folder.path}/${part}`
    const inner = folder.folders.get(part) ?? newFolder(path)
    folder.folders.set(part, inner)
    folder = inner
  }
  folder.rows.push(row)
}

/** Every member of the sums is additive. */
function added(a: ObjectInRun | undefined, b: ObjectInRun): ObjectInRun {
  const { extents: _extents, writers: _writers, ...sums } = b
  if (a === undefined) return sums
  const keys = Object.keys(sums) as (keyof ObjectSums)[]
  return Object.fromEntries(keys.map(key => [key, (a[key] ?? 0) + sums[key]])) as unknown as ObjectSums
}

const most = ({ uses }: FileRow): number => Math.max(0, ...uses.map(use => (use ? bytesOf(use) : 0)))

/** A folder with its rows; without one of its own where it has nothing but one other folder. */
function rowsOfFolder(folder: Folder, depth: number, closed: ReadonlySet<string>): readonly FolderRow[] {
  const [only, ...others] = folder.folders.values()
  if (only && others.length === 0 && folder.rows.length === 0) return rowsOfFolder(only, depth, closed)
  const all = filesIn(folder)
  const [first] = all
  if (first === undefined) return []
  const uses = first.uses.map((_, run) =>
    all.reduce<ObjectInRun | undefined>((sum, { uses: each }) => (each[run] ? added(sum, each[run]) : sum), undefined),
  )
  const head: FolderRow = {
    name: folder.path,
    label: folder.path,
    token: 'ob-none',
    names: all.flatMap(({ names }) => names),
    uses,
    depth,
    folder: folder.path,
  }
  if (closed.has(folder.path)) return [head]
  const inner = [...folder.folders.values()].map(each => rowsOfFolder(each, depth + 1, closed))
  const files = folder.rows.map((row): readonly FolderRow[] => [
    { ...row, label: row.name.slice(row.name.lastIndexOf('/') + 1), depth: depth + 1 },
  ])
  const sorted = [...inner, ...files].toSorted(([a], [b]) => (b ? most(b) : 0) - (a ? most(a) : 0))
  return [{ ...head, label: folder.path }, ...sorted.flat()]
}

const filesIn = (folder: Folder): readonly FileRow[] => [
  ...folder.rows,
  ...[...folder.folders.values()].flatMap(filesIn),
]

/** Rows by folder, structures as one folder behind them; `closed` are the folders whose rows are left out. */
export function folderRows(rows: readonly FileRow[], closed: ReadonlySet<string>): readonly FolderRow[] {
  const files = newFolder('')
  const structures = newFolder(STRUCTURES)
  const last: FileRow[] = []
  for (const row of rows) {
    if (row.name.includes('/')) insert(files, row)
    else if (row.name === OTHERS || row.name === UNKNOWN) last.push(row)
    else structures.rows.push(row)
  }
  const tops = files.rows.length > 0 || files.folders.size === 1 ? [files] : [...files.folders.values()]
  return [
    ...tops.flatMap(folder => rowsOfFolder(folder, 0, closed)),
    ...rowsOfFolder(structures, 0, closed),
    ...last.map(row => ({ ...row, depth: 0 })),
  ]
}
