/** Signals end every command, whatever it waits for, and nothing is left of it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BUNDLE, FIXTURES } from '../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-signals-'))
const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true })
})

const FIFO = join(scratch, 'fifo')
spawnSync('mkfifo', [FIFO])
const TRACE = join(FIXTURES, 'requeue')

/** Streams of bzip2 of nothing; unpacking so many takes seconds. */
const STREAMS = join(scratch, 'many.bz2')
writeFileSync(STREAMS, Buffer.alloc(14 * 300_000, Buffer.from('425a683917724538509000000000', 'hex')))

interface StartedCommand {
  readonly child: ChildProcess
  readonly folder: string
  readonly temporary: string
}

/** In a folder of its own, and with one for temporary files. */
function start(args: readonly string[], stdin: 'ignore' | 'pipe' | number): StartedCommand {
  const folder = mkdtempSync(join(scratch, 'in-'))
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const child = spawn(process.execPath, [BUNDLE, ...args], {
    cwd: folder,
    stdio: [stdin, 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: temporary },
  })
  running.push(child)
  return { child, folder, temporary }
}

async function until({ child }: StartedCommand, state: () => boolean): Promise<void> {
  while (!state()) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ended with ${child.exitCode}`)
    // A moment for the command: the state is what is waited for.
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

const hasPart = ({ folder }: StartedCommand) => readdirSync(folder).some(name => name.endsWith('.part'))

/** Whether the command has taken a MB of what does not end. */
function hasSpooled({ child }: StartedCommand): boolean {
  const folder = `/proc/${child.pid}/fd`
  return readdirSync(folder).some(name => {
    try {
      return readlinkSync(join(folder, name)).includes('/spool') && statSync(join(folder, name)).size > 1 << 20
    } catch {
      return false
    }
  })
}

/** It ends by the signal, in a time that is far below that of what it does. */
async function endsBy(started: StartedCommand, signal: NodeJS.Signals): Promise<void> {
  const ended = once(started.child, 'exit')
  const begun = performance.now()
  started.child.kill(signal)
  expect(await ended).toEqual([null, signal])
  expect(performance.now() - begun).toBeLessThan(5000)
  expect(readdirSync(started.folder)).toEqual(['temporary'])
  expect(readdirSync(started.temporary)).toEqual([])
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

test.each([
  ['SIGINT', 'requests', '-o', 'a.csv', FIFO],
  ['SIGTERM', 'requests', '-o', 'a.parquet', FIFO],
  ['SIGHUP', 'digest', '--output=a.parquet', FIFO],
  ['SIGINT', 'report', '-o', 'a.html', FIFO, TRACE],
  ['SIGHUP', 'compare', '--junit', 'a.xml', '--fail-if', 'slower', FIFO, TRACE],
] as const)('%s: %s %s %s of a FIFO that nobody writes', async (signal, ...args) => {
  const started = start(args, 'ignore')
  await until(started, () => hasPart(started))
  await endsBy(started, signal)
})

test.each(SIGNALS)('%s: standard input that is silent, and that does not end', async signal => {
  const silent = start(['digest', '-o', 'a.parquet', '-'], 'pipe')
  await until(silent, () => hasPart(silent))
  await endsBy(silent, signal)
  const zeros = openSync('/dev/zero', 'r')
  const endless = start(['requests', '-o', 'a.csv', '-'], zeros)
  closeSync(zeros)
  await until(endless, () => hasPart(endless) && hasSpooled(endless))
  await endsBy(endless, signal)
})

test.each(SIGNALS)('%s: an archive that is unpacked, and many recordings', async signal => {
  const unpacking = start(['requests', '--no-limits', '-o', 'a.csv', STREAMS], 'ignore')
  await until(unpacking, () => hasPart(unpacking))
  await endsBy(unpacking, signal)
  const fleet = start(['fleet', FIXTURES, '-o', 'F/'], 'ignore')
  await until(fleet, () => readdirSync(fleet.folder).includes('F.journal'))
  const ended = once(fleet.child, 'exit')
  fleet.child.kill(signal)
  expect(await ended).toEqual([null, signal])
  // The journal stays: the next command goes on from it.
  expect(readdirSync(fleet.folder).sort()).toEqual(['F.journal', 'temporary'])
})

test.each([
  ['SIGINT', 'top', '--json', '-'],
  ['SIGTERM', 'top', '-'],
  ['SIGHUP', 'open', '--no-browser', '-'],
] as const)('%s: %s %s of what does not end, and is no stream', async (signal, ...args) => {
  // A pipe: `top` and `open` read a device as a file.
  const feeder = spawn('cat', ['/dev/zero'], { stdio: ['ignore', 'pipe', 'ignore'] })
  running.push(feeder)
  const started = start(args, 'pipe')
  started.child.stdin?.on('error', () => undefined)
  feeder.stdout.pipe(started.child.stdin as NodeJS.WritableStream)
  await until(started, () => hasSpooled(started))
  await endsBy(started, signal)
})

/** An event every 36 days: each is followed by ten intervals, and a message. */
function centuries(): Buffer {
  const events = Array.from({ length: 3000 }, (_, i) => {
    const record = Buffer.alloc(48)
    record.writeUInt32LE(0x65617407, 0)
    record.writeUInt32LE(i, 4)
    record.writeBigUInt64LE(BigInt(i) * 31_557_600n * 100_000_000n, 8)
    record.writeBigUInt64LE(BigInt(8 * i), 16)
    record.writeUInt32LE(512, 24)
    record.writeUInt32LE((i % 2 ? 7 : 8) | (1 << 16), 28)
    record.writeUInt32LE(1, 32)
    record.writeUInt32LE(8 << 20, 36)
    return record
  })
  return Buffer.concat(events)
}

test.each(SIGNALS)('%s: top of a stream with very many intervals', async signal => {
  const started = start(['top', '--json', '-'], 'pipe')
  started.child.stdin?.end(centuries())
  await once(started.child.stdout as NodeJS.ReadableStream, 'data')
  started.child.stdout?.resume()
  await endsBy(started, signal)
})
