/**
 * From the bytes of a recording to all figures: our own time, in Node and in Chromium, and that of the native tools.
 */
import { cpus } from 'node:os'
import { say } from '../../scripts/lib/run.mjs'
import { everything } from '../../scripts/lib/setup.mjs'
import { RUNS, readNumber } from '../lib/bench.mjs'
import { eachRecording, eventsIn, FOLDER, KIND_LIST, withLinks } from '../lib/recordings.mjs'
import { createTable, inMB } from '../lib/report.mjs'
import { median, repeat } from '../lib/statistics.mjs'
import { browserContender } from './browser.mjs'
import { nativeTools } from './native.mjs'
import { nodeContender } from './node.mjs'

/** @typedef {{ name: string, seconds: number, peakBytes?: number, note: string }} Row */

const OURS = 'seekscope in '

/** Each time also as a multiple of our own. @param {readonly Row[]} rows @param {number} events */
function printTimes(rows, events) {
  const ours = rows.filter(row => row.name.startsWith(OURS))
  const ratios = ours.map(row => `x ${row.name.slice(OURS.length)}`)
  const printRow = createTable({ first: 32, width: 15 })
  printRow('', ['seconds', ...ratios, 'M events/s', 'peak memory'])
  for (const { name, seconds, peakBytes, note } of rows) {
    const multiples = ours.map(row => (seconds / row.seconds).toFixed(1))
    const cells = [seconds.toFixed(2), ...multiples, (events / seconds / 1e6).toFixed(2), inMB(peakBytes)]
    printRow(name, cells, note)
  }
}

/**
 * @param {import('./native.mjs').Contender} contender @param {string} folder @param {number} runs
 * @returns {Promise<Row>}
 */
async function timesOf({ name, run }, folder, runs) {
  const timings = await repeat(runs, () => run(folder))
  const peaks = timings.flatMap(({ peakBytes }) => peakBytes ?? [])
  return {
    name,
    seconds: median(timings.map(({ seconds }) => seconds)),
    note: timings[0]?.output ?? '',
    ...(peaks.length > 0 ? { peakBytes: Math.max(...peaks) } : {}),
  }
}

/**
 * @param {import('../lib/bench.mjs').BenchCall} call
 * @param {readonly import('./native.mjs').Contender[]} others beside our own
 */
async function race({ values, flags }, others) {
  await everything()
  const runs = readNumber(values.runs)
  const workers = [...new Set([1, cpus().length])]
  const browsers = flags.has('no-browser') ? [] : await Promise.all(workers.map(browserContender))
  const contenders = [...workers.map(nodeContender), ...browsers, ...others]
  say(`median of ${runs}; the number behind a name is that of workers`)
  const compare = async (/** @type {string} */ folder, /** @type {string} */ title, /** @type {number} */ events) => {
    say(`\n${title}`)
    const rows = []
    for (const contender of contenders) rows.push(await timesOf(contender, folder, runs))
    printTimes(rows, events)
  }
  const { folder } = values
  try {
    if (folder !== undefined) await withLinks(folder, linked => compare(linked, folder, eventsIn(folder)))
    else await eachRecording(values.kinds, values.sizes, compare)
  } finally {
    for (const browser of browsers) await browser.close()
  }
}

const OPTIONS = /** @satisfies {import('../lib/bench.mjs').Bench['options']} */ ({
  sizes: { type: 'string', default: '1,5,20', help: 'of generated recordings, in millions of events' },
  kinds: KIND_LIST,
  folder: FOLDER,
  runs: RUNS,
  'no-browser': { type: 'boolean', help: 'Node only' },
})

/** @type {import('../lib/bench.mjs').Bench} */
export const load = {
  summary: 'time to all figures, in Node and in Chromium, by one worker and by as many as there are cores',
  options: OPTIONS,
  run: call => race(call, []),
}

/** @type {import('../lib/bench.mjs').Bench} */
export const native = {
  summary: 'the same beside blkparse, btt and iowatcher, as far as they are installed',
  options: OPTIONS,
  run: call => race(call, nativeTools()),
}
