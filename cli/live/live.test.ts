/** Streams on the command line: the real program, real pipes, FIFOs and folders that grow. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { buffersOf, cpuFiles, growingFolder, streamOf } from '../../tests/streams'
import { createUnframer, type Frame } from '../../web/engine/live/frames'
import { concatenate } from '../../web/engine/live/records'
import { BUNDLE, ROOT, runProcess, shell, traces } from '../testing/run'
import { lineTable } from './lines'
import { drawn, screenOf } from './screen'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-live-'))
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(scratch, { recursive: true }))

const FOLDER = 'partitions-bfq-1w'

/** A running command, with what it has written. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [BUNDLE, ...args], { cwd: ROOT })
  running.push(child)
  const text = { out: '', err: '' }
  child.stdout.on('data', piece => {
    text.out += piece
  })
  child.stderr.on('data', piece => {
    text.err += piece
  })
  const until = async (is: () => boolean) => {
    while (!is()) {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${text.err}`)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')])
    }
  }
  const ended = once(child, 'close').then(([status, signal]) => (signal ?? status) as NodeJS.Signals | number)
  return { child, text, until, ended }
}

interface TopLine {
  readonly from_ns: number
  readonly to_ns: number
  readonly iops: number
  readonly read_bps: number
  readonly write_bps: number
  readonly depth: { readonly mean: number; readonly max: number }
  readonly starved_share: number
  readonly latency_ns: Readonly<Record<string, { readonly n: number; readonly p50: number; readonly p99: number }>>
  readonly open: number
  readonly sizes: SizeShares
  readonly processes: readonly { readonly name: string; readonly iops: number; readonly sizes?: SizeShares }[]
}

interface SizeShares {
  readonly to_4k: number
  readonly below_128k: number
  readonly from_128k: number
}

const linesIn = (text: string): TopLine[] =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

test('top has the figures of summary --range of the same bytes', async () => {
  const file = join(scratch, 'dump')
  writeFileSync(file, streamOf(FOLDER))
  const { status, stdout, stderr } = await shell(`cat ${file} | seekscope top --json --interval 0.25 -`)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const lines = linesIn(stdout)
  expect(lines.length).toBeGreaterThan(4)
  for (const line of lines.slice(1, -2)) {
    expect(line.open).toBe(0)
    const [trace] = await traces(['--range', `${line.from_ns / 1e9}:${line.to_ns / 1e9}`, file])
    const device = trace?.devices[0]
    expect(line.iops).toBeCloseTo(device?.throughput?.iops ?? Number.NaN, 6)
    expect(line.read_bps).toBeCloseTo(device?.throughput?.read_bps ?? Number.NaN, 3)
    expect(line.write_bps).toBeCloseTo(device?.throughput?.write_bps ?? Number.NaN, 3)
    expect(line.depth.mean).toBeCloseTo(device?.depth?.mean ?? Number.NaN, 6)
    expect(line.depth.max).toBe(device?.depth?.max)
    expect(line.starved_share).toBeCloseTo(device?.starved?.share ?? Number.NaN, 6)
    for (const stage of ['d2c', 'q2c'] as const) {
      const { n, p50, p99 } = device?.latency_ns[stage] ?? {}
      expect(line.latency_ns[stage]).toEqual({ n, p50, p99 })
    }
    // What the device has is what its processes have, each with its share of the requests.
    const requests = line.processes.reduce((sum, { iops }) => sum + iops, 0)
    for (const size of ['to_4k', 'below_128k', 'from_128k'] as const) {
      const mean = line.processes.reduce(
        (sum, { iops, sizes }) => sum + (iops / requests) * (sizes?.[size] ?? Number.NaN),
        0,
      )
      expect(mean).toBeCloseTo(line.sizes[size], 2)
    }
  }
})

test('top prints the same of a stream, of files, and line by line', async () => {
  const file = join(scratch, 'again')
  writeFileSync(file, streamOf(FOLDER))
  const [piped, read, folder] = [
    await shell(`cat ${file} | seekscope top -`),
    await runProcess(['top', file]),
    await runProcess(['top', `tests/fixtures/${FOLDER}`]),
  ]
  expect(piped.stdout).toBe(read.stdout)
  expect(folder.stdout.split('\n').length).toBe(read.stdout.split('\n').length)
  expect(piped.stdout.split('\n')[0]).toMatch(/^ +time device +iops +rMB\/s/)
  const text = await shell('seekscope blkparse tests/fixtures/sync-fua/trace | seekscope top - | head -3')
  expect(text.stdout.split('\n')).toHaveLength(4)
})

test('of a stream of an array and its member top has the figures of their files', async () => {
  const file = join(scratch, 'array')
  writeFileSync(file, streamOf('raid5-misaligned'))
  const [piped, files] = [
    await shell(`cat ${file} | seekscope top --json -`),
    await runProcess(['top', '--json', 'tests/fixtures/raid5-misaligned']),
  ]
  expect([piped.status, piped.stderr]).toEqual([0, ''])
  // Names of devices are those of files.
  const unnamed = (text: string) => linesIn(text).map(line => ({ ...line, name: undefined }))
  expect(unnamed(piped.stdout)).toEqual(unnamed(files.stdout))
})

test('a FIFO is followed, intervals come while it is open, and Ctrl-C prints the rest', async () => {
  const fifo = join(scratch, 'fifo')
  execFileSync('mkfifo', [fifo])
  const { child, text, until, ended } = start('top', '--interval', '0.2', fifo)
  const writer = openSync(fifo, 'w')
  const buffers = buffersOf(FOLDER)
  for (const buffer of buffers) writeSync(writer, buffer)
  await until(() => text.out.split('\n').length > 3)
  expect(child.exitCode).toBeNull()
  child.kill('SIGINT')
  expect(await ended).toBe('SIGINT')
  const whole = await runProcess(['top', '--interval', '0.2', `tests/fixtures/${FOLDER}`])
  // The last record waits for the one behind it, which never came.
  expect(text.out.split('\n').length).toBeGreaterThanOrEqual(whole.stdout.split('\n').length - 1)
})

test('a FIFO without data can be left', async () => {
  const fifo = join(scratch, 'lonely')
  execFileSync('mkfifo', [fifo])
  const { child, ended, text } = start('open', '--no-browser', fifo)
  // Opens once the command waits for a writer.
  const writer = await open(fifo, 'w')
  child.kill('SIGINT')
  expect(await ended).toBe('SIGINT')
  await writer.close()
  expect(text.out).toBe('')
})

test('a folder that grows as blktrace makes it grow: zeros behind the records, new files, cut at the end', async () => {
  const folder = join(scratch, 'growing')
  mkdirSync(folder)
  const growing = growingFolder(FOLDER, folder)
  const { text, until, ended } = start('top', '--follow', '--interval', '0.2', folder)
  await until(() => text.out.includes('device'))
  for (let step = 1; step <= 100; step++) {
    growing.grow(step / 100)
    await new Promise(setImmediate)
  }
  // Lines are printed of what is before the zeros.
  await until(() => text.out.split('\n').length > 3)
  growing.end()
  expect(await ended).toBe(0)
  const whole = await runProcess(['top', '--interval', '0.2', `tests/fixtures/${FOLDER}`])
  expect(text.out).toBe(whole.stdout)
})

test('a folder that has just been written is a complete recording; followed, it ends by itself', async () => {
  const folder = join(scratch, 'just-written')
  mkdirSync(folder)
  for (const [name, bytes] of cpuFiles('raid5-misaligned')) writeFileSync(join(folder, name), bytes)
  const [complete, fixture] = [
    await runProcess(['top', folder]),
    await runProcess(['top', '--json', join(ROOT, 'tests/fixtures/raid5-misaligned')]),
  ]
  expect(complete).toMatchObject({ status: 0, stderr: '' })
  expect(complete.stdout.trim().split('\n').length).toBe(linesIn(fixture.stdout).length + 1)
  const followed = await runProcess(['top', '--follow', '--json', folder])
  expect(followed.status).toBe(0)
  const times = (text: string) => linesIn(text).map(({ from_ns, to_ns }) => [from_ns, to_ns])
  expect(times(followed.stdout)).toEqual(times(fixture.stdout))
}, 60_000)

/** Gives top a made stream, waits until it has said something, and ends the stream then. */
async function said(options: readonly string[], words: RegExp): Promise<NodeJS.Signals | number> {
  const maker = spawn(
    process.execPath,
    ['bench/page/stream.mjs', '--rate', '4000', '--seconds', '6', '--fast', '--at', '2', ...options],
    {
      cwd: ROOT,
    },
  )
  running.push(maker)
  const made = once(maker, 'close')
  const { child, text, until, ended } = start('top', '-')
  maker.stdout.pipe(child.stdin, { end: false })
  await Promise.all([until(() => words.test(text.err)), made])
  child.stdin.end()
  return ended
}

