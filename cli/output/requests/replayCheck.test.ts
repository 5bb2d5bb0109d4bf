/** How true a replay was, and jobs that wait for completions. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from '../../testing/run'
import { jobFile, loopOf, loopsOf } from './closedLoop'
import type { ReplayRequest } from './dump'
import { fidelityOf } from './replayCheck'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-check-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const TRACE = 'tests/fixtures/partitions-deadline-1w'
const MS = 1_000_000

/** Writes of 4 KiB to consecutive places, each `times[i]` = [issued, completed] in ms. */
const writes = (times: readonly (readonly [number, number])[], pid = 1): ReplayRequest[] =>
  times.map(([issued, completed], i) => ({
    device: {} as ReplayRequest['device'],
    op: 'write',
    rwbs: 'W',
    sector: i * 8,
    bytes: 4096,
    pid,
    submitCpu: 0,
    completeCpu: 0,
    error: 0,
    queued: issued * MS,
    issued: issued * MS,
    completed: completed * MS,
  }))
const every = (ms: number, count: number, service: number) =>
  Array.from({ length: count }, (_, i) => [i * ms, i * ms + service] as const)

describe('fidelityOf', () => {
  const original = writes(every(10, 200, 5))
  test('a shifted copy is faithful', () => {
    const replayed = writes(every(10, 200, 5).map(([from, to]) => [from + 700, to + 700] as const))
    expect(fidelityOf(original, replayed)).toMatchObject({
      verdict: 'faithful',
      reasons: [],
      requests: { original: 200, replayed: 200, matched: 200 },
      arrival_ns: { p50: 0, p95: 0, max: 0 },
      swapped_share: 0,
    })
  })
  test('a replay that takes twice as long is distorted, and says so', () => {
    const found = fidelityOf(original, writes(every(20, 200, 5)))
    expect(found?.verdict).toBe('distorted')
    expect(found?.length_ns).toEqual({ original: 1990 * MS, replayed: 3980 * MS })
    expect(found?.reasons[0]).toBe('it took 3.98 s instead of 1.99 s')
    expect(found?.arrival_ns.max).toBe(1000 * MS)
  })
  test('a first request that comes late does not count for the others', () => {
    const late = original.map((request, i) => (i === 0 ? { ...request, issued: 4 * MS } : request))
    expect(fidelityOf(original, late)).toMatchObject({
      verdict: 'faithful',
      arrival_ns: { p50: 0, p95: 0, max: 4 * MS },
    })
  })
  test('a slower device changes the depth alone', () => {
    const found = fidelityOf(original, writes(every(10, 200, 9)))
    expect(found?.reasons).toEqual(['0.900 requests were in flight on average instead of 0.501'])
  })
  test('requests that are missing, in another order, or not there at all', () => {
    expect(fidelityOf(original, original.slice(0, 150))?.reasons[0]).toMatch(/^only 75.*% of the requests are the same/)
    const turned = original.map((request, i) => {
      const partner = original[i % 2 === 0 ? i + 1 : i - 1]
      return { ...request, issued: partner?.issued ?? 0, completed: partner?.completed ?? 0 }
    })
    expect(fidelityOf(original, turned)?.reasons).toContain('50% of the requests were issued in another order')
    expect(
      fidelityOf(
        original,
        writes(every(10, 5, 1)).map(request => ({ ...request, sector: 1 })),
      ),
    ).toBeUndefined()
  })
  test('requests that a smaller limit of the device split, or that it merged', () => {
    const large = original.map(request => ({ ...request, sector: request.sector * 2, bytes: 8192 }))
    const halves = large.flatMap(request => [
      { ...request, bytes: 4096 },
      { ...request, sector: request.sector + 8, bytes: 4096 },
    ])
    const shortened = large.slice(0, 2)
    // Times of the few that are the same say nothing about the others.
    expect(
      fidelityOf(large, [...shortened, ...halves.slice(4).map(half => ({ ...half, issued: half.issued * 3 }))]),
    ).toMatchObject({
      requests: { matched: 2 },
      reasons: [expect.stringMatching(/^only 0\.503% of the requests are the same$/)],
    })
    const others = large.map(request => ({ ...request, sector: request.sector + 100_000, bytes: 4096 }))
    expect(fidelityOf([...others, ...large.slice(0, 9)], [...others, ...halves.slice(0, 18)])?.reasons[0]).toBe(
      'only 91.7% of the requests are the same: the replay has requests of at most 4 KiB, the original 8 KiB; raise max_sectors_kb of the device',
    )
    expect(fidelityOf([...others, ...halves.slice(0, 18)], [...others, ...large.slice(0, 9)])?.reasons[0]).toBe(
      'only 91.7% of the requests are the same: the replay merged some; write 2 to nomerges of the device',
    )
  })
  test('flushes that are missing are no merge', () => {
    const flushes = original.slice(0, 20).map(request => ({ ...request, op: 'flush', sector: 0, bytes: 0 }))
    expect(fidelityOf([...original, ...flushes], original)?.reasons[0]).toBe('only 90.9% of the requests are the same')
  })
  test('a place that is written twice is matched in order', () => {
    const same = writes(every(10, 2, 5)).map(request => ({ ...request, sector: 0 }))
    expect(fidelityOf(same, same)).toMatchObject({ verdict: 'faithful', swapped_share: 0 })
  })
})

