/**
 * `npm run bench -- WHAT [options]`: everything that measures. `--help` lists what there is, `WHAT --help` its options.
 * A measurement is a `Bench` of its own file; it is added to the table here. All but the limits need a machine without
 * other load: otherwise the ratios are wrong.
 */
import { parseArgs } from 'node:util'
import { main, Stop, say } from '../scripts/lib/run.mjs'
import { cores } from './engine/cores.mjs'
import { growth } from './engine/growth.mjs'
import { stages } from './engine/stages.mjs'
import { trial } from './engine/trial.mjs'
import { machine } from './lib/report.mjs'
import { limits } from './limits/limits.mjs'
import { answers } from './page/answers.mjs'
import { hand } from './page/hand.mjs'
import { live, stream } from './page/live.mjs'
import { start } from './page/start.mjs'
import { load, native } from './reading/load.mjs'
import { scale } from './scale/scale.mjs'
import { soak } from './soak/soak.mjs'

/** @typedef {import('./lib/bench.mjs').Bench} Bench */

/** @type {Readonly<Record<string, Bench>>} */
const BENCHES = { load, native, stages, cores, growth, trial, start, answers, hand, live, stream, limits, scale, soak }

const list = () =>
  [
    'Usage: npm run bench -- WHAT [options]',
    '',
    ...Object.entries(BENCHES).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`),
    '',
    'npm run bench -- WHAT --help lists the options.',
  ].join('\n')

/** @param {string} name @param {Bench} bench */
function helpOf(name, { summary, options = {}, operands, passes }) {
  const more = passes ? '[its own options]' : [Object.keys(options).length > 0 && '[options]', operands]
  const usage = [name, more].flat().filter(Boolean).join(' ')
  const rows = Object.entries(options).map(([option, { type, help, default: value }]) => {
    const left = `  --${option}${type === 'string' ? ' X' : ''}`
    return `${left.padEnd(18)}${help}${value === undefined ? '' : ` (${value})`}`
  })
  return [`Usage: npm run bench -- ${usage}`, '', summary, ...(rows.length > 0 ? ['', ...rows] : [])].join('\n')
}

/**
 * @param {string} name @param {Bench} bench @param {readonly string[]} args
 * @returns {import('./lib/bench.mjs').BenchCall}
 */
function callOf(name, bench, args) {
  const { options = {}, operands, passes } = bench
  if (passes) return { values: {}, flags: new Set(), operands: args }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: operands !== undefined })
    const entries = Object.entries(values)
    return {
      values: Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))),
      flags: new Set(entries.flatMap(([key, value]) => (value === true ? [key] : []))),
      operands: positionals,
    }
  } catch (error) {
    throw new Stop(`${error instanceof Error ? error.message : error}\n${helpOf(name, bench)}`)
  }
}

await main(async () => {
  const [name = '--help', ...args] = process.argv.slice(2)
  if (name === '--help') return say(list())
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined
  if (bench === undefined) throw new Stop(`unknown measurement: ${name}\n${list()}`)
  if (args.includes('--help')) return say(helpOf(name, bench))
  const call = callOf(name, bench, args)
  if (!bench.prints) say(machine())
  await bench.run(call)
})
