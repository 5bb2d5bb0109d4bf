import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { SnapshotQuery } from '../engine/protocol'
import { sharedRun } from './shared'
import { contentsOf, snapshotOf } from './stored'

const [line] = execFileSync(process.execPath, ['cli/seekscope.mjs', 'digest', 'tests/fixtures/ext4-buffered-6.1'], {
  encoding: 'utf8',
}).split('\n')
const { digest } = JSON.parse(line ?? '')
const run = contentsOf(digest)
const ask = { names: false, files: false, size: 'L', step: 0 } as SnapshotQuery

test('a digest is a snapshot with its own figures, and its charts say what they lack', () => {
  if (!run) throw new Error('not read')
  const { digest: stored, info, pictures } = snapshotOf(run)
  expect(stored).toEqual(JSON.parse(digest).trace)
  expect(info.devices[0]?.absent?.seekMap).toBeDefined()
  // The totals over the bins are those of the run.
  const rate = (pictures[0] as unknown as { rate: { readBytes: number[]; writeBytes: number[] } }).rate
  const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)
  expect(sum(rate.readBytes)).toBeCloseTo(8192, 3)
  expect(sum(rate.writeBytes)).toBeCloseTo(50_380_800, -1)
})

test('process names and file names are shared only when they are asked for', () => {
  if (!run) throw new Error('not read')
  const text = (more: Partial<SnapshotQuery>) => JSON.stringify(sharedRun(run, { ...ask, ...more }))
  expect(text({ names: true })).toContain('jbd2/vda-8')
  for (const size of ['XS', 'S', 'M', 'L', 'File'] as const) {
    const shared = text({ size })
    for (const name of ['jbd2', 'fio', 'kworker', 'tests/fixtures']) expect(shared, size).not.toContain(name)
  }
  expect(text({ files: true })).toContain('tests/fixtures')
})

test('small sizes have no values over time for a comparison, and no smaller attempt', () => {
  if (!run) throw new Error('not read')
  expect(sharedRun(run, { ...ask, size: 'S' })?.detail).toMatchObject({ digits: 5, pieces: false })
  expect(sharedRun(run, { ...ask, size: 'File' })?.detail).toMatchObject({ digits: 17, pieces: true })
  expect(sharedRun(run, { ...ask, size: 'S', step: 1 })).toBeUndefined()
})

test('what is no digest is not read', () => {
  for (const wrong of [
    '',
    'null',
    '[]',
    '{}',
    '{"label":"a","path":"b","trace":{"devices":[]},"labelSource":{}}',
    digest.replace('"active":[', '"active":[null,'),
    digest.replace(/"sums":\{/, '"sums":{"odd":5,'),
    digest.replace(/"sums":\{/, `"sums":{"long":${JSON.stringify(Array.from({ length: 5000 }, () => [0, 0]))},`),
    digest.replace(/"width":[\d.]+/, '"width":null'),
    digest.replace(/"sizes":\[\[/, '"sizes":[5,['),
  ])
    expect(contentsOf(wrong), wrong.slice(0, 60)).toBeUndefined()
})
