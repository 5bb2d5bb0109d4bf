/**
 * What more cores would gain: one thread does the work of all, each part of it is timed, and the parts are then put on
 * the time axis as `cli/input/read/sections.ts` puts them. Threads that one can have here are measured beside it.
 */
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT, Stop, say } from '../../scripts/lib/run.mjs'
import { engineInNode } from '../../scripts/lib/setup.mjs'
import { RUNS, readNumber } from '../lib/bench.mjs'
import { time } from '../lib/measure.mjs'
import { eachRecording, FOLDER, KIND_LIST } from '../lib/recordings.mjs'
import { createTable } from '../lib/report.mjs'
import { median, repeat } from '../lib/statistics.mjs'

/** @typedef {import('../reading/cores').Modelled} Modelled */

const PROGRAM = join(ROOT, 'dist-cli/bench.mjs')

/** @param {string} folder @param {string} mode */
const run = (folder, mode) => time(process.execPath, [PROGRAM, folder, mode], ROOT, 'keep')

/**
 * The fastest of some runs: others were disturbed. `exit`: seconds until its process has ended.
 * @param {string} folder @param {number} runs
 */
async function fastestOf(folder, runs) {
  const found = await repeat(runs, async () => {
    const { output, seconds } = await run(folder, 'sections')
    const modelled = /** @type {Modelled} */ (JSON.parse(output))
    return { ...modelled, seconds, exit: Math.max(0, seconds - modelled.seconds) }
  })
  const [fastest] = found.sort((a, b) => a.seconds - b.seconds)
  if (!fastest) throw new Stop('nothing was measured')
  return fastest
}

/** @param {string} folder @param {number} runs */
async function printCores(folder, runs) {
  const { work, models, exit } = await fastestOf(folder, runs)
  const { start, cut, first, sections, end, figures } = work
  const sum = (/** @type {'read' | 'join'} */ key) => sections.reduce((all, section) => all + section[key], 0)
  const inSeconds = (/** @type {number | undefined} */ value) => (value === undefined ? '' : value.toFixed(2))
  const printPart = createTable()
  printPart(`${sections.length + 1} sections, seconds`, ['one thread', 'all threads'])
  printPart('start of Node, program, engine', [inSeconds(start)])
  printPart('search of the cuts', [inSeconds(cut)])
  printPart('first section', [inSeconds(first)])
  printPart('other sections: reading and packing', ['', inSeconds(sum('read'))])
  printPart('other sections: joining', [inSeconds(sum('join'))])
  printPart('end of the store', [inSeconds(end)])
  printPart('all figures', [inSeconds(figures)])
  printPart('end of the process', [inSeconds(exit)])
  const printRow = createTable()
  printRow('cores', ['model, s', 'x 1 core', 'measured, s'])
  const alone = (models[0]?.seconds ?? 0) + exit
  for (const { cores, seconds } of models) {
    const model = seconds + exit
    const isHere = cores <= availableParallelism()
    const measured = isHere
      ? median(await repeat(runs, async () => (await run(folder, `${cores}`)).seconds))
      : undefined
    printRow(`${cores}`, [inSeconds(model), (alone / model).toFixed(1), inSeconds(measured)])
  }
}

/** @type {import('../lib/bench.mjs').Bench} */
export const cores = {
  summary:
    'what 1, 2, 4, 8 and 16 cores take for all figures in Node: a model from the time of each part, and measured',
  options: {
    sizes: { type: 'string', default: '20', help: 'of generated recordings, in millions of events' },
    kinds: KIND_LIST,
    folder: FOLDER,
    runs: RUNS,
  },
  async run({ values: { sizes, kinds, folder, ...values } }) {
    const runs = readNumber(values.runs)
    await engineInNode()
    if (folder !== undefined) return await printCores(resolve(folder), runs)
    await eachRecording(kinds, sizes, async (generated, title) => {
      say(`\n${title}`)
      await printCores(generated, runs)
    })
  },
}
