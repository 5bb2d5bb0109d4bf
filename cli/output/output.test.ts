/** An answer is complete, or it is an error: full disks, closed pipes, signals, inputs in place of outputs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { BUNDLE, FIXTURES, ROOT, run, shell } from '../testing/run'

const TRACE = join(FIXTURES, 'io-errors')
const LARGE = join(FIXTURES, 'partitions-bfq-1w')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-output-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const folder = (): string => mkdtempSync(join(scratch, 'f-'))
/** One line, no stack. */
const ONE_LINE = /^seekscope: [^\n]+\n$/

describe('standard output', () => {
  test.each([
    'summary',
    'summary --json',
    'blkparse',
    'btt',
    'requests',
    'replay',
    'compare',
    'plot',
    'plot --png',
    'link',
    'man',
  ])('%s to a full disk', async command => {
    const path = command === 'man' ? '' : TRACE
    const { status, stderr } = await shell(`seekscope ${command} ${path} > /dev/full`)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'seekscope: cannot write to standard output: no space left on device\n',
    })
  })

  test('a disk that has room for the first part only', async () => {
    const path = join(folder(), 'out')
    const { status, stderr } = await shell(`ulimit -f 16; seekscope blkparse ${LARGE} > ${path}`)
    expect(statSync(path).size).toBe(16 << 10)
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(ONE_LINE) })
  })

  test.each(['blkparse', 'requests'])('%s ends quietly when its reader does', async command => {
    const { stdout, stderr } = await shell(
      `set -o pipefail; seekscope ${command} ${LARGE} | head -1 | wc -l; echo "\${PIPESTATUS[0]}"`,
    )
    expect({ stdout, stderr }).toEqual({ stdout: '1\n0\n', stderr: '' })
  })

  test('a comparison that fails does so without a reader', async () => {
    const pair = `${join(FIXTURES, 'sync-fua')} ${join(FIXTURES, 'sync-no-fua')}`
    const all = await shell(`seekscope compare --fail-if slower,flushes-appeared,fua-appeared ${pair} > /dev/null`)
    const gone = await shell(
      `exec 3> >(exec true); wait $!; seekscope compare --fail-if slower,flushes-appeared,fua-appeared ${pair} >&3`,
    )
    expect(gone.status).toBe(all.status)
  })

  test('nobody hears the messages', async () => {
    const { status } = await shell(
      `{ seekscope summary no/such/trace; echo $? > ${join(scratch, 'status')}; } 2>&1 >/dev/null | true`,
    )
    expect(status).toBe(0)
    expect(readFileSync(join(scratch, 'status'), 'utf8')).toBe('1\n')
  })
})

