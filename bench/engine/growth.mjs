/**
 * What one thing more costs: more events, devices, per-CPU files, processes, messages, runs, traces or texts. One
 * axis at a time; seconds are those that the processor worked. Work that grows with the axis is compared per unit,
 * recordings of a fixed length as a whole.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, Stop } from '../../scripts/lib/run.mjs'
import { engineInNode } from '../../scripts/lib/setup.mjs'
import { generate } from '../lib/generate.mjs'
import { time } from '../lib/measure.mjs'
import { createTable, inMB } from '../lib/report.mjs'
import { repeat } from '../lib/statistics.mjs'
import { buildCrate, programOf } from './crates.mjs'

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
  const args = ['growth', axis, String(size), String(events)]
  /** @type {readonly Cost[]} */
  const costs = await repeat(RUNS, async () =>
    JSON.parse((await time(programOf('seekscope-stages'), args, ROOT, 'keep')).output),
  )
  // The fastest counts, which other load disturbs least.
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
async function printGrowth(chosen, large) {
  const all = axes(large)
  const names = chosen ? chosen.split(',') : Object.keys(all)
  const printRow = createTable({ first: 20, width: 16 })
  printRow('', ['size', 'seconds', 'peak memory', 'x linear, time', 'memory'])
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
      const mark = Math.max(times, bytes) > ALLOWED ? 'more than linear' : ''
      printRow(name, [size.toLocaleString('en'), seconds.toFixed(2), inMB(peak), ...shown], mark)
    }
  }
}

/** @type {import('../lib/bench.mjs').Bench} */
export const growth = {
  summary: 'what one event, device, file, process, message, run or text more costs; marks what is more than linear',
  options: {
    axes: { type: 'string', help: `of ${Object.keys(axes(false)).join(', ')}; all when absent` },
    large: { type: 'boolean', help: 'also 60 and 150 million events: minutes, and gigabytes of memory' },
  },
  async run({ values, flags }) {
    await engineInNode()
    await buildCrate('seekscope-stages')
    await printGrowth(values.axes, flags.has('large'))
  },
}