describe('replay --check', () => {
  test('a dump of a recording is a faithful replay of it, another recording is not', async () => {
    const path = join(scratch, 'again.bin')
    expect((await run(['replay', TRACE, '-o', path])).status).toBe(0)
    const same = await run(['replay', '--check', TRACE, path])
    expect(same.stdout).toMatch(/^Replay of .*: faithful\n/)
    const { stdout } = await run(['replay', '--check', '--json', TRACE, path])
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, verdict: 'faithful', requests: { matched: 320 } })
    const other = await run(['replay', '--check', TRACE, 'tests/fixtures/partitions-bfq-1w'])
    expect(other.stdout).toMatch(/: distorted\n {2}- /)
  })
  test('wrong usage', async () => {
    for (const [args, words] of [
      [['--check', TRACE], /takes two traces/],
      [['--check', '-o', 'x.fio', TRACE, TRACE], /choose --check or --output/],
      [['--json', TRACE], /--json needs --check/],
      [['--check', TRACE, 'tests/fixtures/io-errors'], /no request of/],
      [['--closed-loop', TRACE], /needs -o FOLDER/],
    ] as const) {
      const { status, stderr } = await run(['replay', ...args])
      expect(stderr).toMatch(words)
      expect(status).toBe(2)
    }
  })
})

describe('closed loops', () => {
  test('depth and think time of a process', () => {
    expect(loopOf(1, writes(every(10, 4, 4)))).toMatchObject({ depth: 1, think: 6 * MS })
    // Batches of two that complete together, 3 ms before the next one.
    const batches = writes([
      [0, 7],
      [0, 7],
      [10, 17],
      [10, 17],
    ])
    expect(loopOf(1, batches)).toMatchObject({ depth: 2, think: 3 * MS })
    expect(
      loopOf(
        1,
        writes([
          [0, 10],
          [5, 15],
          [12, 20],
        ]),
      ),
    ).toMatchObject({ depth: 2, think: 0 })
  })
  test('what a scheduler held back is no think time, and the order is that of the program', () => {
    const held = writes(every(10, 4, 4)).map(request => ({ ...request, queued: request.issued - 6 * MS }))
    expect(loopOf(1, held)).toMatchObject({ depth: 1, think: 0 })
    expect(loopOf(1, held.toReversed()).requests).toEqual(held)
  })
  test('a job per process, the busiest first, with names that fio takes', () => {
    const loops = loopsOf([...writes(every(10, 2, 4), 7), ...writes(every(1, 9, 1), 8)])
    const text = jobFile(loops, pid => (pid === 7 ? 'a b]\n[c' : 'dd'))
    expect(text.match(/^\[.*\]$/gm)).toEqual(['[global]', '[dd-8]', '[a-b-c-7]'])
    expect(text).toMatch(/\[a-b-c-7\]\nread_iolog=7\.iolog\niodepth=1\nthinktime=6000\nthinktime_blocks=1\n/)
  })
  test('the command writes a folder that must not exist', async () => {
    const folder = join(scratch, 'jobs')
    const args = ['replay', '--closed-loop', '--filename', '/dev/nullb0', '-o', folder, TRACE]
    expect((await run(args)).status).toBe(0)
    const files = readdirSync(folder)
    expect(files).toContain('replay.fio')
    const [log] = files.filter(name => name.endsWith('.iolog'))
    expect(readFileSync(join(folder, log ?? ''), 'utf8')).toMatch(
      /^fio version 2 iolog\n\/dev\/nullb0 add\n\/dev\/nullb0 open\n\/dev\/nullb0 wait 0 0\n\/dev\/nullb0 write \d+ 4096\n/,
    )
    expect((await run(args)).status).toBe(1)
    expect(existsSync(join(folder, 'replay.fio'))).toBe(true)
  })
})
