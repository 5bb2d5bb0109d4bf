import { expect, test } from 'vitest'
import type { ResultsDocument } from '../web/engine/protocol'
import { run } from './testing'

async function document(
  ...args: readonly string[]
): Promise<{ results: ResultsDocument; traces?: readonly unknown[]; runs?: readonly unknown[] }> {
  const { status, stdout, stderr } = await run(args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('tables of a mail without a trace are matrices, as text of 72 columns and as a document', async () => {
  const [text, { results, runs }] = await Promise.all([
    run(['compare', 'tests/tables/iostest.txt']),
    document('compare', '--json', 'tests/tables/iostest.txt'),
  ])
  expect({ status: text.status, stderr: text.stderr }).toEqual({ status: 0, stderr: '' })
  for (const line of text.stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  expect(text.stdout).toMatch(/^noop +126 +-7% +185 +\+49% +225 +\+69% +285 +x2\.2 +349 +x2\.68$/m)
  expect(runs).toEqual([])
  expect(results.tables.map(table => table.runs.length)).toEqual([10, 8])
  const [bandwidth] = results.tables[0]?.figures ?? []
  expect(bandwidth).toMatchObject({
    unit: 'bytes/s',
    good: 'more',
    application: true,
    sweeps: [{ cells: 5, more: 4, less: 1, verdict: 'unsure' }],
  })
  expect(bandwidth?.sweeps?.[0]).not.toHaveProperty('p')
})

test('reports of fio without a trace are compared, and a text without results is still refused', async () => {
  const [{ results, traces }, bad] = await Promise.all([
    document('summary', '--json', 'tests/tables/fio.json', 'tests/tables/fio-plus.json'),
    run(['summary', 'tests/tables/fio.json', 'tests/notes/mkfs.txt']),
  ])
  expect(traces).toEqual([])
  expect(results.tables.map(({ tool, runs }) => [tool, runs.map(r => r.label)])).toEqual([['fio', ['fio', 'fio-plus']]])
  expect(results.tables[0]?.runs[1]?.distributions?.map(d => d.operation)).toEqual(['read', 'write'])
  expect(bad.status).toBe(1)
  expect(bad.stderr).toMatch(/^seekscope: tests\/notes\/mkfs\.txt: not-a-trace: /)
  expect(bad.stdout).toContain('read rate, MB/s')
})

test('a mail with events and tables gives both', async () => {
  const events = [
    '  8,0    0        1     0.000000000   100  Q  WS 2048 + 8 [dd]',
    '  8,0    0        2     0.000010000   100  D  WS 2048 + 8 [dd]',
  ]
  const mail = [
    ...events,
    '  8,0    0        3     0.000500000     0  C  WS 2048 + 8 [0]',
    '',
    'threads, KB, MB/s',
    '1, 4, 23.5',
    '2, 4, 19.25',
    '',
  ].join('\n')
  const { status, stdout } = await run(['summary', '--json', '-'], { input: new TextEncoder().encode(mail) })
  expect(status).toBe(0)
  const { traces, results } = JSON.parse(stdout) as { traces: readonly unknown[]; results: ResultsDocument }
  expect(traces).toHaveLength(1)
  expect(results.tables.map(table => table.runs.map(r => r.figures[0]?.value))).toEqual([[23.5e6, 19.25e6]])
})

test('next to a trace, texts stay notes', async () => {
  const { status, stdout } = await run(['summary', '--json', 'tests/fixtures/sync-fua', 'tests/tables/fio.json'])
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).not.toHaveProperty('results')
})
