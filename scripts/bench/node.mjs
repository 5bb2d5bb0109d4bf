/** The engine in Node, from process start to all figures. */
import { join } from 'node:path'
import { ROOT } from '../lib/run.mjs'
import { time } from './measure.mjs'

/** @type {import('./native.mjs').Contender} */
export const nodeContender = {
  name: 'seekscope in Node',
  run: folder => time(process.execPath, [join(ROOT, 'dist-cli/bench.mjs'), folder], ROOT, 'keep'),
}
