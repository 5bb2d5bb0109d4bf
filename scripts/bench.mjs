/**
 * `npm run bench [-- --sizes 1,5,20 --kinds deep,null --runs 3 --no-browser]`: compares the time to all figures with
 * the native tools, on the same generated recordings, or on one with `--folder RECORDING`; with one worker, and with
 * as many as there are cores. Sizes are in millions of events. Needs a machine without other load.
 *
 * `npm run bench -- --answers [--events 6,20] [--no-pair]`: frames and answers of the page in use, of one run and of
 * two.
 *
 * `npm run bench -- --live [--rates 20000,100000] [--seconds 300]`: a made stream that the page follows: lag,
 * frames, memory.
 *
 * `npm run bench -- --start`: bytes of the page, and the time of a first visit on a slow line with a slow CPU.
 *
 * `npm run bench -- --growth [--axes events,devices] [--large]`: what one event, device, file, process, message, run
 * or text more costs.
 *
 * `npm run bench -- --stages [--sizes 5] [--folder RECORDING]`: the time of each stage of the engine by itself, of
 * generated recordings or of one.
 */
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { printAnswers } from './bench/answers.mjs'
import { browserContender } from './bench/browser.mjs'
import { generate, KINDS } from './bench/generate.mjs'
import { printGrowth } from './bench/growth.mjs'
import { printLive } from './bench/live.mjs'
import { median } from './bench/measure.mjs'
import { nativeTools } from './bench/native.mjs'
import { nodeContender } from './bench/node.mjs'
import { buildStages, printStages } from './bench/stages.mjs'
import { printStart } from './bench/start.mjs'
import { main, Stop, say } from './lib/run.mjs'
import { engineInNode, everything } from './lib/setup.mjs'

/** @typedef {{ name: string, seconds: number, peakBytes?: number, note: string }} Row */

const OURS = 'seekscope in '
const mb = (/** @type {number | undefined} */ bytes) => (bytes === undefined ? '' : `${(bytes / 1e6).toFixed(0)} MB`)

/** Each time also as a multiple of our own. @param {readonly Row[]} rows @param {number} events */
function table(rows, events) {
  const ours = rows.filter(row => row.name.startsWith(OURS))
  const cells = [...ours.map(row => `x ${row.name.slice(OURS.length)}`), 'M events/s', 'peak memory']
  say(`${''.padEnd(32)}${'seconds'.padStart(9)}${cells.map(cell => cell.padStart(15)).join('')}`)
  for (const { name, seconds, peakBytes, note } of rows) {
    const ratios = ours.map(row => (seconds / row.seconds).toFixed(1))
    const values = [...ratios, (events / seconds / 1e6).toFixed(2), mb(peakBytes)]
    say(
      `${name.padEnd(32)}${seconds.toFixed(2).padStart(9)}${values.map(value => value.padStart(15)).join('')}  ${note}`,
    )
  }
}

/**
 * @param {import('./bench/native.mjs').Contender} contender
 * @param {string} folder
 * @param {number} runs
 * @returns {Promise<Row>}
 */
async function medianOf({ name, run }, folder, runs) {
  const timings = []
  for (let i = 0; i < runs; i++) timings.push(await run(folder))
  const peaks = timings.map(timing => timing.peakBytes).filter(bytes => bytes !== undefined)
  return {
    name,
    seconds: median(timings.map(timing => timing.seconds)),
    note: timings[0]?.output ?? '',
    ...(peaks.length > 0 ? { peakBytes: Math.max(...peaks) } : {}),
  }
}

/** @param {string} text @returns {number[]} */
function numbers(text) {
  const list = text.split(',').map(Number)
  if (list.some(n => !(n > 0))) throw new Stop(`expected a list of positive numbers: ${text}`)
  return list
}

/** @param {string} text */
function kinds(text) {
  return text.split(',').map(name => {
    const kind = /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS)).find(known => known === name)
    if (!kind) throw new Stop(`unknown recording kind: ${name} (known: ${Object.keys(KINDS).join(', ')})`)
    return kind
  })
}

/**
 * The recording of a folder, linked as `trace` into a folder of its own: the native tools write next to what they read.
 *
 * @param {string} folder
 * @param {(folder: string) => Promise<void>} work
 */
