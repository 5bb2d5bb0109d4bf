/** `summary --together`: the requests of several traces as one population. */
import { expect, test } from 'vitest'
import type { Latency, PrintedSummary } from '../../../web/engine/protocol'
import { run } from '../../testing/run'

const TRACES = ['tests/stalls/none-6.12.tar.xz', 'tests/stalls/slow-6.12.tar.xz'] as const

async function summaryOf(...paths: readonly string[]): Promise<PrintedSummary> {
  const { stdout } = await run(['summary', '--json', '--together', ...paths])
  return JSON.parse(stdout) as PrintedSummary
}

function latencyOf({ together }: PrintedSummary, stage: 'q2c' | 'd2c'): Latency {
  const found = together?.[stage]
  if (found === undefined) throw new Error(`no ${stage}`)
  return found
}

/** A comma that is not in quotes: a device is `"254,0"`. */
const COMMA = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/

/** All times of a stage in the exported requests, ascending. */
async function exported(column: string): Promise<number[]> {
  const { stdout } = await run(['requests', ...TRACES])
  const [head = '', ...lines] = stdout.trimEnd().split('\n')
  const place = head.split(',').indexOf(column)
  const cells = lines.map(line => line.split(COMMA)[place] ?? '')
  return cells
    .filter(cell => cell !== '')
    .map(Number)
    .sort((a, b) => a - b)
}

test('of one trace they are its own figures', async () => {
  const summary = await summaryOf(TRACES[0])
  const { traces, together } = summary
  const disk = traces[0]?.devices.find(device => device.role === 'disk')
  expect(together?.disks).toEqual([expect.stringMatching(/: vd[a-z]$/)])
  for (const stage of ['q2c', 'd2c'] as const) {
    const { mean, ...exact } = latencyOf(summary, stage)
    const expected = disk?.latency_ns[stage] as Latency
    expect(exact).toEqual({ ...expected, mean: undefined })
    expect(mean).toBeCloseTo(expected.mean, 3)
  }
})

test('of several they are those of all requests, not means of percentiles', async () => {
  const summary = await summaryOf(...TRACES)
  const times = await exported('q2c_ns')
  const rank = (share: number) => times[Math.ceil(times.length * share) - 1]
  const { n, p50, p99, p999, max } = latencyOf(summary, 'q2c')
  expect([n, p50, p99, p999, max]).toEqual([times.length, rank(0.5), rank(0.99), rank(0.999), times.at(-1)])
  const p99s = summary.traces.map(
    ({ devices }) => devices.find(device => device.role === 'disk')?.latency_ns.q2c?.p99 ?? 0,
  )
  expect(p99).not.toBe(p99s.reduce((sum, value) => sum + value, 0) / p99s.length)
})

test('the text names the disks', async () => {
  const { stdout } = await run(['summary', '--together', ...TRACES])
  expect(stdout).toContain('all requests of 2 disks together')
})
