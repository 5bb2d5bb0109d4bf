import { expect, it } from 'vitest'
import type { Copies } from './copies'
import type { Database } from './database'
import { MAX_TOTAL_BYTES } from './limits'
import type { StoredComparison } from './record'
import { createShelf } from './shelf'
import { agoWords, notKeptWords, placeWords, reopenedWords } from './words'

function memory() {
  const records = new Map<string, StoredComparison>()
  const files = new Map<string, Blob>()
  const database: Database = {
    all: async () => [...records.values()],
    get: async id => records.get(id),
    put: async record => void records.set(record.id, record),
    delete: async id => void records.delete(id),
    clear: async () => records.clear(),
  }
  const copies: Copies = {
    write: async (name, blob) => void files.set(name, blob),
    read: async () => undefined,
    names: async () => [...files.keys()],
    remove: async name => void files.delete(name),
    clear: async () => files.clear(),
  }
  return { records, files, shelf: createShelf(database, copies), withoutCopies: createShelf(database, undefined) }
}

const record = (id: string, over: Partial<StoredComparison> = {}): StoredComparison => ({
  id,
  when: 1,
  sides: [],
  more: 0,
  link: 'v=1',
  batches: [
    { files: [{ name: `${id}.tar`, path: `${id}.tar`, size: 1, lastModified: 1, copy: `copy ${id}` }], traces: 1 },
  ],
  gone: [],
  windows: [],
  bytes: 1,
  ...over,
})

it('drops the oldest comparison with its copies, and what a closed tab left behind', async () => {
  const { shelf, files } = memory()
  for (const name of ['copy a', 'copy b', 'left behind']) files.set(name, new Blob(['x']))
  await shelf.put(record('a'))
  expect([...files.keys()]).toEqual(['copy a'])
  files.set('copy b', new Blob(['x']))
  await shelf.put(record('b', { when: 2, bytes: MAX_TOTAL_BYTES }))
  expect((await shelf.list()).map(({ id }) => id)).toEqual(['b'])
  expect([...files.keys()]).toEqual(['copy b'])
})

it('keeps one comparison of the same files, the newest first', async () => {
  const { shelf } = memory()
  await shelf.put(record('a', { source: 'x' }))
  await shelf.put(record('b', { source: 'y', when: 2 }))
  await shelf.put(record('c', { source: 'x', when: 3 }))
  expect((await shelf.list()).map(({ id }) => id)).toEqual(['c', 'b'])
  await shelf.remove('c')
  await shelf.clear()
  expect(await shelf.list()).toEqual([])
})

it('copies nothing where the browser does not let it', async () => {
  const { withoutCopies } = memory()
  expect(withoutCopies.canCopy).toBe(false)
  expect(await withoutCopies.copy('a', new Blob(['x']))).toBe(false)
})

it('says where things are, and what is missing', () => {
  const file = { name: 'big.tar', path: 'big.tar', size: 1, lastModified: 1 }
  const batches = [{ files: [{ ...file, notKept: 'file-too-large' as const }], traces: 1 }]
  expect(notKeptWords({ batches })).toBe(
    'big.tar is not kept in this browser: only files of up to 256 MB are. After a reload, open the files again.',
  )
  expect(notKeptWords(record('a'))).toBeUndefined()
  expect(placeWords(record('a', { bytes: 4.4e6 }))).toBe('kept in this browser: 1 file, 4.4 MB')
  expect(placeWords(record('a', { from: 'sample' }))).toBe('a sample of this page')
  expect(reopenedWords(['a.tar'], [])).toBe('a.tar is no longer available. Open it again.')
  expect(reopenedWords([], ['a.tar'])).toBe('a.tar has changed on the disk since this comparison was opened.')
  expect(reopenedWords([], [])).toBeUndefined()
})

it('says when', () => {
  const now = Date.UTC(2026, 10, 27, 12)
  const after = (minutes: number) => agoWords(now - minutes * 60_000, now)
  expect([0, 2, 125, 60 * 25, 60 * 24 * 3, 60 * 24 * 8].map(after)).toEqual([
    'just now',
    '2 min ago',
    '2 h ago',
    'yesterday',
    '3 days ago',
    '2026-11-19',
  ])
})
