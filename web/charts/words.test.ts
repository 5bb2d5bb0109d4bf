/** Chart summaries and tables. */
import { describe, expect, it } from 'vitest'
import { costWords, gridWords, largest, memberWords } from './alignment/summary'
import { noneWords } from './flushes/summary'
import { words as latencyWords } from './latency/summary'
import { crossingWords, percentileName } from './percentiles/summary'
import { words as depthWords, noDepth } from './queue-depth/summary'
import { mailTable, onlySize, onlySizeWords, withSectors } from './request-sizes/summary'
import type { Shown } from './shared/answers/shown'
import { kindsInWords } from './throughput/summary'

const f64 = (...values: number[]) => Float64Array.from(values)
const figures = {
  depth: { mean: 0.84, p50: 1, p95: 1, max: 3 },
  waiting: { mean: 2.52, max: 4 },
  starved: { total_ns: 1.519e9, share: 0.195, longest_ns: 27.4e6, intervals: 1181 },
  flush: { preflush: 0, flush: 0, fua: 0, busy_share: 0 },
  merges: { back: 0, front: 0 },
  sizes: { queued: [{ sectors: 8 }], issued: [{ sectors: 8 }, { sectors: 0 }], completed: [{ sectors: 8 }] },
}
const run = (letter: string, more: object = {}) =>
  ({ letter, id: letter, device: { role: 'disk', name: 'vda', requests: 1280 }, figures, ...more }) as unknown as Shown

describe('queue depth', () => {
  it('has mean, tail and starved time', () => {
    expect(depthWords(run('B'))).toBe(
      'Queue depth of B: 0.840 requests in flight on average, median 1, p95 1, max 3. 2.52 bios waited on average, max 4. The device was idle while bios waited for 1.52 s (19.5% of the run), in 1,181 intervals, the longest 27.4 ms.',
    )
  })
  it('explains why a stacked device has none', () =>
    expect(noDepth(run('A', { device: { role: 'stacked', name: 'md0' } }))).toContain('md0 has no issue events (D)'))
})

describe('request sizes', () => {
  const oneSize = { sectors: f64(8), reads: f64(0), writes: f64(1280), discards: f64(0) }
  const severalSizes = { sectors: f64(0, 8, 16), reads: f64(0, 5, 5), writes: f64(9, 5, 0), discards: f64(0, 0, 0) }
  it('become a sentence when there is only one', () => {
    expect(onlySize([oneSize, oneSize])).toBe(8)
    expect(onlySize([oneSize, severalSizes])).toBeUndefined()
    expect(onlySizeWords([run('A'), run('B')], [oneSize, oneSize], 8, 'issued')).toBe(
      'All 1,280 requests are 4 KiB in both runs, as queued, issued and completed. No merges.',
    )
  })
  it('name only the places that a device has', () => {
    const stacked = { figures: { ...figures, sizes: { ...figures.sizes, issued: [] } } }
    expect(onlySizeWords([run('A', stacked)], [oneSize], 8, 'queued')).toBe(
      'All 1,280 requests are 4 KiB, as queued and completed. No merges.',
    )
  })
  it('leave flushes out', () => expect([...withSectors(severalSizes).sectors]).toEqual([8, 16]))
  it('become a table for email, most frequent first', () => {
    expect(mailTable([run('A')], [withSectors(severalSizes)])).toBe(
      '     nr    size\n     10       8   A\n      5      16   A\n',
    )
    expect(mailTable([run('A')], [withSectors(severalSizes)], 1)).toContain('1 more')
  })
})

describe('alignment', () => {
  const class_ = (requests: number) => ({ requests, bytes: requests * 512 })
  const answer = {
    n: 48,
    classes: { full: class_(0), unit: class_(0), inside: class_(0), straddles: class_(48) },
    stripes: { full: 0, partial: 96 },
    rmw: { reads: 144, writes: 96, extraBytes: 1048576, told: false },
    misaligned4k: 48,
  } as never
  it('names the largest class and the cost', () => {
    expect(largest(answer)).toBe('48 of 48 straddles')
    expect(costWords(answer)).toBe(
      'Stripes written: 0 completely, 96 partially. Read-modify-write (estimated): 144 extra device reads and 96 extra device writes, 1 MiB.',
    )
  })
  it('shows the I/O of members', () => {
    const extra = { read_bytes: 589824, write_bytes: 335360 }
    const members = {
      members: ['254,0'],
      of: 5,
      by_disk: true,
      ideal_bytes: 1,
      counted: extra,
      estimated: extra,
      own_write_bytes: 0,
      agreement: 1,
    }
    expect(memberWords({ figures: { alignment: { members } } as never })).toBe(
      '1 of 5 disks traced, full run: 576 KiB read and 328 KiB written beyond full stripes; estimate 576 KiB read and 328 KiB written (100% agreement).',
    )
    expect(memberWords({ figures: undefined })).toBe('')
  })
  it('without a geometry only knows 4 KiB alignment', () => {
    expect(gridWords([run('A'), run('B')], [0, 0])).toBe('All requests are 4 KiB-aligned in both runs.')
    expect(gridWords([run('A'), run('B')], [0, 48])).toBe('Not 4 KiB-aligned: 48 of B.')
    expect(gridWords([run('A')], [undefined])).toBe('')
  })
})

describe('other charts', () => {
  it('mention that there are no flushes', () =>
    expect(noneWords([run('A')])).toBe('None in this run: 0 flushes and 0 FUA writes among 1,280 requests.'))
  it('show where curves cross', () =>
    expect(crossingWords({ p: 0.952, ns: 1, faster: 1, beyond: 30 }, ['A', 'B'])).toBe(
      'B is faster up to p95.2 and far slower beyond',
    ))
  it('name percentiles', () => expect([0, 0.5, 0.999].map(percentileName)).toEqual(['min', 'p50', 'p99.9']))
  it('never show a percentage of nothing', () =>
    expect(latencyWords(run('A'), 'q2c', { n: 0 } as never)).toContain('no visible request'))
  it('name what is read and written', () => {
    expect(kindsInWords(['write'])).toBe('writes only')
    expect(kindsInWords(['read', 'write'])).toBe('reads and writes')
  })
})

describe('where two curves cross', () => {
  it('is said as exactly as it is known', () => {
    const cross = { p: 0.9523, ns: 1, faster: 1, beyond: 20 } as const
    expect(crossingWords(cross, ['A', 'B'])).toBe('B is faster up to p95.2 and far slower beyond')
    expect(crossingWords(cross, ['A', 'B'], true)).toMatch(/about p95 by the points of the snapshot/)
    expect(crossingWords({ ...cross, p: 0.9962 }, ['A', 'B'], true)).toContain('about p99.6')
  })
})
