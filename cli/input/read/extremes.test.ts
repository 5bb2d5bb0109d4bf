/**
 * Numbers near 2^53, 2^63 and 2^64 on the way through each command: the engine's answers go through JavaScript and come
 * back. `extremes.rs` tries every field in the engine; here is one trace beside good ones.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { AT, isNote, recordsOf } from '../../../tests/bad-inputs/records'
import type { CompareDocument } from '../../../web/engine/protocol'
import type { SummaryTrace } from '../../../web/engine/summary'
import { FIXTURES, run } from '../../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-extremes-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const GOOD = [join(FIXTURES, 'io-errors'), join(FIXTURES, 'requeue')]
const EXTREMES = [2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1024n, 2n ** 64n - 1n]

/** A copy of a recording in which one event of each file has a value at a byte of its header. */
function withValue(value: bigint, offset: number): string {
  const folder = mkdtempSync(join(scratch, 'x-'))
  cpSync(join(FIXTURES, 'io-errors'), folder, { recursive: true })
  for (const name of readdirSync(folder).filter(name => name.includes('.blktrace.'))) {
    const records = recordsOf(readFileSync(join(folder, name)))
    const events = records.filter(record => !isNote(record))
    events[Math.floor(events.length / 2)]?.writeBigUInt64LE(value, offset)
    writeFileSync(join(folder, name), Buffer.concat(records))
  }
  return folder
}

/** A good recording with a text beside it. */
function withText(name: string, text: string, recording = 'io-errors'): string {
  const folder = mkdtempSync(join(scratch, 't-'))
  cpSync(join(FIXTURES, recording), folder, { recursive: true })
  writeFileSync(join(folder, name), text)
  return folder
}

/** All numbers in a text that is printed for programs. */
const numbersIn = (text: string) => (text.match(/(?<![\w.-])\d{15,}(?![\w.])/g) ?? []).map(BigInt)

async function holds(folder: string): Promise<void> {
  const out = join(folder, 'out')
  mkdirSync(out)
  for (const args of [
    ['summary', folder],
    ['summary', '--json', folder],
    ['compare', '--json', ...GOOD, folder],
    ['digest', folder],
    ['plot', folder],
    ['requests', folder],
    ['link', folder],
    ['report', '-o', join(out, 'r.html'), folder],
    ['replay', folder],
    ['btt', folder],
    ['top', '--json', '--interval', '1000', folder],
  ]) {
    const { status, stdout, stderr } = await run(args)
    expect(stderr, args[0]).not.toMatch(/bad-query|engine-crashed|\n {4}at /)
    expect([0, 1], args[0]).toContain(status)
    // Figures may be larger: they are no integers. Messages quote what was left out.
    if (args[0] === 'requests')
      for (const number of numbersIn(stdout)) expect(number < 2n ** 53n, `${args[0]}: ${number}`).toBe(true)
    if (args[0] === 'compare') expect((JSON.parse(stdout) as CompareDocument).runs).toHaveLength(3)
  }
  const table = join(out, 'd.parquet')
  expect((await run(['digest', ...GOOD, folder, '-o', table])).stderr).not.toContain('bad-query')
  const compared = await run(['compare', '--json', '--digests', table])
  expect([compared.stderr, (JSON.parse(compared.stdout) as CompareDocument).runs.length]).toEqual(['', 3])
}

describe.each(EXTREMES)('%d', value => {
  test.each([
    ['time', AT.time],
    ['sector', AT.sector],
  ])('as the %s of an event', async (_, offset) => holds(withValue(value, offset)))

  test('in texts beside a trace', async () => {
    await holds(withText('blktrace.log', `=== trace ===\n  Total:  5 events (dropped ${value}),  7 KiB data\n`))
    const md = { level: 'raid5', raid_disks: 5, chunk_bytes: 'SIZE' }
    const settings = { devices: [{ name: 'md0', majmin: '9:0', md, sectors: 'SIZE', start: 'SIZE' }] }
    const text = JSON.stringify(settings).replaceAll('"SIZE"', String((value / 512n) * 512n))
    await holds(withText('settings.json', text, 'raid5-misaligned'))
  })

  test('as a sector and a time of a text', async () => {
    const folder = mkdtempSync(join(scratch, 'text-'))
    const line = (time: string, sector: bigint, action: string) =>
      `  8,0    1        1 ${time}   697  ${action}   W ${sector} + 8 [dd]\n`
    const seconds = `${value / 1_000_000_000n}.${String(value % 1_000_000_000n).padStart(9, '0')}`
    writeFileSync(
      join(folder, 'a.txt'),
      line('0.000000001', 8n, 'Q') +
        line('0.000001001', 8n, 'C') +
        line('0.000002001', value, 'Q') +
        line(seconds, 8n, 'Q'),
    )
    await holds(folder)
  })
})

test('a latency of biosnoop that wrapped', async () => {
  const folder = mkdtempSync(join(scratch, 'bio-'))
  writeFileSync(
    join(folder, 'biosnoop.txt'),
    [
      'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)',
      '1.774198    ThreadPoolFore 5270   nvme0n1 W 520198144  225280    0.48',
      '1.774381    jbd2/nvme0n1p3 686    nvme0n1 W 49016129   4096      18446744073709.55',
      '',
    ].join('\n'),
  )
  await holds(folder)
  const { stdout } = await run(['summary', '--json', folder])
  const { traces } = JSON.parse(stdout) as { readonly traces: readonly SummaryTrace[] }
  const { warnings } = traces[0]?.quality ?? {}
  expect(warnings).toEqual([
    expect.objectContaining({ code: 'time-outliers', at: expect.objectContaining({ line: 3 }) }),
  ])
})
