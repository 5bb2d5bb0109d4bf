/** Files beside the inputs are files: what never ends is not waited for. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FIXTURES, run } from '../../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-plain-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const FIFO = join(scratch, 'fifo')
spawnSync('mkfifo', [FIFO])
const TRACE = join(FIXTURES, 'io-errors')

test.each([
  ['compare', '--digests', '/dev/zero'],
  ['compare', '--digests', FIFO],
  ['compare', TRACE, TRACE, '--noise', '/dev/zero'],
  ['compare', TRACE, TRACE, '--noise', FIFO],
  ['builds', '--digests', '/dev/zero'],
  ['builds', '--digests', FIFO],
])('%s %s %s %s', async (...args) => {
  const { status, stdout, stderr } = await run(args.filter(Boolean))
  expect([status, stdout, stderr.split('\n')[0]]).toEqual([2, '', expect.stringContaining('not a file')])
})
