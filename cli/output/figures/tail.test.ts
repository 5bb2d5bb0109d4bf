import { expect, test } from 'vitest'
import type { SummaryTail, SummaryTrace } from '../../../web/engine/summary'
import { run } from '../../testing/run'

async function traces(path: string): Promise<readonly SummaryTrace[]> {
  const { status, stdout } = await run(['summary', '--json', path])
  expect(status).toBe(0)
  return JSON.parse(stdout).traces
}

const tailOf = (trace: SummaryTrace | undefined): SummaryTail | undefined =>
  trace?.devices.find(d => d.role === 'disk')?.tail

test('writers that an idling scheduler serves in turn wait for each other, those that it serves together do not', async () => {
  const [idle0, idle8] = (await traces('tests/stories/unsure.tar.xz')).map(tailOf)
  expect(idle8?.causes[0]).toMatchObject({ cause: 'other-process' })
  expect(idle8?.causes[0]?.share).toBeGreaterThan(0.9)
  expect(idle8?.served?.length).toBeGreaterThan(0)
  expect(idle0?.causes.find(c => c.cause === 'other-process')?.share ?? 0).toBeLessThan(0.3)
  for (const tail of [idle0, idle8]) {
    expect(tail?.causes.reduce((sum, cause) => sum + cause.ns, 0)).toBe(tail?.total_ns)
    for (const slow of tail?.slowest ?? []) expect(slow.parts.reduce((sum, part) => sum + part.ns, 0)).toBe(slow.ns)
  }
})

test('a queue of four requests: the others wait for a tag', async () => {
  const [trace] = await traces('tests/alone/requests-4.tar.xz')
  const tail = tailOf(trace)
  const beforeIssue = ['allocation', 'plugged', 'unplug-timer', 'other-process', 'held', 'queued']
  expect(tail?.causes.find(c => beforeIssue.includes(c.cause))).toMatchObject({ cause: 'allocation' })
  const { stdout } = await run(['summary', 'tests/alone/requests-4.tar.xz'])
  expect(stdout).toMatch(/^ {2}slowest +\d+ requests above [\d.]+ ms \(p99 of Q2C\), [\d.]+ others in flight$/m)
})
