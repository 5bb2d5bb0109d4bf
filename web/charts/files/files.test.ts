/** The table of files and structures: its rows, figures and sentences. */
import { describe, expect, it } from 'vitest'
import type { ObjectSums, ObjectsUsed, ObjectUse } from '../../engine/protocol'
import { knownPercent, knownShare, ownerKnownWords } from './owner'
import { inFile, meanTime, onDisk, rowsOf, timeShare, writersOf, writersOfRow } from './rows'
import { filesTable, filesWords } from './summary'

const sums = (over: Partial<ObjectSums> = {}): ObjectSums => ({
  requests: 0,
  read: 0,
  write: 0,
  ended: 0,
  q2c_ns: 0,
  d2c_ns: 0,
  following: 0,
  sequential_on_disk: 0,
  sequential_in_file: 0,
  following_in_file: 0,
  ...over,
})
const use = (over: Partial<ObjectUse>): ObjectUse => ({ kind: 'file', name: '', first: 0, end: 8, ...sums(), ...over })
const used = (top: readonly ObjectUse[], over: Partial<ObjectsUsed> = {}): ObjectsUsed => ({
  top,
  rest: sums(),
  unknown: sums(),
  all: sums({ requests: 10, write: 10_240, d2c_ns: 100 }),
  files: sums(),
  file_tasks: 0,
  ...over,
})

const SEQ = use({
  name: '/d/seq',
  inode: 12,
  extents: 4,
  ...sums({ requests: 4, write: 8192, ended: 2, q2c_ns: 6_000_000, d2c_ns: 25, following: 3, sequential_on_disk: 2 }),
  following_in_file: 3,
  sequential_in_file: 3,
  writers: [{ names: 'fio', bytes: 8192 }],
})
const JOURNAL = use({
  kind: 'journal',
  name: 'journal',
  ...sums({ requests: 6, write: 2048, d2c_ns: 75 }),
  writers: [
    { names: 'fio', bytes: 1250 },
    { names: 'jbd2/vda1-8', bytes: 750 },
    { names: 'rare', bytes: 48 },
  ],
})
const A = { letter: 'A', used: used([SEQ], { unknown: sums({ requests: 1, write: 2 }) }) }
const B = { letter: 'B', used: used([JOURNAL, { ...SEQ, write: 4096 }], { rest: sums({ requests: 2, read: 512 }) }) }
const SLOTS = new Map([
  ['/d/seq', 0],
  ['journal', 3],
  ['/d/small', 2],
  ['unknown', 6],
])

describe('rows', () => {
  const rows = rowsOf([A, B], SLOTS)

  it('are objects by name, the most bytes of any run first, then others and what is unknown', () => {
    expect(rows.map(({ label, token, uses }) => [label, token, ...uses.map(u => u?.requests)])).toEqual([
      ['seq', 'ob-1', 4, 4],
      ['journal', 'ob-journal', undefined, 6],
      ['others', 'ob-none', undefined, 2],
      ['unknown', 'ob-none', 1, undefined],
    ])
  })
  it('are filters by the names of the engine; others are all that have no row', () => {
    expect(rows.map(({ names }) => names)).toEqual([['/d/seq'], ['journal'], ['/d/small'], ['unknown']])
    expect(rowsOf([A], new Map()).map(({ names }) => names)).toEqual([[], []])
  })
  it('do not exist without a map', () => {
    expect(rowsOf([{ letter: 'A', used: undefined }], new Map())).toEqual([])
  })
})

it('figures are absent where nothing was counted', () => {
  expect([timeShare(SEQ, A.used), meanTime(SEQ), inFile(SEQ), onDisk(SEQ)]).toEqual([0.25, 3_000_000, 1, 2 / 3])
  expect([meanTime(JOURNAL), inFile(JOURNAL), onDisk(JOURNAL)]).toEqual([undefined, undefined, undefined])
})

it('writers have shares where there are several, and are said once where the runs agree', () => {
  expect(writersOf(SEQ)).toBe('fio')
  expect(writersOf(JOURNAL)).toBe('fio 61%, jbd2/vda1-8 37%')
  expect(writersOf(undefined)).toBe('')
  expect(writersOfRow({ uses: [SEQ, SEQ] }, ['A', 'B'])).toBe('fio')
  expect(writersOfRow({ uses: [SEQ, undefined] }, ['A', 'B'])).toBe('fio')
  expect(writersOfRow({ uses: [use({}), SEQ] }, ['A', 'B'])).toBe('B fio')
  expect(writersOfRow({ uses: [JOURNAL, SEQ] }, ['A', 'B'])).toBe('A fio 61%, jbd2/vda1-8 37% \u00b7 B fio')
})

describe('the owner that is known', () => {
  it('is not rounded up to all', () => {
    expect(knownPercent(0.99996)).toBe('99.99%')
    expect(knownPercent(1)).toBe('100%')
    expect(knownPercent(0.9998)).toBe('99.98%')
    expect(knownShare({ all: sums(), unknown: sums() })).toBeUndefined()
  })
  it('is named for each run that has a map', () => {
    const shown = [A, B].map(({ letter, used: objects }) => ({ letter, figures: { objects } }))
    expect(ownerKnownWords(shown)).toBe('Owner known for 99.98% of the bytes in A, 100% in B.')
    expect(ownerKnownWords(shown.slice(1))).toBe('Owner known for 100% of the bytes.')
    expect(ownerKnownWords([{ letter: 'A', figures: {} }])).toBeUndefined()
  })
})

it('has sentences and a table', () => {
  const rows = rowsOf([A, B], SLOTS)
  expect(filesWords([A, { letter: 'C', used: undefined }], rows)).toEqual([
    [
      'Files and structures of A: seq 25% of the time in the device, 4 requests, 8 KiB;',
      'unknown 0% of the time in the device, 1 request, 2 B. Owner known for 99.98% of the bytes.',
    ].join(' '),
    'Files and structures of C: still reading.',
  ])
  const table = filesTable([A, B], rows)
  expect(table.columns.map(({ label }) => label).slice(0, 5)).toEqual([
    'object',
    'A KiB',
    'B KiB',
    'A requests',
    'B requests',
  ])
  expect(table.rows[0]).toEqual(['/d/seq', 8, 4, 4, 4, 25, 25, 3, 3, 100, 100, 66.7, 66.7, 4, 4, 'fio', 'fio'])
})
