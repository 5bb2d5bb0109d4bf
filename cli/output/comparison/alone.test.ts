import { expect, test } from 'vitest'
import type { SummaryTrace } from '../../../web/engine/summary'
import { run } from '../../testing/run'

async function codesOf(path: string): Promise<readonly (readonly string[])[]> {
  const { status, stdout } = await run(['summary', '--json', path])
  expect(status).toBe(0)
  const traces: readonly SummaryTrace[] = JSON.parse(stdout).traces
  for (const { findings = [] } of traces) expect(findings.map(f => f.rank)).toEqual(findings.map((_, i) => i + 1))
  return traces.map(trace => (trace.findings ?? []).map(f => f.code))
}

test('each run names what held it back, a healthy one that nothing did', async () => {
  const [[riops], [requests], [fsync], [steady], unsure, think] = await Promise.all([
    codesOf('tests/alone/riops-250.tar.xz'),
    codesOf('tests/alone/requests-4.tar.xz'),
    codesOf('tests/alone/fsync-1.tar.xz'),
    codesOf('tests/alone/steady.tar.xz'),
    codesOf('tests/stories/unsure.tar.xz'),
    codesOf('tests/stories/think.tar.xz'),
  ])
  expect(riops).toEqual(['mostly-idle'])
  expect(requests).toEqual(['waiting-for-tags'])
  expect(fsync).toContain('flushes-in-flight')
  expect(steady).toEqual(['nothing-held-back'])
  expect(unsure[1]?.slice(0, 3).toSorted()).toEqual(['held-back', 'slow-tail', 'waiting-before-issue'])
  expect(think).toEqual([['nothing-held-back'], ['mostly-idle', 'slow-tail']])
})

test('a recording of one request and a half is as long as its events, and what it lacks is said', async () => {
  const { stdout } = await run(['summary', '--json', 'tests/alone/seven-lines.txt'])
  const [trace]: readonly SummaryTrace[] = JSON.parse(stdout).traces
  const [device] = trace?.devices ?? []
  expect(device?.span_ns).toBe(617_614)
  expect(device?.throughput?.iops).toBeCloseTo(1 / 617_614e-9, 0)
  expect(trace?.findings?.map(f => f.sentence)).toEqual([
    'Too few requests were recorded to show what held them back: 1 completed.',
  ])
})

test('a read of an old kernel waits for the unplug timer', async () => {
  const { stdout } = await run(['summary', '--json', 'tests/alone/unplug-timer.txt'])
  const [trace]: readonly SummaryTrace[] = JSON.parse(stdout).traces
  const [first] = trace?.findings ?? []
  expect(first?.sentence).toBe(
    'Requests waited for the unplug timer for 36.3% of the run, 3.71 ms on average: nobody released their plug (plugs: 1).',
  )
  expect(trace?.findings?.map(f => f.code)).toEqual(['waiting-for-unplug-timer'])
  expect(trace?.devices[0]?.tail?.slowest[0]?.parts).toContainEqual({ cause: 'unplug-timer', ns: 3_707_664 })
})

test('the text has the sentences', async () => {
  const path = 'tests/alone/requests-4.tar.xz'
  const [text, json] = await Promise.all([run(['summary', path]), run(['summary', '--json', path])])
  const [trace]: readonly SummaryTrace[] = JSON.parse(json.stdout).traces
  expect(text.stdout).toMatch(/^What held it back$/m)
  expect(trace?.findings?.length).toBeGreaterThan(0)
  for (const { sentence } of trace?.findings ?? []) expect(text.stdout.replace(/\s+/g, ' ')).toContain(sentence)
})