describe('a file', () => {
  test.each([
    ['requests', 'r.csv'],
    ['requests', 'r.parquet'],
    ['replay', 'r.fio'],
    ['report', 'r.html'],
  ])('%s -o %s: complete, with the permissions of the file before; nothing else', async (command, name) => {
    const path = folder()
    const out = join(path, name)
    writeFileSync(out, 'before')
    chmodSync(out, 0o640)
    expect((await run([command, TRACE, '-o', out])).status).toBe(0)
    expect(readdirSync(path)).toEqual([name])
    expect(statSync(out).mode & 0o777).toBe(0o640)
    expect(statSync(out).size).toBeGreaterThan(100)
    const [inode, bytes] = [statSync(out).ino, readFileSync(out)]
    const failed = await run([command, 'no/such/trace', '-o', out])
    expect([failed.status, statSync(out).ino, readFileSync(out).equals(bytes)]).toEqual([1, inode, true])
    expect(readdirSync(path)).toEqual([name])
  })

  test('a symbolic link keeps leading to the file', async () => {
    const path = folder()
    writeFileSync(join(path, 'a.csv'), '')
    symlinkSync('a.csv', join(path, 'b.csv'))
    expect((await run(['requests', TRACE, '-o', join(path, 'b.csv')])).status).toBe(0)
    expect(statSync(join(path, 'a.csv')).size).toBeGreaterThan(100)
    expect(readdirSync(path).sort()).toEqual(['a.csv', 'b.csv'])
  })

  test.each([
    ['requests', '-o', 'no/such/folder/a.csv', /no such file or directory/],
    ['report', '-o', 'no/such/folder/a.html', /no such file or directory/],
    ['compare', '--junit', 'no/such/folder/a.xml', /no such file or directory/],
    ['report', '-o', '/dev/full', /no space left on device/],
    ['compare', '--junit', '/dev/full', /no space left on device/],
    ['report', '-o', FIXTURES, /is a directory/],
  ])('%s %s %s is one line and status 1', async (command, option, path, words) => {
    const { status, stderr, stdout } = await run([command, TRACE, join(FIXTURES, 'sync-fua'), option, path])
    expect({ status, stdout, lines: stderr.split('\n').length }).toEqual({ status: 1, stdout: '', lines: 2 })
    expect(stderr).toMatch(/^seekscope: cannot write /)
    expect(stderr).toMatch(words)
  })

  test.each([
    ['requests', 'a.csv'],
    ['requests', 'a.parquet'],
    ['replay', 'a.fio'],
    ['report', 'a.html'],
  ])('a full disk leaves nothing of %s -o %s', async (command, name) => {
    const path = folder()
    const { status, stderr } = await shell(`ulimit -f 2; seekscope ${command} ${LARGE} -o ${join(path, name)}`)
    expect({ status, files: readdirSync(path) }).toEqual({ status: 1, files: [] })
    expect(stderr).toMatch(/^seekscope: cannot write \S+: file too large\n$/)
  })

  test('a full folder for temporary files is named', async () => {
    const packed = join(ROOT, 'tests/containers/run.tar.gz')
    const { status, stderr } = await shell(`ulimit -f 1; seekscope summary ${packed}`, { TMPDIR: scratch })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^seekscope: cannot write to \S+: file too large\. Set TMPDIR [^\n]+\n$/)
  })
})

/** When the output has been begun. */
async function untilWriting(child: ChildProcess, path: string): Promise<void> {
  child.once('exit', code => {
    throw new Error(`ended with ${code}`)
  })
  while (!readdirSync(path).some(name => name.endsWith('.part'))) await new Promise(setImmediate)
  child.removeAllListeners('exit')
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s removes what is not finished', async signal => {
  const path = folder()
  const many = Array.from({ length: 300 }, () => LARGE)
  const child = spawn(process.execPath, [BUNDLE, 'requests', ...many, '-o', join(path, 'a.csv')], { stdio: 'ignore' })
  await untilWriting(child, path)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([null, signal])
  expect(readdirSync(path)).toEqual([])
})

describe('an input is never the output', () => {
  const copy = (): string => {
    const path = folder()
    cpSync(TRACE, path, { recursive: true })
    return path
  }
  const trace = (path: string) => join(path, 'trace.blktrace.1')

  test.each([
    ['by its name', (path: string) => [[trace(path)], trace(path)] as const],
    ['in a directory', (path: string) => [[path], trace(path)] as const],
    ['of a base name', (path: string) => [[join(path, 'trace')], trace(path)] as const],
    [
      'through a symbolic link',
      (path: string) => {
        symlinkSync(trace(path), join(path, '..', 'link.html'))
        return [[path], join(path, '..', 'link.html')] as const
      },
    ],
    [
      'through a hard link',
      (path: string) => {
        linkSync(trace(path), join(path, '..', 'hard.html'))
        return [[path], join(path, '..', 'hard.html')] as const
      },
    ],
  ])('%s', async (_, make) => {
    const path = copy()
    const before = readFileSync(trace(path))
    const [inputs, out] = make(path)
    const { status, stderr } = await run(['report', ...inputs, '-o', out])
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/^seekscope: \S+ is an input \(/) })
    expect(readFileSync(trace(path)).equals(before)).toBe(true)
    expect(readdirSync(path).some(name => name.endsWith('.part'))).toBe(false)
  })

  test('an archive', async () => {
    const packed = join(folder(), 'run.html')
    cpSync(join(ROOT, 'tests/containers/run.tar.gz'), packed)
    expect((await run(['report', packed, '-o', packed])).status).toBe(2)
  })

  test('a report next to its traces can be written again', async () => {
    const path = copy()
    for (const _ of [1, 2]) expect((await run(['report', path, '-o', join(path, 'report.html')])).status).toBe(0)
  })
})
