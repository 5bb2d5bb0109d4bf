/** A folder that is followed, with files that cannot be read. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BUNDLE, FIXTURES } from '../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-odd-'))
afterAll(() => rmSync(scratch, { recursive: true }))

test('each costs only itself, and is named once', async () => {
  cpSync(join(FIXTURES, 'io-errors'), scratch, { recursive: true })
  symlinkSync('nowhere', join(scratch, 'a.blktrace.0'))
  symlinkSync('b.blktrace.0', join(scratch, 'b.blktrace.0'))
  spawnSync('mkfifo', [join(scratch, 'c\x1b[2J.blktrace.0')])
  mkdirSync(join(scratch, 'd.blktrace.0'))
  const child = spawn(process.execPath, [BUNDLE, 'top', '--interval', '0.2', '--follow', scratch])
  const closed = once(child, 'close')
  let [out, err] = ['', '']
  child.stdout.on('data', piece => {
    out += piece
  })
  child.stderr.on('data', piece => {
    err += piece
  })
  while (!out.includes('254,32') && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), closed])
  child.kill('SIGINT')
  await closed
  expect(out).toContain('254,32')
  const named = err
    .split('\n')
    .flatMap(line => /\/([^/\s]+): (not-found|link-loop|not-a-file): /.exec(line)?.slice(1).join(' ') ?? [])
  expect(named).toEqual([
    'a.blktrace.0 not-found',
    'b.blktrace.0 link-loop',
    'c\\u001b[2J.blktrace.0 not-a-file',
    'd.blktrace.0 not-a-file',
  ])
  expect(child.signalCode).toBe('SIGINT')
})
