import { describe, expect, it } from 'vitest'
import type { Life, LifeCall, RequestColumns } from '../../engine/protocol'
import type { Run } from '../../state/types'
import { chainOf, chainText, partsOf, type RequestPart, unknownWords } from './chain'

const run = { info: { devices: [{ dev: '254,0', name: 'vda' }] } } as unknown as Run
const life = (over: Partial<Life> = {}): Life =>
  ({
    op: 'write',
    process: 'kworker/u8:0',
    pid: 9,
    dev: '254,0',
    via: '254,1',
    sector: 264_728,
    sectors: 8,
    completed: 87_898_500_000,
    ...over,
  }) as unknown as Life
const RND: RequestPart = {
  sectors: 8,
  object: { kind: 'file', path: '/fio/rnd.0.0', inode: 12 },
  offset: 2 << 20,
  writers: 'fio[812]',
}

describe('the chain of a request', () => {
  it('begins with who dirtied what a kernel thread wrote', () => {
    expect(chainText(chainOf(life(), [RND], run))).toBe(
      [
        'dirtied by fio 812',
        'written by kworker/u8:0 9',
        'file /fio/rnd.0.0 + 2 MiB',
        'disk vda1 \u2192 vda',
        'completed at 87.8985 s',
      ].join(' -> '),
    )
  })
  it('has one task where the submitter is the writer, and ends in the trace', () => {
    const submitted = life({ process: 'fio', pid: 812 })
    expect(chainOf(submitted, [RND], run).map(({ role }) => role)).toEqual(['task', 'file', 'disk', ''])
    const pending = { ...submitted }
    delete (pending as { completed?: unknown }).completed
    expect(chainText(chainOf(pending, [RND], run))).not.toContain('completed')
  })
  it('names the call in which it was queued, and how long that took', () => {
    const call = { name: 'pwrite64()', fd: 3, begin: 1_000_000, end: 2_740_000 } as unknown as LifeCall
    const text = chainText(chainOf(life({ call }), [RND], run))
    expect(text).toContain('-> call pwrite64(), fd 3, returned after 1.74 ms -> file')
    expect(chainText(chainOf(life({ enteredBy: 'fsync()' }), [RND], run))).toContain('-> entered by fsync() -> file')
    const pending = { name: 'io_uring READ', begin: 1_000_000 } as unknown as LifeCall
    expect(chainText(chainOf(life({ call: pending }), [RND], run))).toContain('-> call io_uring READ -> file')
  })
  it('names structures, several parts and several tasks', () => {
    const journal: RequestPart = { sectors: 8, object: { kind: 'journal' }, writers: 'fio[1]|fio[2]|sync[3]' }
    const [submitter, , what] = chainOf(life(), [journal, RND], run)
    expect(submitter?.words).toBe('fio or sync, fio 812')
    expect(what).toEqual({ role: '', words: 'journal, /fio/rnd.0.0 + 2 MiB' })
  })
})

it('says of which sector the owner is unknown, and what would tell it', () => {
  expect(unknownWords(life(), [RND])).toBeUndefined()
  expect(unknownWords(life(), [RND, { sectors: 8 }])).toMatch(
    /^The owner of sector 264,736 is unknown, .*: it belongs to nothing .*\. To learn it, record with --files/,
  )
  expect(unknownWords(life(), [{ sectors: 8, object: { kind: 'free' } }])).toContain('is free in the map')
  expect(chainText(chainOf(life(), [{ sectors: 8 }], run))).toContain('file unknown')
})

it('reads the parts of a row of columns', () => {
  const columns = {
    firstPart: Uint32Array.of(0, 1, 3),
    partSectors: Uint32Array.of(8, 8, 16),
    partObject: Uint32Array.of(0, 1, 0xffff_ffff),
    partOffset: Float64Array.of(Number.NaN, 4096, Number.NaN),
    partWriters: Uint32Array.of(0, 0xffff_ffff, 0xffff_ffff),
  } as unknown as RequestColumns
  const names = { objects: [{ kind: 'journal' }, { kind: 'file', inode: 5 }], writers: ['jbd2[7]'] } as const
  expect(partsOf(columns, 0, names)).toEqual([{ sectors: 8, object: { kind: 'journal' }, writers: 'jbd2[7]' }])
  expect(partsOf(columns, 1, names)).toEqual([
    { sectors: 8, object: { kind: 'file', inode: 5 }, offset: 4096 },
    { sectors: 16 },
  ])
})