test('what is wrong with a stream is said', async () => {
  const make = 'node bench/page/stream.mjs --rate 4000 --seconds 6 --fast --at 2'
  const broken = await shell(`${make} --cut | seekscope top - > /dev/null`)
  expect(broken.status).toBe(1)
  expect(broken.stderr).toMatch(
    /standard-input: truncated-tail: The stream ended within a record: 30 bytes of it arrived\./,
  )
  expect(await said(['--back', '2000000000'], /The clock of a CPU stepped back, by [\d.]+ s at most/)).toBe(0)
  expect(await said(['--drop', '123'], /The tracer lost 123 events/)).toBe(0)
  const none = await shell('printf "" | seekscope top -')
  expect({ status: none.status, stderr: none.stderr }).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('empty'),
  })
})

test('millions of events take bounded memory', async () => {
  const { stdout } = await shell(
    `node bench/page/stream.mjs --rate 400000 --seconds 8 --fast | node -e '
      const child = require("child_process").spawn(process.env.NODE, [process.env.BUNDLE, "top", "-"], { stdio: ["inherit", "pipe", "inherit"] })
      let [most, lines] = [0, 0]
      child.stdout.on("data", data => { lines += String(data).split("\\n").length - 1 })
      const timer = setInterval(() => { try { most = Math.max(most, Number(/VmHWM:\\s+(\\d+)/.exec(require("fs").readFileSync("/proc/" + child.pid + "/status", "utf8"))[1])) } catch {} }, 20)
      child.on("close", () => { clearInterval(timer); console.log(lines, most) })'`,
  )
  const [lines, kilobytes] = stdout.split(' ').map(Number)
  // A heading, and one line per second.
  expect(lines).toBe(9)
  expect(kilobytes).toBeGreaterThan(10_000)
  expect(kilobytes).toBeLessThan(450_000)
}, 240_000)

