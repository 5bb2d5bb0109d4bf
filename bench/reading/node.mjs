/** The engine in Node, from process start to all figures. */
import { join } from 'node:path'
import { ROOT } from '../../scripts/lib/run.mjs'
import { time } from '../lib/measure.mjs'

/** @param {number} threads that read sections @returns {import('./native.mjs').Contender} */
export const nodeContender = threads => ({
  name: `seekscope in Node, ${threads}`,
  run: folder => time(process.execPath, [join(ROOT, 'dist-cli/bench.mjs'), folder, String(threads)], ROOT, 'keep'),
})
