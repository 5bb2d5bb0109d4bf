import { describe, expect, it } from 'vitest'
import type { FoundFile } from '../../ingest/found'
import { ns } from '../../lib/units'
import type { Run } from '../types'
import { batchesOf, referenceOf, sourcesOf, windowIn } from './sources'

const SHA = '0011223344556677'.repeat(4)

const file = (path: string, url?: string): FoundFile => ({
  name: path.split('/').at(-1) ?? path,
  path,
  blob: new Blob(),
  lastModified: 0,
  ...(url !== undefined && { source: { url, sha: SHA } }),
})
const runs = (...traces: readonly number[]) => traces.map(trace => ({ trace }) as Run)
const A = { url: 'https://a.org/a.tar', sha: SHA }
const B = { url: 'https://b.org/b.tar', sha: SHA }

describe('where runs came from', () => {
  it('is told of files that something came from, also out of archives', () => {
    const files = [
      file('a.org/a.tar', A.url),
      file('b.org/b.tar', B.url),
      file('local.tar'),
      file('c.org/junk', 'https://c.org/junk'),
    ]
    const used = [
      { path: 'a.org/a.tar/one/sda.blktrace.0', trace: 1 },
      { path: 'a.org/a.tar/two', trace: 2 },
      { path: 'b.org/b.tar' },
    ]
    expect(sourcesOf(files, used, 7)).toEqual([
      { ...A, batch: 7, traces: [1, 2] },
      { ...B, batch: 7, traces: [] },
    ])
  })

  const a = { ...A, batch: 1, traces: [1, 2] }
  const b = { ...B, batch: 2, traces: [3] }
  it('is a link when all of them did', () => {
    expect(referenceOf(runs(1, 2, 3), [a, b])).toEqual({ urls: [A, B], opened: [1, 1] })
    expect(referenceOf(runs(3, 1), [a, b])).toEqual({ urls: [A, B], opened: [1, 1], gone: [2] })
    expect(referenceOf(runs(3), [a, b])).toEqual({ urls: [B] })
  })
  it('has the parts that were read, by the number of the trace', () => {
    const window = { from_ns: ns(1e9), to_ns: ns(2e9) }
    const [first, ...others] = runs(1, 2, 3)
    const parts = [{ ...first, window }, ...others] as Run[]
    expect(referenceOf(parts, [a, b]).windows).toEqual([{ trace: 1, window }])
    expect(referenceOf(parts.slice(1), [a, b])).toEqual({ urls: [A, B], opened: [1, 1], gone: [1] })
    // What memory had room for is opened again just so.
    const full = [...runs(1, 2), { trace: 3, info: { window } } as Run]
    expect(referenceOf(full, [a, b]).windows).toEqual([{ trace: 3, window }])
    expect([1, 3].map(n => windowIn([{ trace: 3, window }, { window: {} }], n))).toEqual([{}, window])
    expect(windowIn([{ trace: 3, window }], 1)).toBeUndefined()
  })
  it('is none when a run came from elsewhere, or there are no runs', () => {
    expect(referenceOf(runs(1, 2, 4), [a])).toEqual({})
    expect(referenceOf([], [a])).toEqual({})
  })
  it('keeps what was opened at once together', () => {
    expect(batchesOf(['x', 'y', 'z'], [1, 2])).toEqual([['x'], ['y', 'z']])
    expect(batchesOf(['x', 'y'])).toEqual([['x', 'y']])
  })
})
