/** The findings against recordings whose cause is known. */
import { resolve } from 'node:path'
import { must, Stop } from '../../scripts/lib/run.mjs'
import { buildCrate, programOf } from './crates.mjs'

/** @type {import('../lib/bench.mjs').Bench} */
export const trial = {
  summary: 'which findings name the known cause of recordings, and false claims between repeats (`parser-wasm/trial`)',
  operands: 'FOLDER',
  async run({ operands: [folder, ...more] }) {
    if (folder === undefined || more.length > 0) throw new Stop('expected one folder with a TRUTH.tsv')
    await buildCrate('seekscope-trial')
    await must('The trial', programOf('seekscope-trial'), [resolve(folder)])
  },
}
