/** The records of kept comparisons, in IndexedDB. */
import type { StoredComparison } from './record'

export interface Database {
  all(): Promise<readonly StoredComparison[]>
  get(id: string): Promise<StoredComparison | undefined>
  put(record: StoredComparison): Promise<void>
  delete(id: string): Promise<void>
  clear(): Promise<void>
}

const NAME = 'seekscope'
const STORE = 'comparisons'

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Rejects where the browser refuses storage. */
export async function openDatabase(): Promise<Database> {
  const opening = indexedDB.open(NAME, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' })
  const database = await settled(opening)
  // Another tab may have a newer version of the page.
  database.onversionchange = () => database.close()
  const read = () => database.transaction(STORE).objectStore(STORE)
  const change = (apply: (records: IDBObjectStore) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite')
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
      apply(transaction.objectStore(STORE))
    })
  return {
    all: async () => (await settled(read().getAll())) as StoredComparison[],
    get: async id => (await settled(read().get(id))) as StoredComparison | undefined,
    put: record => change(records => records.put(record)),
    delete: id => change(records => records.delete(id)),
    clear: () => change(records => records.clear()),
  }
}
