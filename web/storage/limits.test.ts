import { describe, expect, it } from 'vitest'
import {
  type FileToKeep,
  type Keepsake,
  MAX_COMPARISONS,
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_TOTAL_BYTES,
  planDrops,
  planFiles,
} from './limits'

const copied = (size: number): FileToKeep => ({ size, onDisk: false })

describe('which files are kept', () => {
  it('is those that are small enough, one by one and together', () => {
    expect(planFiles([copied(MAX_FILE_BYTES), copied(MAX_FILE_BYTES + 1)], true)).toEqual([undefined, 'file-too-large'])
    const half = copied(MAX_TOTAL_BYTES / 2)
    expect(planFiles([half, half, copied(1)], true)).toEqual([undefined, undefined, 'together-too-large'])
  })
  it('is all that the browser can open from the disk again, whatever their size', () => {
    expect(planFiles([{ size: 10 * MAX_TOTAL_BYTES, onDisk: true }, copied(1)], false)).toEqual([
      undefined,
      'no-copies',
    ])
  })
  it('is not more files than a record may name', () => {
    const plan = planFiles(
      Array.from({ length: MAX_FILES + 1 }, () => copied(1)),
      true,
    )
    expect(plan.filter(reason => reason !== undefined)).toEqual(['too-many-files'])
    expect(plan.at(-1)).toBe('too-many-files')
  })
})

describe('which comparisons give way', () => {
  const record = (id: string, when: number, bytes = 1): Keepsake => ({ id, when, bytes })

  it('is the oldest, when there are too many', () => {
    const stored = Array.from({ length: MAX_COMPARISONS }, (_, i) => record(`${i}`, 100 - i))
    expect(planDrops(stored, record('new', 200))).toEqual([`${MAX_COMPARISONS - 1}`])
    expect(planDrops(stored.slice(1), record('new', 200))).toEqual([])
  })
  it('is the oldest until there is room, and never the new one', () => {
    const stored = [record('b', 2, 200e6), record('a', 1, 200e6), record('c', 3, 100e6)]
    expect(planDrops(stored, record('new', 4, 12e6))).toEqual([])
    expect(planDrops(stored, record('new', 4, 13e6))).toEqual(['a'])
    expect(planDrops(stored, record('new', 4, MAX_TOTAL_BYTES))).toEqual(['a', 'b', 'c'])
  })
  it('is none for a record that is written again', () => {
    expect(planDrops([record('a', 1, MAX_TOTAL_BYTES)], record('a', 2, MAX_TOTAL_BYTES))).toEqual([])
  })
})
