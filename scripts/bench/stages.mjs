/** Each stage of the engine by itself: compiled for this machine, and in Node, in a new process and once it is warm. */
import { join } from 'node:path'
import * as need from '../lib/need.mjs'
import { must, ROOT, say, WORKSPACE } from '../lib/run.mjs'
import { median, time } from './measure.mjs'

/** @typedef {{ read: number, store: number, end: number, summary: number }} NodeSeconds */
/**
 * @typedef {{ events: number, requests: number, memory: number, stages: { part: string, stage: string, seconds: number
 * }[] }} NativeStages
 */

const PARTS = ['reading', 'summary']

/** Seconds of each run become their median. @param {readonly NodeSeconds[]} runs @returns {NodeSeconds} */
function middle(runs) {
  const of = (/** @type {keyof NodeSeconds} */ key) => median(runs.map(run => run[key]))
  return { read: of('read'), store: of('store'), end: of('end'), summary: of('summary') }
}

/** Builds the benchmark of the stages. */
export async function buildStages() {
  await need.rust()
  await must(
    'The build of the benchmark',
    'cargo',
    ['build', '--release', '--locked', '-q', '-p', 'seekscope-stages'],
    { cwd: WORKSPACE },
  )
}

/** @param {string} folder @param {number} runs */
export async function printStages(folder, runs) {
  const program = join(WORKSPACE, 'target/release/seekscope-stages')
  /** @type {NativeStages} */
  const native = JSON.parse((await time(program, [folder, String(runs)], ROOT, 'keep')).output)
  const { events, requests, memory, stages } = native
  /** @type {{ load: number, first: NodeSeconds, again: NodeSeconds, seconds: number }[]} */
  const nodes = []
  for (let i = 0; i < runs; i++) {
    const { output } = await time(process.execPath, [join(ROOT, 'dist-cli/bench.mjs'), folder, 'stages'], ROOT, 'keep')
    nodes.push(JSON.parse(output))
  }
  const [first, again] = [middle(nodes.map(run => run.first)), middle(nodes.map(run => run.again))]
  const sum = stages.filter(({ part }) => PARTS.includes(part)).reduce((all, { seconds }) => all + seconds, 0)
  const ns = (/** @type {number | undefined} */ seconds) =>
    (seconds === undefined ? '' : ((seconds / events) * 1e9).toFixed(1)).padStart(12)
  const of = (/** @type {(name: string) => boolean} */ which) =>
    stages.filter(({ stage }) => which(stage)).reduce((all, { seconds }) => all + seconds, 0)
  say(
    `${events.toLocaleString('en-US')} events, ${requests.toLocaleString('en-US')} requests, ${(memory / events).toFixed(1)} B an event in all`,
  )
  say(
    `${'ns per event'.padEnd(44)}${'native'.padStart(12)}${'share'.padStart(9)}${'Node, first'.padStart(12)}${'Node, warm'.padStart(12)}`,
  )
  for (const { part, stage, seconds } of stages) {
    const share = PARTS.includes(part) ? `${((100 * seconds) / sum).toFixed(0)} %` : ''
    const name = part.startsWith('of ') ? `    ${stage}` : `${part}: ${stage}`
    // A chart waits for its answer as a whole.
    const time = part === 'answer' ? `${(seconds * 1000).toFixed(1)} ms`.padStart(12) : ns(seconds)
    say(`${name.padEnd(44)}${time}${share.padStart(9)}`)
  }
  const rows = /** @type {const} */ ([
    ['in all: read bytes', of(name => name === 'read bytes'), 'read'],
    ['in all: decode to store', of(name => ['decode', 'order (merge)', 'lifecycle and store'].includes(name)), 'store'],
    ['in all: end', of(name => name === 'end'), 'end'],
    ['in all: summary document', of(name => name === 'summary document'), 'summary'],
  ])
  for (const [name, seconds, key] of rows)
    say(`${name.padEnd(44)}${ns(seconds)}${''.padStart(9)}${ns(first[key])}${ns(again[key])}`)
  const total = (/** @type {NodeSeconds} */ of) => of.read + of.store + of.end + of.summary
  say(`${'in all'.padEnd(44)}${ns(sum)}${''.padStart(9)}${ns(total(first))}${ns(total(again))}`)
  say(`compiling the engine in Node: ${(median(nodes.map(run => run.load)) * 1000).toFixed(0)} ms`)
}
