import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { SummaryTrace } from '../../../web/engine/summary'
import { run } from '../../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-replay-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const TRACE = 'tests/fixtures/partitions-deadline-1w'

async function out(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}
const devices = async (path: string) =>
  (JSON.parse(await out('summary', '--json', path)) as { traces: SummaryTrace[] }).traces.flatMap(t => t.devices)

const iologLines = async (...options: readonly string[]) =>
  (await out('replay', '--filename', '/dev/nullb0', ...options, TRACE)).trimEnd().split('\n')

test('an iolog of version 3 has all requests in the order of their issue, in us and bytes', async () => {
  const lines = await iologLines('--iolog', '3')
  const csv = (await out('requests', TRACE))
    .trimEnd()
    .split(/\r?\n/)
    .map(line => line.replace(/"[^"]*"/g, cell => cell.replaceAll(',', ';')).split(','))
  const column = (name: string) => csv[0]?.indexOf(name) ?? -1
  const rows = csv.slice(1).sort((a, b) => Number(a[column('issued_ns')]) - Number(b[column('issued_ns')]))
  const start = Number(rows[0]?.[column('issued_ns')])
  expect(lines.slice(0, 3)).toEqual(['fio version 3 iolog', '0 /dev/nullb0 add', '0 /dev/nullb0 open'])
  expect(lines.slice(3, -1)).toEqual(
    rows.map(row => {
      const us = Math.round((Number(row[column('issued_ns')]) - start) / 1000)
      return `${us} /dev/nullb0 ${row[column('op')]} ${Number(row[column('sector')]) * 512} ${row[column('bytes')]}`
    }),
  )
  expect(lines.at(-1)).toMatch(/^\d+ \/dev\/nullb0 close$/)
})

test('an iolog of version 2 waits for each millisecond, counted from a start after all lines are read', async () => {
  const lines = await iologLines()
  expect(await iologLines('--iolog', '2')).toEqual(lines)
  const timed = (await iologLines('--iolog', '3')).slice(3, -1).map(line => line.split(' '))
  expect(lines.slice(0, 3)).toEqual(['fio version 2 iolog', '/dev/nullb0 add', '/dev/nullb0 open'])
  expect(lines.at(-1)).toBe('/dev/nullb0 close')
  const body = lines.slice(3, -1)
  const waits = body.flatMap(line => /^\/dev\/nullb0 wait (\d+) 0$/.exec(line)?.slice(1).map(Number) ?? [])
  expect(waits[0]).toBeGreaterThanOrEqual(2000)
  expect(waits).toEqual([...new Set(waits)].sort((a, b) => a - b))
  let wait = 0
  const requests = body.flatMap(line => {
    const [, due] = / wait (\d+) 0$/.exec(line) ?? []
    if (due === undefined) return [[wait - (waits[0] ?? 0), line] as const]
    wait = Number(due)
    return []
  })
  expect(requests).toEqual(timed.map(([us, ...rest]) => [Math.floor(Number(us) / 1000), rest.join(' ')]))
})

test('an iolog of another version, or where no iolog with times is written, is wrong usage', async () => {
  for (const [args, words] of [
    [['--iolog', '4'], '--iolog: 4 is not 2 or 3'],
    [['--iolog', '3', '-o', join(scratch, 'x.bin')], 'with times'],
    [['--iolog', '2', '--closed-loop', '-o', join(scratch, 'x')], 'with times'],
  ] as const) {
    const { status, stderr } = await run(['replay', ...args, TRACE])
    expect(stderr).toContain(words)
    expect(status).toBe(2)
  }
})

test.each([TRACE, 'tests/fixtures/sync-fua', 'tests/fixtures/discard'])(
  'a dump of %s opens with the same figures',
  async trace => {
    const path = join(scratch, `${trace.split('/').at(-1)}.bin`)
    await out('replay', trace, '-o', path)
    // What does not depend on the run time: it begins with events that are no requests.
    const figures = (all: SummaryTrace['devices']) =>
      all
        .filter(d => d.role === 'disk')
        .map(({ dev, depth, bytes, sizes, seek, flush, latency_ns }) => {
          const { per_second_64k: _, ...issued } = seek?.issued ?? {}
          return {
            dev,
            max: depth?.max,
            bytes,
            sizes: sizes?.issued,
            issued,
            fua: flush?.fua,
            d2c: latency_ns?.d2c,
            q2c: latency_ns?.q2c,
          }
        })
    expect(figures(await devices(path))).toEqual(figures(await devices(trace)))
  },
)

test('a cut trace, a name without a device and another ending are errors that say what to do', async () => {
  expect((await run(['replay', TRACE, '-o', join(scratch, 'x.txt')])).stderr).toContain('.fio or .bin')
  expect((await run(['replay', '--device', 'sdz', TRACE])).stderr).toContain('no device sdz')
  expect((await run(['replay', TRACE, 'tests/fixtures/io-errors'])).stderr).toContain('one trace')
  expect(() => readFileSync(join(scratch, 'x.txt'))).toThrow('ENOENT')
})
