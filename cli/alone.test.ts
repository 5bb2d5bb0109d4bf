import { expect, test } from 'vitest'
import type { SummaryTrace } from '../web/engine/summary'
import { run } from './testing'

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

test('the text has the sentences', async () => {
  const path = 'tests/alone/requests-4.tar.xz'
  const [text, json] = await Promise.all([run(['summary', path]), run(['summary', '--json', path])])
  const [trace]: readonly SummaryTrace[] = JSON.parse(json.stdout).traces
  expect(text.stdout).toMatch(/^What held it back$/m)
  expect(trace?.findings?.length).toBeGreaterThan(0)
  for (const { sentence } of trace?.findings ?? []) expect(text.stdout.replace(/\s+/g, ' ')).toContain(sentence)
})
