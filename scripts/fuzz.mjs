/**
 * `npm run fuzz [-- target ...] [--minutes M] [--jobs N] [--sanitizer]`: runs libFuzzer on all or the given targets,
 * 30 minutes each, N at once, and prints a table. With a sanitizer, wrong accesses to memory in the `unsafe` code of
 * dependencies stop it, too; it is three times slower.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import * as need from './lib/need.mjs'
import { ask, main, must, ROOT, Stop, say, WORKSPACE } from './lib/run.mjs'

const CACHE = join(ROOT, '.cache/fuzz')
const TOOLS = join(ROOT, '.cache/cargo')
const CARGO_FUZZ = '0.13.2'
/** Limits of one execution, in MB and seconds. */
const LIMITS = { memory: 1024, input: 20 }
/** Limits with the sanitizer, which keeps freed memory and shadows all memory. */
const SANITIZER_LIMITS = { memory: 3072, input: 60 }

/** @typedef {{ name: string, longest: string }} Target */
/**
 * @typedef {{ name: string, runs: number, seconds: number, coverage: number, memory: number, slowest: number, found:
 * readonly string[] }} Row
 */

/** Installs cargo-fuzz into the project's cache unless it is installed. */
async function cargoFuzz() {
  await need.rust()
  process.env.PATH = `${join(TOOLS, 'bin')}${delimiter}${process.env.PATH}`
  if (ask('cargo', ['fuzz', '--version'])) return
  say(`Installing cargo-fuzz ${CARGO_FUZZ} into ${TOOLS} (a few minutes, once)`)
  await must('Installing cargo-fuzz', 'cargo', [
    'install',
    '-q',
    '--locked',
    '--root',
    TOOLS,
    `cargo-fuzz@${CARGO_FUZZ}`,
  ])
}

/** @param {readonly string[]} args @param {string} step */
const seeds = (args, step) =>
  must(step, 'cargo', ['run', '-q', '--locked', '-p', 'seekscope-fuzz', '--example', 'seeds', '--', ...args], {
    cwd: WORKSPACE,
  })

/**
 * Stable Rust has the coverage that libFuzzer needs. It comes with the run-time library of the address sanitizer,
 * too, but not with the option to use it, unless it is told to behave like the nightly one. Debug assertions are on.
 * @param {boolean} sanitizer
 */
async function build(sanitizer) {
  const target = join(CACHE, sanitizer ? 'target-sanitizer' : 'target')
  const args = [
    'fuzz',
    'build',
    '--fuzz-dir',
    'fuzz',
    '--target-dir',
    target,
    '--sanitizer',
    sanitizer ? 'address' : 'none',
    '--features',
    'libfuzzer',
  ]
  const env = { CARGO_PROFILE_RELEASE_LTO: 'false', ...(sanitizer && { RUSTC_BOOTSTRAP: '1' }) }
  await must('Building the targets', 'cargo', args, { cwd: WORKSPACE, env })
  const host = /host: (\S+)/.exec(ask('rustc', ['-vV']) ?? '')?.[1] ?? ''
  return join(target, host, 'release')
}

/**
 * @param {Target} target @param {string} programs @param {number} minutes @param {typeof LIMITS} limits @returns
 * {Promise<Row>}
 */
async function fuzz({ name, longest }, programs, minutes, limits) {
  const [corpus, found] = [join(CACHE, 'corpus', name), join(CACHE, 'found', name)]
  for (const folder of [corpus, found]) mkdirSync(folder, { recursive: true })
  await seeds([name, corpus], `Writing the seeds of ${name}`)
  say(`\n== ${name}, ${minutes} minutes`)
  const args = [
    `-max_total_time=${Math.round(minutes * 60)}`,
    `-rss_limit_mb=${limits.memory}`,
    `-timeout=${limits.input}`,
    `-max_len=${longest}`,
    '-print_final_stats=1',
    `-artifact_prefix=${found}/`,
    corpus,
  ]
  const begin = Date.now()
  const before = new Set(readdirSync(found))
  let [runs, memory, coverage, slowest] = [0, 0, 0, 0]
  await new Promise((resolve, reject) => {
    const child = spawn(join(programs, name), args, { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', text => {
      process.stderr.write(text)
      for (const [, n] of text.matchAll(/cov: (\d+)/g)) coverage = Number(n)
      for (const [, n] of text.matchAll(/^#(\d+)/gm)) runs = Math.max(runs, Number(n))
      for (const [, n] of text.matchAll(/rss: (\d+)Mb/g)) memory = Math.max(memory, Number(n))
      for (const [, n] of text.matchAll(/peak_rss_mb: +(\d+)/g)) memory = Math.max(memory, Number(n))
      for (const [, n] of text.matchAll(/slowest_unit_time_sec: +(\d+)/g)) slowest = Number(n)
    })
    child.on('error', reject)
    child.on('close', resolve)
  })
  const added = readdirSync(found).filter(file => !before.has(file))
  return {
    name,
    runs,
    coverage,
    memory,
    slowest,
    seconds: (Date.now() - begin) / 1000,
    found: added.map(file => join(found, file)),
  }
}

/** @param {readonly Row[]} rows */
function table(rows) {
  const heads = /** @type {const} */ ([
    ['executions', 12],
    ['minutes', 9],
    ['coverage', 10],
    ['peak MB', 9],
    ['slowest s', 11],
    ['found', 7],
  ])
  say(`\n${'target'.padEnd(12)}${heads.map(([head, width]) => head.padStart(width)).join('')}`)
  for (const { name, runs, seconds, coverage, memory, slowest, found } of rows) {
    const cells = [
      String(runs).padStart(12),
      (seconds / 60).toFixed(1).padStart(9),
      String(coverage).padStart(10),
      String(memory).padStart(9),
      String(slowest).padStart(11),
    ]
    say(`${name.padEnd(12)}${cells.join('')}${String(found.length).padStart(7)}`)
  }
  for (const path of rows.flatMap(row => row.found)) say(`found: ${path}`)
}

await main(async () => {
  const { values, positionals } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      jobs: { type: 'string', default: '1' },
      sanitizer: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const minutes = Number(values.minutes)
  const jobs = Number(values.jobs)
  if (!(jobs > 0)) throw new Stop(`--jobs must be a number above 0: ${values.jobs}`)
  if (!(minutes > 0)) throw new Stop(`--minutes must be a number above 0: ${values.minutes}`)
  await cargoFuzz()
  const listed = (await seeds([], 'Listing the targets')).trim().split('\n')
  const targets = listed.map(line => line.split(' ')).map(([name = '', longest = '']) => ({ name, longest }))
  const unknown = positionals.find(name => !targets.some(target => target.name === name))
  if (unknown) throw new Stop(`unknown target: ${unknown} (known: ${targets.map(target => target.name).join(', ')})`)
  const programs = await build(values.sanitizer)
  const limits = values.sanitizer ? SANITIZER_LIMITS : LIMITS
  const left = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  /** @type {Row[]} */
  const rows = []
  const work = async () => {
    for (let target = left.shift(); target; target = left.shift())
      rows.push(await fuzz(target, programs, minutes, limits))
  }
  await Promise.all(Array.from({ length: jobs }, work))
  table(rows)
  if (rows.some(row => row.found.length > 0)) throw new Stop('some inputs broke a target; see the list above')
})
