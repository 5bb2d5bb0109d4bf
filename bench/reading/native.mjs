/** The native tools, timed on a recording `trace` in a folder. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from '../../scripts/lib/run.mjs'
import { time } from '../lib/measure.mjs'

/** @typedef {{ name: string, run(folder: string): Promise<import('../lib/measure.mjs').Timing> }} Contender */

const DUMP = 'trace.dump'

/** First of the two commands for latencies: btt reads the dump that this writes. */
const dump = (/** @type {string} */ folder) => time('blkparse', ['-i', 'trace', '-O', '-d', DUMP], folder)
const btt = (/** @type {string} */ folder) => time('btt', ['-i', DUMP, '-o', join(folder, 'btt')], folder)

/** @type {readonly Contender[]} */
const TOOLS = [
  {
    name: 'blkparse -O -d, then btt',
    async run(folder) {
      const [first, second] = [await dump(folder), await btt(folder)]
      const peakBytes = Math.max(first.peakBytes ?? 0, second.peakBytes ?? 0)
      return { seconds: first.seconds + second.seconds, peakBytes, output: '' }
    },
  },
  { name: "blkparse -f '' (summary only)", run: folder => time('blkparse', ['-i', 'trace', '-f', ''], folder) },
  { name: 'blkparse, text to /dev/null', run: folder => time('blkparse', ['-i', 'trace'], folder) },
]

/** Creates its dump, unless one exists. @type {Contender} */
const IOWATCHER = {
  name: 'iowatcher, SVG',
  run(folder) {
    rmSync(join(folder, DUMP), { force: true })
    return time('iowatcher', ['-t', 'trace', '-o', 'trace.svg'], folder)
  },
}

/** @returns {readonly Contender[]} the installed ones */
export function nativeTools() {
  const blkparse = ask('blkparse', ['-V']) !== undefined
  const iowatcher =
    ask('iowatcher', ['--help']) !== undefined || ask('sh', ['-c', 'command -v iowatcher']) !== undefined
  return [...(blkparse ? TOOLS : []), ...(blkparse && iowatcher ? [IOWATCHER] : [])]
}
