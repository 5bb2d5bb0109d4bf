/** Kept comparisons with their copies, within the limits. */
import { type Copies, openCopies } from './copies'
import { type Database, openDatabase } from './database'
import { planDrops } from './limits'
import type { StoredComparison } from './record'

export interface Shelf {
  readonly canCopy: boolean
  /** The newest first. */
  list(): Promise<readonly StoredComparison[]>
  get(id: string): Promise<StoredComparison | undefined>
  /** Keeps a comparison; the oldest others, and an earlier one of the same files, give way. */
  put(record: StoredComparison): Promise<void>
  /** Whether there was room. */
  copy(name: string, blob: Blob): Promise<boolean>
  read(name: string, size: number): Promise<File | undefined>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

const copiesIn = (records: readonly StoredComparison[]): ReadonlySet<string> =>
  new Set(records.flatMap(record => record.batches.flatMap(batch => batch.files.flatMap(file => file.copy ?? []))))

export function createShelf(database: Database, copies: Copies | undefined): Shelf {
  /** Removes copies that no record names: those of removed comparisons, and what a closed tab did not finish. */
  const sweep = async () => {
    if (!copies) return
    // First the files: a record is written before its copies.
    const names = await copies.names()
    const used = copiesIn(await database.all())
    for (const name of names) if (!used.has(name)) await copies.remove(name)
  }
  return {
    canCopy: copies !== undefined,
    list: async () => [...(await database.all())].sort((a, b) => b.when - a.when),
    get: id => database.get(id),
    async put(record) {
      const stored = await database.all()
      const isSame = ({ id, source }: StoredComparison) =>
        id !== record.id && source !== undefined && source === record.source
      const replaced = stored.filter(isSame).map(({ id }) => id)
      const others = stored.filter(({ id }) => !replaced.includes(id))
      for (const id of [...replaced, ...planDrops(others, record)]) await database.delete(id)
      await database.put(record)
      await sweep()
    },
    async copy(name, blob) {
      if (!copies) return false
      try {
        const { quota = Number.POSITIVE_INFINITY, usage = 0 } = await navigator.storage.estimate()
        if (quota - usage < blob.size) return false
        await copies.write(name, blob)
        return true
      } catch {
        return false
      }
    },
    read: async (name, size) => copies?.read(name, size),
    async remove(id) {
      await database.delete(id)
      await sweep()
    },
    async clear() {
      await database.clear()
      await copies?.clear()
    },
  }
}

/** Rejects where the browser refuses storage. */
export async function openShelf(): Promise<Shelf> {
  return createShelf(await openDatabase(), await openCopies().catch(() => undefined))
}