test('names do not control the terminal, and lines fit into it', () => {
  const process = { pid: 1, name: '\x1b]0;title\x07', dev: '8,0', iops: 5, readBps: 1e6, writeBps: 0, inFlight: 0.5 }
  const device = { dev: '8,0', name: 'sda\u202e', iops: 5, readBps: 1e6, writeBps: 0, open: 0 }
  const interval = { range: { t0: 0, t1: 1e9 }, devices: [device], processes: [process] } as unknown as Parameters<
    typeof screenOf
  >[0]['interval']
  const state = {
    source: 'a\x1b[2J',
    lengthMs: 1000,
    sort: 'i',
    paused: false,
    events: 5,
    lagMs: 500,
    notices: ['b\x1b[2J'],
    interval,
  } as const
  for (const [columns, rows] of [
    [200, 50],
    [80, 24],
    [40, 10],
    [10, 3],
  ] as const) {
    const lines = screenOf(state as Parameters<typeof screenOf>[0], columns, rows)
    expect(lines.length).toBeLessThanOrEqual(rows)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const plain = lines.map(line => line.replace(/\x1b\[[17]?m/g, ''))
    for (const line of plain) expect(line.length).toBeLessThanOrEqual(columns)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(plain.join('')).not.toMatch(/[\x00-\x1f\u202e]/)
    expect(drawn(lines).startsWith('\x1b[H')).toBe(true)
  }
})

test('a table of a complete recording fits into a terminal, and leaves out the least important columns', () => {
  const interval = { range: { t0: 0, t1: 1e9 }, devices: [{ name: '254,0', iops: 81, readBps: 6e5, writeBps: 5e7 }] }
  const columns = (width?: number) => lineTable(width).header.trim().split(/ +/)
  for (const width of [70, 80, 100, 120, 138]) {
    const { header, lines } = lineTable(width)
    const line = lines(interval as unknown as Parameters<typeof lines>[0])
    expect([header, line].map(text => text.trimEnd().length <= width)).toEqual([true, true])
    expect(header.trimEnd().length).toBe(line.trimEnd().length)
  }
  expect(columns(80)).toEqual(expect.arrayContaining(['iops', 'rMB/s', 'wMB/s', 'depth', 'starved%', 'd2c-p99']))
  expect(columns(80)).toHaveLength(columns().length - lineTable(80).leftOut.length)
  expect(lineTable().leftOut).toEqual([])
  expect(lineTable(lineTable().header.trimEnd().length).leftOut).toEqual([])
})

test.each(['q', '\x03', 'SIGTERM'])('a terminal is left as it was found after %j', async key => {
  const [fifo, pidFile] = [
    join(scratch, `terminal-${key.length}-${key.charCodeAt(0)}`),
    join(scratch, `pid-${key.length}-${key.charCodeAt(0)}`),
  ]
  execFileSync('mkfifo', [fifo])
  // script(1) runs it in a terminal of its own, and types what it is given.
  const child = spawn('script', [
    '-qfec',
    `echo $$ > ${pidFile}; exec ${process.execPath} ${BUNDLE} top --interval 0.2 ${fifo}`,
    '/dev/null',
  ])
  running.push(child)
  let out = ''
  const seen = (text: string) =>
    new Promise<void>(resolve => {
      const look = () => out.includes(text) && resolve()
      child.stdout.on('data', look)
      look()
    })
  child.stdout.on('data', piece => {
    out += piece
  })
  const writer = await open(fifo, 'w')
  await writer.write(streamOf(FOLDER).subarray(0, 60_000))
  await seen('D2C p50')
  if (key === 'SIGTERM') process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM')
  else child.stdin.write(key)
  const [status] = await once(child, 'close')
  await writer.close()
  // A signal ends it as a signal does: 128 and its number.
  expect(status).toBe(key === 'SIGTERM' ? 143 : 0)
  expect(out.indexOf('\x1b[?1049h')).toBeGreaterThanOrEqual(0)
  expect(out.endsWith('\x1b[?25h\x1b[?1049l')).toBe(true)
})

test('open serves a stream as it comes, behind the secret, and says how it ended', async () => {
  const { child, text, until, ended } = start('open', '--no-browser', '-')
  const [first = Buffer.alloc(0), ...rest] = buffersOf(FOLDER)
  child.stdin.write(first)
  await until(() => text.out.includes('\n'))
  const link = new URL(text.out.trim())
  const url = new URLSearchParams(link.hash.slice(1)).get('live') ?? ''
  expect(new URL(url).pathname).toMatch(/^\/[\w-]{22}\/live\/1$/)
  expect((await fetch(url.replace(/\/[\w-]{22}\//, '/0000000000000000000000/'))).status).toBe(404)
  const response = await fetch(url)
  const unframe = createUnframer()
  const frames: Frame[] = []
  const reader = response.body?.getReader()
  const read = async (is: (frame: Frame) => boolean) => {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      frames.push(...unframe(piece.value))
      if (frames.some(is)) return
    }
  }
  await read(({ kind }) => kind === 'data')
  for (const buffer of rest) child.stdin.write(buffer)
  child.stdin.end(Buffer.alloc(30, first))
  await read(frame => frame.kind === 'state' && frame.state.state === 'ended')
  expect(frames.at(-1)).toEqual({ kind: 'state', state: { state: 'ended', why: 'broken', bytes: 30 } })
  const come = concatenate(frames.flatMap(frame => (frame.kind === 'data' ? [frame.bytes] : [])))
  expect(Buffer.from(come).equals(Buffer.concat([first, ...rest, Buffer.alloc(30, first)]))).toBe(true)
  // A page that is loaded again gets all of it again.
  const again = new Uint8Array(await (await fetch(url)).arrayBuffer())
  expect(again.length).toBeGreaterThan(come.length)
  child.kill('SIGINT')
  expect(await ended).toBe('SIGINT')
  expect(text.err).toContain('truncated-tail')
})

test('open reads other data from a pipe to its end first, as before', async () => {
  const { child, text, until, ended } = start('open', '--no-browser', '-')
  child.stdin.end(readFileSync(join(ROOT, 'tests/stories/unsure.tar.xz')))
  await until(() => text.out.includes('\n'))
  const parameters = new URLSearchParams(new URL(text.out.trim()).hash.slice(1))
  expect(parameters.get('live')).toBeNull()
  expect(parameters.get('url')).toContain('standard-input.tar')
  child.kill('SIGINT')
  expect(await ended).toBe('SIGINT')
})
