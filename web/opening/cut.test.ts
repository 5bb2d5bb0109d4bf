import { expect, it } from 'vitest'
import { skippedLead, skippedWords } from '../app/shared/skippedWords'
import type { EngineError } from '../engine/protocol'
import { cutTraces } from './cut'

const damaged: EngineError = {
  code: 'damaged-archive',
  message: 'The gzip data are truncated.',
  at: { file: 'all.tar.gz' },
}
const paths = (...list: readonly string[]) => list.map(path => ({ path }))

it('only the last recording of a truncated archive is incomplete', () => {
  const files = paths(
    'all.tar.gz/old/trace.blktrace.0',
    'all.tar.gz/old/trace.blktrace.1',
    'all.tar.gz/new/trace.blktrace.0',
    'all.tar.gz/new/trace.blktrace.1',
    'other/trace.blktrace.0',
  )
  const traces = [{ parts: [0, 1] }, { parts: [2, 3] }, { parts: [4] }]
  const cut = cutTraces({ files, traces, problems: [damaged] })
  expect(cut.map(error => error?.code)).toEqual([undefined, 'damaged-archive', undefined])
})

it('a recording whose notes were the last to be read is incomplete too', () => {
  const files = paths('all.tar.gz/trace.blktrace.0', 'all.tar.gz/bench.txt')
  expect(cutTraces({ files, traces: [{ parts: [0] }], problems: [damaged] })[0]).toBe(damaged)
})

it('other problems, and archives without a trace, cut nothing', () => {
  const files = paths('all.tar.gz/trace.blktrace.0')
  const limit = { ...damaged, code: 'archive-limit' }
  expect(cutTraces({ files, traces: [{ parts: [0] }], problems: [limit] })).toEqual([undefined])
  const elsewhere = { ...damaged, at: { file: 'all.tar' } }
  expect(cutTraces({ files, traces: [{ parts: [0] }], problems: [elsewhere] })).toEqual([undefined])
})

it('a file that was read in part is not called skipped', () => {
  const part = { path: 'all.tar.gz', error: damaged, partly: true as const }
  expect(skippedWords([part])).toBe('1 file read in part')
  expect(skippedLead([part])).not.toContain('Nothing')
  expect(skippedWords([part, { path: 'x.png' }])).toBe('1 file skipped, 1 file read in part')
  expect(skippedLead([{ path: 'x.png' }])).toBe('Nothing that is shown comes from them.')
})
