/** Each stage of the engine by itself: compiled for this machine, and in Node, in a new process and once it is warm. */
import { join, resolve } from 'node:path'
import { must, ROOT, Stop, say } from '../../scripts/lib/run.mjs'
import { engineInNode } from '../../scripts/lib/setup.mjs'
import { RUNS, readNumber } from '../lib/bench.mjs'
import { time } from '../lib/measure.mjs'
import { eachRecording, FOLDER, KIND_LIST } from '../lib/recordings.mjs'
import { createTable } from '../lib/report.mjs'
import { median, repeat } from '../lib/statistics.mjs'
import { buildCrate, programOf } from './crates.mjs'

/** @typedef {{ read: number, store: number, end: number, summary: number }} NodeSeconds */
/**
 * @typedef {{ events: number, requests: number, memory: number, stages: { part: string, stage: string, seconds: number
 * }[] }} NativeStages
 */

const PARTS = ['reading', 'summary']

/** Seconds of each run become their median. @param {readonly NodeSeconds[]} runs @returns {NodeSeconds} */
function middle(runs) {
  const medianOf = (/** @type {keyof NodeSeconds} */ key) => median(runs.map(run => run[key]))
  return { read: medianOf('read'), store: medianOf('store'), end: medianOf('end'), summary: medianOf('summary') }
}

/** @param {string} folder @param {number} runs */
async function printStages(folder, runs) {
  const program = programOf('seekscope-stages')
  /** @type {NativeStages} */
  const native = JSON.parse((await time(program, [folder, String(runs)], ROOT, 'keep')).output)
  const { events, requests, memory, stages } = native
  /** @type {{ load: number, first: NodeSeconds, again: NodeSeconds, seconds: number }[]} */
  const nodes = await repeat(runs, async () => {
    const { output } = await time(process.execPath, [join(ROOT, 'dist-cli/bench.mjs'), folder, 'stages'], ROOT, 'keep')
    return JSON.parse(output)
  })
  const [first, again] = [middle(nodes.map(run => run.first)), middle(nodes.map(run => run.again))]
  const sum = stages.filter(({ part }) => PARTS.includes(part)).reduce((all, { seconds }) => all + seconds, 0)
  const ns = (/** @type {number | undefined} */ seconds) =>
    seconds === undefined ? '' : ((seconds / events) * 1e9).toFixed(1)
  const secondsOf = (/** @type {(name: string) => boolean} */ which) =>
    stages.filter(({ stage }) => which(stage)).reduce((all, { seconds }) => all + seconds, 0)
  say(
    `${events.toLocaleString('en-US')} events, ${requests.toLocaleString('en-US')} requests, ${(memory / events).toFixed(1)} B an event in all`,
  )
  const printRow = createTable()
  printRow('ns per event', ['native', 'share', 'Node, first', 'Node, warm'])
  for (const { part, stage, seconds } of stages) {
    const share = PARTS.includes(part) ? `${((100 * seconds) / sum).toFixed(0)} %` : ''
    const name = part.startsWith('of ') ? `    ${stage}` : `${part}: ${stage}`
    // A chart waits for its answer as a whole.
    const time = part === 'answer' ? `${(seconds * 1000).toFixed(1)} ms` : ns(seconds)
    printRow(name, [time, share])
  }
  const rows = /** @type {const} */ ([
    ['in all: read bytes', secondsOf(name => name === 'read bytes'), 'read'],
    [
      'in all: decode to store',
      secondsOf(name => ['decode', 'order (merge)', 'lifecycle and store'].includes(name)),
      'store',
    ],
    ['in all: end', secondsOf(name => name === 'end'), 'end'],
    ['in all: summary document', secondsOf(name => name === 'summary document'), 'summary'],
  ])
  for (const [name, seconds, key] of rows) printRow(name, [ns(seconds), '', ns(first[key]), ns(again[key])])
  const total = (/** @type {NodeSeconds} */ seconds) => seconds.read + seconds.store + seconds.end + seconds.summary
  printRow('in all', [ns(sum), '', ns(total(first)), ns(total(again))])
  say(`compiling the engine in Node: ${(median(nodes.map(run => run.load)) * 1000).toFixed(0)} ms\n`)
  await printWall(folder, runs, events)
}

/** The parts of `wall` in `bench/reading/engine.ts`, in their order, and what each one is. */
const WALL_PARTS = /** @type {const} */ ([
  ['start', 'start of Node, loading the program'],
  ['load', 'compiling the engine, grouping the files'],
  ['files', 'reading bytes'],
  ['store', 'decode to store'],
  ['end', 'end of the store'],
  ['summary', 'all figures'],
  ['digest', 'digest, for what explains the run'],
  ['text', 'explanation and text'],
])

/**
 * What a person waits for: parts of `seekscope summary` with one thread. They add up to the time of the process.
 * @param {string} folder @param {number} runs @param {number} events
 */
async function printWall(folder, runs, events) {
  const processes = await repeat(runs, async () => {
    const { output, seconds } = await time(
      process.execPath,
      [join(ROOT, 'dist-cli/bench.mjs'), folder, 'wall'],
      ROOT,
      'keep',
    )
    return { seconds, parts: /** @type {Record<string, number>} */ (JSON.parse(output)) }
  })
  const all = median(processes.map(({ seconds }) => seconds))
  const printRow = createTable()
  printRow('seekscope summary, 1 thread', ['ms', 'share', 'ns per event'])
  const row = (/** @type {string} */ name, /** @type {number} */ seconds) =>
    printRow(name, [
      (seconds * 1000).toFixed(0),
      `${((100 * seconds) / all).toFixed(0)} %`,
      ((seconds / events) * 1e9).toFixed(1),
    ])
  for (const [key, name] of WALL_PARTS) row(name, median(processes.map(({ parts }) => parts[key] ?? 0)))
  row('end of the process', median(processes.map(({ seconds, parts }) => seconds - (parts.all ?? 0))))
  row('in all', all)
}

/** @type {import('../lib/bench.mjs').Bench} */
export const stages = {
  summary:
    'what each stage of the engine takes per event, and each answer to a chart: compiled for this machine, and in Node',
  options: {
    sizes: { type: 'string', default: '5', help: 'of generated recordings, in millions of events' },
    kinds: KIND_LIST,
    folder: FOLDER,
    runs: RUNS,
    queries: { type: 'boolean', help: 'of --folder: each query of the page, ms, first and again' },
  },
  async run({ values: { sizes, kinds, folder, ...values }, flags }) {
    const runs = readNumber(values.runs)
    const isOfQueries = flags.has('queries')
    if (isOfQueries && folder === undefined) throw new Stop('--queries needs --folder')
    await engineInNode()
    await buildCrate('seekscope-stages')
    if (isOfQueries) {
      const args = ['answers', resolve(folder ?? ''), String(runs)]
      await must('The measurement of queries', programOf('seekscope-stages'), args)
      return
    }
    say(`native: the fastest of ${runs}, Node: their median`)
    if (folder !== undefined) return await printStages(folder, runs)
    await eachRecording(kinds, sizes, async (generated, title) => {
      say(`\n${title}`)
      await printStages(generated, runs)
    })
  },
}
