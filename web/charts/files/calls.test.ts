import { expect, it } from 'vitest'
import { type CallsOfRun, callRows, callsTable, callsWords, hasCalls } from './calls'

const sums = (requests: number) => ({ requests, bytes: requests * 4096, d2c_ns: requests * 10 })
const call = (name: string, requests: number) => ({ name, ...sums(requests) })
const RUNS: readonly CallsOfRun[] = [
  { letter: 'A', used: { top: [call('fsync()', 6)], unknown: sums(4), all: sums(10) } },
  { letter: 'B', used: { top: [call('io_uring WRITE', 8), call('fsync()', 2)], unknown: sums(0), all: sums(10) } },
]

it('rows are calls of all runs, the most requests first, then what has none', () => {
  const rows = callRows(RUNS)
  expect(rows.map(({ name, sums: each }) => [name, ...each.map(sum => sum?.requests)])).toEqual([
    ['io_uring WRITE', undefined, 8],
    ['fsync()', 6, 2],
    ['unknown', 4, undefined],
  ])
  expect(callsTable(RUNS, rows).rows[1]).toEqual(['fsync()', 6, 2, 24, 8, 60, 20])
})

it('words name the calls of each run', () => {
  expect(callsWords(RUNS)[0]).toBe(
    'By call of A: of 10 requests, fsync() 60% of the requests, 24 KiB; 40% without a call.',
  )
  expect(hasCalls([{ letter: 'A', used: undefined }])).toBe(false)
})
