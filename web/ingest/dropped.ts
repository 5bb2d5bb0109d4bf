/** Collects the files of a drop; folders are read recursively. */
import { comparePaths, type FoundFile, fromFile } from './found'

/** Hidden files and the leftovers of archives and file managers are not traces. */
const SKIPPED = /^(\.|__MACOSX$|Thumbs\.db$|desktop\.ini$)/

/** Must be called within the drop event: entries become invalid afterwards. A file created by a page has no entry. */
export function entriesOf(items: DataTransferItemList): (FileSystemEntry | File)[] {
  return [...items].flatMap(item => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? item.getAsFile() ?? []) : []))
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** All entries of a folder: browsers return them in batches, until an empty one. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return entries
    entries.push(...batch)
  }
}

async function walk(entry: FileSystemEntry | File, into: string, dropped: boolean): Promise<FoundFile[]> {
  if (entry instanceof File) return [fromFile(entry, entry.name)]
  if (!dropped && SKIPPED.test(entry.name)) return []
  const path = into === '' ? entry.name : `${into}/${entry.name}`
  if (entry.isFile) return [fromFile(await fileOf(entry as FileSystemFileEntry), path)]
  const inside = await readFolder(entry as FileSystemDirectoryEntry)
  const files = await Promise.all(inside.map(e => walk(e, path, false)))
  return files.flat()
}

/** Files of the entries and of all folders below them, ordered by path. Rejects if the browser cannot read one. */
export async function filesOf(entries: readonly (FileSystemEntry | File)[]): Promise<FoundFile[]> {
  const files = (await Promise.all(entries.map(e => walk(e, '', true)))).flat()
  return files.sort(comparePaths)
}
