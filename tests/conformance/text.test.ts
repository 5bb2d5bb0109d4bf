/** What blkparse printed says what the recording says that it was printed from. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIXTURES, runSeekscope, summary } from './engine'
import { blkparsePrint, sortByTime } from './native'
import { basesOf, copyPlain } from './plain'

const fixtures = readdirSync(FIXTURES, { withFileTypes: true }).filter(entry => entry.isDirectory())
const all = fixtures.flatMap(({ name }) => basesOf(join(FIXTURES, name)).map(base => [name, base] as const))

/** One trace's figures without what names its file; the text knows a task's first name only. */
const readFigures = async (args: readonly string[]) =>
  (await summary(args)).map(({ devices, processes, quality }) => ({
    devices,
    processes: processes.map(({ pid, queued, bytes }) => ({ pid, queued, bytes })),
    quality: { ...quality, warnings: quality.warnings.map(warning => warning.code) },
  }))

type Figures = Awaited<ReturnType<typeof readFigures>>

/** Whatever messages there are is in the copies; a text without any does not tell whether there were some. */
const withoutMessages = (traces: Figures) =>
  traces.map(trace => ({
    ...trace,
    devices: trace.devices.map(device => ({ ...device, events: { ...device.events, m: device.events.m ?? 0 } })),
  }))

/** Options with which blkparse prints the texts; each text must say the same. */
const OPTIONS: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['by default', []],
  ['without the summary', ['-q']],
  ['with elapsed times', ['-t']],
  ['with a summary by process', ['-s']],
]

describe.each(all)('%s %s', (fixture, base) => {
  const copies = mkdtempSync(join(tmpdir(), 'seekscope-text-'))
  const file = join(copies, 'printed.log')
  let expected: Figures
  /** Figures read from the text of each of OPTIONS. */
  let texts: Figures
  beforeAll(async () => {
    copyPlain(join(FIXTURES, fixture), base, copies, 'as they are')
    expected = await readFigures([join(copies, base)])
    const files = OPTIONS.map(([, options], i) => {
      const text = join(copies, `text-${i}.log`)
      writeFileSync(text, blkparsePrint(copies, base, options))
      return text
    })
    texts = await readFigures(files)
  })
  afterAll(() => rmSync(copies, { recursive: true }))

  test.each(OPTIONS.map(([name], i) => [name, i] as const))('printed %s, the text gives the same figures', (_, i) => {
    expect(texts).toHaveLength(OPTIONS.length)
    expect(withoutMessages(texts.slice(i, i + 1))).toEqual(expected)
  })

  test('seekscope blkparse prints the text again', async () => {
    const text = blkparsePrint(copies, base, ['-q'])
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('Input file '))
      .join('\n')
    writeFileSync(file, text)
    const actual = await runSeekscope(['blkparse', file])
    expect(sortByTime(actual.slice(0, actual.indexOf('\nCPU')))).toEqual(sortByTime(text))
  })

  test('a format of ones own gives the same counts, sizes and latencies', async () => {
    const format = '%M,%m c%c #%s %T.%t: %a (%d) %S+%n pid %p <%C> %e %U\\n'
    writeFileSync(file, blkparsePrint(copies, base, ['-q', '-f', format]))
    const ours = await readFigures(['--format-string', format, file])
    const comparable = (traces: Figures) =>
      traces.flatMap(trace =>
        trace.devices.map(({ dev, events, latency_bio_ns, latency_ns, depth, bytes }) => ({
          dev,
          events: { ...events, m: events.m ?? 0, A: events.A ?? 0, X: events.X ?? 0 },
          latency_bio_ns,
          latency_ns,
          depth,
          bytes,
        })),
      )
    // Nothing tells passthrough requests from others in it.
    if (fixture !== 'passthrough') expect(comparable(ours)).toEqual(comparable(expected))
    else
      expect(ours[0]?.devices[0]?.events).toMatchObject({
        Q: expected[0]?.devices[0]?.events.Q,
        C: expected[0]?.devices[0]?.events.C,
      })
  })
})

test('figures without events are results', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-text-'))
  copyPlain(join(FIXTURES, 'io-errors'), 'trace', folder)
  writeFileSync(join(folder, 'summary.txt'), blkparsePrint(folder, 'trace', ['-f', '']))
  expect(await runSeekscope(['summary', join(folder, 'summary.txt')])).toContain('blkparse reads queued\nall  29\n')
  rmSync(folder, { recursive: true })
})