async function linked(folder, work) {
  const own = mkdtempSync(join(tmpdir(), 'seekscope-bench-'))
  try {
    const parts = readdirSync(folder).filter(name => name.includes('.blktrace.'))
    const names = new Set(parts.map(name => name.slice(0, name.indexOf('.blktrace.'))))
    if (names.size !== 1) throw new Stop(`expected one recording in ${folder}, found ${names.size}`)
    for (const name of parts)
      symlinkSync(resolve(folder, name), join(own, `trace${name.slice(name.indexOf('.blktrace.'))}`))
    await work(own)
  } finally {
    rmSync(own, { recursive: true })
  }
}

/** About as many as its records of version 7 without a payload. @param {string} folder */
function eventsIn(folder) {
  const files = readdirSync(folder).filter(name => name.includes('.blktrace.'))
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 48
}

/**
 * @param {{ kinds: string, sizes: string }} values
 * @param {(folder: string, title: string, events: number) => Promise<void>} work
 */
async function eachRecording(values, work) {
  for (const kind of kinds(values.kinds)) {
    for (const size of numbers(values.sizes)) {
      const folder = mkdtempSync(join(tmpdir(), 'seekscope-bench-'))
      try {
        const { events, files } = generate(folder, size * 1e6, kind)
        const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
        await work(folder, `${kind}: ${events.toLocaleString('en-US')} events, ${mb(bytes)}, 4 CPUs`, events)
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
  }
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string' },
      kinds: { type: 'string', default: 'deep,null' },
      runs: { type: 'string', default: '3' },
      'no-browser': { type: 'boolean', default: false },
      stages: { type: 'boolean', default: false },
      answers: { type: 'boolean', default: false },
      events: { type: 'string', default: '6,20' },
      'no-pair': { type: 'boolean', default: false },
      folder: { type: 'string' },
      growth: { type: 'boolean', default: false },
      start: { type: 'boolean', default: false },
      live: { type: 'boolean', default: false },
      rates: { type: 'string', default: '20000,100000' },
      seconds: { type: 'string', default: '300' },
      axes: { type: 'string' },
      large: { type: 'boolean', default: false },
    },
  })
  const [runs = 3] = numbers(values.runs)
  const recordings = { kinds: values.kinds, sizes: values.sizes ?? (values.stages ? '5' : '1,5,20') }
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, Node ${process.versions.node}`
  if (values.growth) {
    await engineInNode()
    await buildStages()
    say(machine)
    return await printGrowth(values.axes, values.large)
  }
  if (values.stages) {
    await engineInNode()
    await buildStages()
    say(`${machine}; native: the fastest of ${runs}, Node: their median`)
    if (values.folder) return await printStages(values.folder, runs)
    await eachRecording(recordings, async (folder, title) => {
      say(`\n${title}`)
      await printStages(folder, runs)
    })
    return
  }
  await everything()
  if (values.start) {
    say(machine)
    return await printStart(runs)
  }
  if (values.live) {
    say(machine)
    for (const rate of numbers(values.rates)) await printLive(rate, Number(values.seconds))
    return
  }
  if (values.answers) {
    say(machine)
    const pair = !values['no-pair']
    if (values.folder) return await printAnswers(values.folder, { pair })
    await eachRecording({ kinds: 'disks', sizes: values.events }, async (folder, title) => {
      say(`\n${title}`)
      await printAnswers(folder, { pair })
    })
    return
  }
  const workers = [...new Set([1, cpus().length])]
  const browsers = values['no-browser'] ? [] : await Promise.all(workers.map(browserContender))
  const contenders = [...workers.map(nodeContender), ...browsers, ...nativeTools()]
  say(`${machine}, median of ${runs}; the number is that of workers`)
  const compare = async (/** @type {string} */ folder, /** @type {string} */ title, /** @type {number} */ events) => {
    say(`\n${title}`)
    const rows = []
    for (const contender of contenders) rows.push(await medianOf(contender, folder, runs))
    table(rows, events)
  }
  try {
    if (values.folder) await linked(values.folder, folder => compare(folder, values.folder ?? folder, eventsIn(folder)))
    else await eachRecording(recordings, compare)
  } finally {
    for (const browser of browsers) await browser.close()
  }
})
