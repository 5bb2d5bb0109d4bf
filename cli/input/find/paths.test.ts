/** One bad entry of a directory costs only itself. */

import { spawnSync } from 'node:child_process'
import { cpSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { SummaryTrace } from '../../../web/engine/summary'
import { FIXTURES, run, shell, traces } from '../../testing/run'
import { closeInputs } from './inputs'
import { spooledInput } from './paths'
import { spooled } from './spool'

const TRACE = join(FIXTURES, 'io-errors')
const FILE = join(TRACE, 'trace.blktrace.1')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-paths-'))
// Folders may be nested deeper than Node can remove.
afterAll(() => spawnSync('rm', ['-rf', scratch]))

/** A directory with a trace. */
function folder(): string {
  const path = mkdtempSync(join(scratch, 'f-'))
  cpSync(TRACE, join(path, 'good'), { recursive: true })
  return path
}

const found = (stdout: string) => (JSON.parse(stdout) as { readonly traces: readonly SummaryTrace[] }).traces

test.each([
  [
    'a dangling link',
    /link: not-found: A symbolic link to a file that does not exist\. \S.+/,
    (path: string) => symlinkSync('nowhere', join(path, 'link')),
  ],
  ['a link to itself', /self: link-loop: \S.+/, (path: string) => symlinkSync('self', join(path, 'self'))],
  ['a link to its directory', /up: link-loop: \S.+/, (path: string) => symlinkSync('..', join(path, 'good/up'))],
  [
    'a FIFO',
    /fifo: not-a-file: A FIFO.+name it on the command line\./,
    (path: string) => spawnSync('mkfifo', [join(path, 'fifo')]),
  ],
])('%s in a directory is named, the trace is read', async (_, message, make) => {
  const path = folder()
  make(path)
  const { status, stdout, stderr } = await run(['summary', '--json', path])
  expect(stderr).toMatch(new RegExp(`^seekscope: \\S+/${message.source}\\n$`))
  expect([status, found(stdout).length]).toEqual([1, 1])
})

test('folders that links lead to more than once are read once', async () => {
  const path = folder()
  // Each step doubles the ways: 2^30 of them.
  const stepFolder = (i: number) => join(path, `.steps/d${i}`)
  for (let i = 0; i <= 30; i++) mkdirSync(stepFolder(i), { recursive: true })
  for (let i = 0; i < 30; i++) for (const name of ['a', 'b']) symlinkSync(`../d${i + 1}`, join(stepFolder(i), name))
  cpSync(TRACE, stepFolder(30), { recursive: true })
  symlinkSync('good', join(path, 'latest'))
  symlinkSync('.steps/d0', join(path, 'steps'))
  expect(await traces([path])).toHaveLength(2)
})

test('an unreadable file and an unreadable directory', async () => {
  const path = folder()
  spawnSync('chmod', ['-R', 'a+rX', scratch])
  cpSync(FILE, join(path, 'other.blktrace.0'))
  mkdirSync(join(path, 'closed'))
  spawnSync('chmod', ['000', join(path, 'other.blktrace.0'), join(path, 'closed')])
  // Root may read everything.
  const user = process.getuid?.() === 0 ? 'setpriv --reuid 65534 --regid 65534 --clear-groups ' : ''
  const { status, stdout, stderr } = await shell(`${user}"$NODE" "$BUNDLE" summary --json ${path}`)
  const [first, second, ...more] = stderr.trimEnd().split('\n')
  expect(more).toEqual([])
  expect(first).toMatch(/closed: unreadable: The file cannot be read: permission denied\. Change its permissions/)
  expect(second).toMatch(
    /other\.blktrace\.0: unreadable: The file cannot be read: permission denied\. Change its permissions/,
  )
  expect([status, found(stdout).length]).toEqual([1, 1])
  spawnSync('chmod', ['-R', '700', path])
})

test('a name that is not UTF-8, and one with control characters', async () => {
  const path = mkdtempSync(join(scratch, 'odd-'))
  writeFileSync(
    Buffer.concat([Buffer.from(join(path, 'caf')), Buffer.from([0xe9]), Buffer.from('.blktrace.0')]),
    readFileSync(FILE),
  )
  mkdirSync(join(path, 'b'))
  writeFileSync(join(path, 'b', 'x\x1b[31m\ny.blktrace.0'), readFileSync(FILE))
  const all = await traces([path])
  expect(all.map(trace => trace.label).sort()).toEqual(['caf\\xe9', 'x\\u001b[31m\\u000ay'])
})

test('more files than a process may open', async () => {
  const path = mkdtempSync(join(scratch, 'many-'))
  const linked = join(path, 'one')
  writeFileSync(linked, readFileSync(FILE).subarray(0, 2000))
  for (let i = 0; i < 1500; i++) {
    mkdirSync(join(path, `r${i}`))
    linkSync(linked, join(path, `r${i}/sda.blktrace.0`))
  }
  rmSync(linked)
  const { stdout, stderr } = await shell(`ulimit -n 1024; seekscope requests ${path} | cut -d, -f2 | sort -u | wc -l`)
  expect({ stderr, traces: Number(stdout) - 1 }).toEqual({ stderr: '', traces: 1500 })
})

test('more archives than a process may open', async () => {
  const path = mkdtempSync(join(scratch, 'packed-'))
  const bytes = gzipSync(readFileSync(FILE))
  for (let i = 0; i < 80; i++) {
    mkdirSync(join(path, `r${i}`))
    writeFileSync(join(path, `r${i}/sda.blktrace.0.gz`), bytes)
  }
  const { stdout, stderr } = await shell(`ulimit -n 64; seekscope requests ${path} | cut -d, -f2 | sort -u | wc -l`)
  expect({ stderr, traces: Number(stdout) - 1 }).toEqual({ stderr: '', traces: 80 })
})

test('files of one trace that are more than a thread keeps open', async () => {
  const path = mkdtempSync(join(scratch, 'wide-'))
  for (let cpu = 0; cpu < 200; cpu++) {
    const bytes = Buffer.from(readFileSync(FILE))
    for (let offset = 0; offset + 48 <= bytes.length; offset += 48 + bytes.readUInt16LE(offset + 46))
      bytes.writeUInt32LE(cpu, offset + 40)
    writeFileSync(join(path, `sda.blktrace.${cpu}`), bytes)
  }
  const read = async (limit: string) => {
    const { stdout } = await shell(`${limit}seekscope summary --json --threads 4 ${path}`)
    return found(stdout).map(trace => trace.devices)
  }
  const [few, many] = await Promise.all([read('ulimit -n 80; '), read('')])
  expect(few.length).toBeGreaterThan(0)
  expect(few).toEqual(many)
})

test('a FIFO and <(...) are read like the file', async () => {
  const fifo = join(scratch, 'fifo')
  const [plain, piped, named, packed] = await Promise.all([
    traces([FILE]),
    shell(`seekscope summary --json <(cat ${FILE})`),
    shell(`mkfifo ${fifo}; cat ${FILE} > ${fifo} & seekscope summary --json ${fifo}`),
    shell(`seekscope summary --json <(gzip -c ${FILE})`),
  ])
  for (const { status, stdout, stderr } of [piped, named, packed]) {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(found(stdout).map(trace => trace.devices)).toEqual(plain.map(trace => trace.devices))
  }
})

test('a device is not read, and a name that is not UTF-8 cannot be an argument', async () => {
  const [zero, odd] = await Promise.all([run(['summary', '/dev/zero']), shell(`seekscope summary $'caf\\xe9'`)])
  expect(zero).toMatchObject({ status: 1, stderr: expect.stringMatching(/^seekscope: \/dev\/zero: not-a-file: /) })
  expect(odd).toMatchObject({ status: 1, stderr: expect.stringMatching(/: not-found: .*name its directory instead/) })
})

test('folders nested deeper than calls can be cost only themselves', async () => {
  const path = folder()
  spawnSync('mkdir', ['-p', 'd/'.repeat(2030)], { cwd: path })
  try {
    for (const command of ['summary --json', 'digest']) {
      const { stdout, stderr } = await shell(`seekscope ${command} ${path}`)
      expect(stdout.length, command).toBeGreaterThan(100)
      expect(stderr, command).not.toContain('call stack')
      // Below, names are longer than the system takes.
      expect(stderr, command).toMatch(/^(?:seekscope: [^\n]{4000,}: unreadable: [^\n]+\n)?$/)
    }
    const table = join(scratch, 'deep.parquet')
    expect((await shell(`seekscope fleet ${path} -o ${table}`)).stderr).toContain('1 runs of 1 recordings')
    expect((await shell(`seekscope compare --digests ${path}`)).stderr).not.toContain('call stack')
  } finally {
    // Names are too long for Node, too.
    spawnSync('rm', ['-rf', path])
  }
})

test('a pipe that does not end is refused, and what came of it is gone', async () => {
  const before = spooled()
  async function* zeros() {
    for (;;) yield new Uint8Array(100)
  }
  const most = 1000
  const input = (pieces: AsyncIterator<Uint8Array>) => spooledInput('endless', '0:0', new Uint8Array(4), pieces, most)
  await expect(input(zeros())).rejects.toMatchObject({ code: 'too-large', at: { file: 'endless' } })
  expect(spooled()).toBe(before)
  async function* some() {
    yield new Uint8Array(996)
  }
  expect((await input(some())).size).toBe(1000)
  closeInputs()
})
