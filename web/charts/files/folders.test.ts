import { describe, expect, it } from 'vitest'
import { folderRows } from './folders'
import type { FileRow } from './rows'

const sums = (write: number) => ({
  requests: 1,
  read: 0,
  write,
  ended: 1,
  q2c_ns: 10,
  d2c_ns: 5,
  following: 0,
  sequential_on_disk: 0,
  sequential_in_file: 0,
  following_in_file: 0,
})
const row = (name: string, ...writes: readonly (number | undefined)[]): FileRow => ({
  name,
  label: name,
  token: 'ob-none',
  names: [name],
  uses: writes.map(write => (write === undefined ? undefined : sums(write))),
})
const ROWS = [
  row('/srv/data/db/a.ibd', 8, 4),
  row('/srv/data/log', 2, undefined),
  row('/srv/data/db/b.ibd', undefined, 3),
  row('journal', 1, 6),
  row('unknown', 1, 1),
]
const linesOf = (closed: readonly string[] = []) =>
  folderRows(ROWS, new Set(closed)).map(({ label, depth, uses }) => [depth, label, ...uses.map(use => use?.write)])

describe('the table by folder', () => {
  it('has the sums of each folder before its files', () => {
    expect(linesOf()).toEqual([
      [0, '/srv/data', 10, 7],
      [1, '/srv/data/db', 8, 7],
      [2, 'a.ibd', 8, 4],
      [2, 'b.ibd', undefined, 3],
      [1, 'log', 2, undefined],
      [0, 'structures', 1, 6],
      [1, 'journal', 1, 6],
      [0, 'unknown', 1, 1],
    ])
  })

  it('leaves out the rows of closed folders', () => {
    expect(linesOf(['/srv/data', 'structures']).map(([, label]) => label)).toEqual([
      '/srv/data',
      'structures',
      'unknown',
    ])
  })

  it('filters by all files of a folder', () => {
    expect(folderRows(ROWS, new Set())[1]?.names).toEqual(['/srv/data/db/a.ibd', '/srv/data/db/b.ibd'])
  })
})
