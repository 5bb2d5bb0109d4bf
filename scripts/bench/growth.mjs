/**
 * What one thing more costs: more events, devices, per-CPU files, processes, messages, runs, traces or texts. One
 * axis at a time; seconds are those that the processor worked. Work that grows with the axis is compared per unit,
 * recordings of a fixed length as a whole.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, Stop, say, WORKSPACE } from '../lib/run.mjs'
import { generate } from './generate.mjs'
import { time } from './measure.mjs'

/**
 * @typedef {{ seconds: number, peak: number }} Cost
 * @typedef {{ sizes: readonly number[], units?: (size: number) => number, events?: number, cost?: (size: number) =>
 * Promise<Cost> }} Axis
 *   `units`: of the work, where it grows with the axis; `cost`: else the engine, compiled for this machine
 */

/** Shorter times are mostly that of the start. */
const MIN_SECONDS = 0.2
const EVENTS = 2_000_000
const RUNS = 3
/** Above it a row is marked. */
const ALLOWED = 1.5
const each = (/** @type {number} */ size) => size

/** @param {boolean} large @returns {Record<string, Axis>} */
const axes = large => ({
  events: { sizes: [1e6, 5e6, 20e6, ...(large ? [60e6, 150e6] : [])], units: each },
  devices: { sizes: [1, 4, 16, 64, 256] },
  files: { sizes: [1, 8, 64, 512, 4096] },
  processes: { sizes: [1, 100, 1000, 10_000, 100_000] },
  names: { sizes: [1, 1000, 100_000] },
  messages: { sizes: [4, 16, 64], units: messages => 4 + messages, events: 400_000 },
  'in-flight': { sizes: [1, 32, 1024, 32_768] },
  runs: { sizes: [2, 5, 10, 20], units: each, events: 400_000 },
  parts: { sizes: [64, 512, 4096], units: each },
  traces: { sizes: [2000, 20_000, 100_000], units: each },
  copies: { sizes: [2000, 20_000, 100_000], units: each },
  texts: { sizes: [2000, 20_000, 100_000], units: each },
  notes: { sizes: [2000, 20_000, 100_000], units: each },
  'archive of traces': { sizes: [20, 200, 2000], units: each, cost: size => archive(size, true) },
  'archive of texts': { sizes: [2000, 20_000, 100_000], units: each, cost: size => archive(size, false) },
})

/** @param {string} axis @param {number} size @param {number} events @returns {Promise<Cost>} */
async function native(axis, size, events) {
  const program = join(WORKSPACE, 'target/release/seekscope-stages')
  /** @type {Cost[]} */
  const costs = []
  // The fastest counts, which other load disturbs least.
  while (costs.length < RUNS)
    costs.push(JSON.parse((await time(program, ['growth', axis, String(size), String(events)], ROOT, 'keep')).output))
  return { seconds: Math.min(...costs.map(cost => cost.seconds)), peak: Math.max(...costs.map(cost => cost.peak)) }
}

/** A tar header of a file (POSIX); layout as in `cli/sharing/tar.ts`. @param {string} name @param {number} size */
function header(name, size) {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write('0000644\0', 100)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/**
 * The command line on an archive of tiny traces, or of one trace and texts. @param {number} entries @param {boolean}
 * traces
 */
async function archive(entries, traces) {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-bench-'))
  try {
    const [recording] = generate(join(folder, 'run'), 40, 'null').files
    if (!recording) throw new Stop('no recording was generated')
    const trace = readFileSync(recording)
    const text = Buffer.from('Linux version 6.12.0-1-amd64\nWhat the machine had to say about this run.\n')
    const path = join(folder, 'all.tar')
    const fd = openSync(path, 'w')
    const add = (/** @type {string} */ name, /** @type {Buffer} */ bytes) =>
      writeSync(
        fd,
        Buffer.concat([header(name, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]),
      )
    for (let i = 0; i < entries; i++) {
      if (traces || i === 0) add(`run${i}/trace.blktrace.0`, trace)
      else add(`run0/${i}.txt`, text)
    }
    writeSync(fd, Buffer.alloc(1024))
    closeSync(fd)
    const { seconds, peakBytes = 0 } = await time(
      process.execPath,
      [join(ROOT, 'dist-cli/seekscope.mjs'), 'summary', '--json', path],
      ROOT,
    )
    return { seconds, peak: peakBytes }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param {string | undefined} chosen axes, separated by commas @param {boolean} large also 60 and 150 M events:
 * minutes, and GBs of memory
 */
export async function printGrowth(chosen, large) {
  const all = axes(large)
  const names = chosen ? chosen.split(',') : Object.keys(all)
  say(
    `${''.padEnd(20)}${'size'.padStart(12)}${'seconds'.padStart(10)}${'MB'.padStart(8)}${'x linear, time'.padStart(17)}${'memory'.padStart(9)}`,
  )
  for (const name of names) {
    const axis = all[name]
    if (!axis) throw new Stop(`unknown axis: ${name} (known: ${Object.keys(all).join(', ')})`)
    const units = axis.units ?? (() => 1)
    /** @type {Cost & { units: number } | undefined} */
    let base
    for (const size of axis.sizes) {
      const { seconds, peak } = await (axis.cost?.(size) ?? native(name, size, axis.events ?? EVENTS))
      const per = (/** @type {number} */ now, /** @type {number} */ before) =>
        now / units(size) / (before / (base?.units ?? 1))
      const [times, bytes] = base ? [per(seconds, base.seconds), per(peak, base.peak)] : [1, 1]
      const shown = base || seconds >= MIN_SECONDS ? [times.toFixed(2), bytes.toFixed(2)] : ['-', '-']
      if (!base && seconds >= MIN_SECONDS) base = { seconds, peak, units: units(size) }
      const mark = Math.max(times, bytes) > ALLOWED ? '  more than linear' : ''
      const row = [
        size.toLocaleString('en').padStart(12),
        seconds.toFixed(2).padStart(10),
        (peak / 1e6).toFixed(0).padStart(8),
      ]
      say(`${name.padEnd(20)}${row.join('')}${(shown[0] ?? '').padStart(17)}${(shown[1] ?? '').padStart(9)}${mark}`)
    }
  }
}
