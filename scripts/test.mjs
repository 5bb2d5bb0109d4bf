/**
 * `npm test`: sets up what is missing and runs every check, in parallel where cores allow; the first failure stops all.
 * `npm test -- types Biome` runs these alone.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import * as need from './lib/need.mjs'
import { main, ROOT, run, Stop, say, tool, WORKSPACE } from './lib/run.mjs'
import { serve } from './lib/server.mjs'
import { app, dependencies, wasm } from './lib/setup.mjs'
import { runStages } from './lib/stages.mjs'

/** @typedef {import('./lib/stages.mjs').Count} Count */

const REPORTS = join(ROOT, '.cache/reports')

/**
 * @param {string} name
 * @param {(json: any) => Count} count
 * @returns {Count | undefined} undefined when the tool ended before it wrote its report
 */
function report(name, count) {
  try {
    return count(JSON.parse(readFileSync(join(REPORTS, name), 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * What makes the next build faster makes the first one a quarter slower. One core is left to the WASM module, for which
 * more is waiting.
 */
const CARGO_ENV = {
  CARGO_TERM_COLOR: 'never',
  CARGO_BUILD_JOBS: String(Math.max(1, availableParallelism() - 1)),
  ...(!existsSync(join(WORKSPACE, 'target')) && { CARGO_INCREMENTAL: '0' }),
}

/** @param {readonly string[]} args */
const cargo = args => run('cargo', args, { cwd: WORKSPACE, env: CARGO_ENV })

/** @param {string} output of `cargo test`: one result line a test binary, one heading a failure */
function cargoCount(output) {
  const failures = [...output.matchAll(/^---- (\S+).* stdout ----$/gm)].map(([, name = '']) => name)
  const count = { passed: 0, failed: 0, failures }
  for (const [, passed, failed] of output.matchAll(/^test result: .*? (\d+) passed; (\d+) failed/gm)) {
    count.passed += Number(passed)
    count.failed += Number(failed)
  }
  return count
}

/** @param {'unit' | 'conformance'} project */
async function vitest(project) {
  const file = `${project}.json`
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${join(REPORTS, file)}`,
  ]
  const { code } = await run(process.execPath, [tool('vitest/vitest.mjs'), ...args])
  return { code, count: report(file, vitestCount) }
}

/** @param {any} json report of Vitest */
function vitestCount({ numPassedTests, numFailedTests, testResults }) {
  const failures = testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
    assertionResults
      .filter((/** @type {any} */ { status }) => status === 'failed')
      .map(
        (/** @type {any} */ test) => `${relative(ROOT, name)}: ${test.fullName}: ${firstLine(test.failureMessages)}`,
      ),
  )
  return { passed: numPassedTests, failed: numFailedTests, failures }
}

/** @param {any} json report of Playwright */
function playwrightCount({ stats, suites }) {
  /** @type {[string[], string[]]} */
  const [failures, retried] = [[], []]
  const visit = (/** @type {any} */ suite) => {
    suite.suites?.forEach(visit)
    for (const { ok, file, line, title, tests } of suite.specs ?? []) {
      if (tests.some((/** @type {any} */ test) => test.status === 'flaky')) retried.push(`${file}:${line}: ${title}`)
      if (!ok) {
        const errors = tests
          .flatMap((/** @type {any} */ test) => test.results)
          .flatMap((/** @type {any} */ r) => r.errors)
        failures.push(
          `${file}:${line}: ${title}: ${firstLine(errors.map((/** @type {any} */ error) => error.message))}`,
        )
      }
    }
  }
  suites.forEach(visit)
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, failures, retried }
}

/** @param {readonly (string | undefined)[]} messages */
const firstLine = ([message = '']) => stripVTControlCharacters(message).split('\n', 1)[0]

async function playwright() {
  const CHROMIUM = await need.chromium()
  const { url, close } = await serve(join(ROOT, 'dist'), 0)
  const env = { CHROMIUM, SEEKSCOPE_URL: url, PLAYWRIGHT_JSON_OUTPUT_FILE: join(REPORTS, 'e2e.json') }
  const { code } = await run(
    process.execPath,
    [tool('@playwright/test/cli.js'), 'test', '--reporter=list,json,./tests/e2e/support/reporter.ts'],
    { env },
  )
  await close()
  return { code, count: report('e2e.json', playwrightCount) }
}

const node = (/** @type {string} */ path, /** @type {readonly string[]} */ ...args) =>
  run(process.execPath, [tool(path), ...args])
/** @param {() => Promise<unknown>} work that throws when it fails */
const runStep = async work => {
  await work()
  return { code: 0 }
}

const [NPM, WASM, PAGE, CLIPPY, CARGO, VITEST, CONFORMANCE] = [
  'npm ci',
  'WASM',
  'page',
  'clippy',
  'cargo test',
  'Vitest',
  'conformance with blkparse and btt',
]

/**
 * On two cores: Rust on one, JavaScript on the other, then the browser on both: beside them its tests take twice as
 * long and run into their time limits. cargo allows one build in a folder, so clippy and the tests take turns.
 * clippy leaves xtask out: to check it means to check the whole bindings generator.
 */
/** @type {readonly import('./lib/stages.mjs').Stage[]} */
const STAGES = [
  { name: NPM, check: () => runStep(dependencies), setUp: true },
  { name: WASM, check: () => runStep(wasm), setUp: true },
  { name: 'rustfmt', check: () => cargo(['fmt', '--all', '--check']) },
  {
    name: CLIPPY,
    check: () =>
      cargo(['clippy', '-q', '--locked', '--workspace', '--exclude', 'xtask', '--all-targets', '--', '-D', 'warnings']),
  },
  { name: PAGE, check: () => runStep(app), needs: [NPM, WASM], setUp: true },
  {
    name: CARGO,
    check: async () => {
      const { code, output } = await cargo(['test', '-q', '--locked'])
      if (code !== 0) return { code, count: cargoCount(output) }
      // Alone, it has the dependencies as the WASM build has compiled them.
      const tasks = await cargo(['test', '-q', '--locked', '-p', 'xtask'])
      return { code: tasks.code, count: cargoCount(output + tasks.output) }
    },
    needs: [CLIPPY],
  },
  { name: 'types', check: () => node('typescript/bin/tsc', '-b'), needs: [PAGE] },
  { name: 'Biome', check: () => node('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'), needs: [PAGE] },
  { name: 'dead code', check: () => node('knip/bin/knip.js', '--no-progress'), needs: [PAGE] },
  { name: VITEST, check: () => vitest('unit'), needs: [PAGE] },
  {
    name: CONFORMANCE,
    check: async () => {
      await need.blktrace()
      return vitest('conformance')
    },
    needs: [VITEST],
  },
  { name: 'Playwright in Chromium', check: playwright, needs: [CARGO, CONFORMANCE], cores: 2 },
]

await main(async () => {
  const prefixes = process.argv.slice(2).map(name => name.toLowerCase())
  const chosen =
    prefixes.length === 0
      ? STAGES
      : STAGES.filter(({ name }) => prefixes.some(prefix => name.toLowerCase().startsWith(prefix)))
  if (chosen.length === 0) throw new Stop(`no such stage; there are: ${STAGES.map(({ name }) => name).join(', ')}`)
  const stages = chosen.map(stage => ({
    ...stage,
    needs: (stage.needs ?? []).filter(need => chosen.some(({ name }) => name === need)),
  }))
  need.node()
  await need.rust()
  await need.rustChecks()
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  const begin = Date.now()
  const results = await runStages(stages, availableParallelism())
  const sum = (/** @type {'passed' | 'failed'} */ field) => results.reduce((n, result) => n + result[field], 0)
  const lines = results.map(({ name, passed, failed, seconds }) => {
    const counts = `${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed`
    return `${failed === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(36)}${counts} ${seconds.toFixed(1).padStart(7)} s`
  })
  const stopped = results.find(({ failed }) => failed > 0)
  const interrupted = results.length < stages.length && !stopped
  say(`\n${lines.join('\n')}`)
  for (const { name, failures, retried } of results) {
    for (const failure of failures) say(`  ${name}: ${failure}`)
    for (const test of retried) say(`  ${name}: passed at the second attempt: ${test}`)
  }
  say(`all in ${((Date.now() - begin) / 1000).toFixed(1)} s`)
  say(`${sum('passed')} passed, ${sum('failed') + (interrupted ? 1 : 0)} failed`)
  if (stopped) throw new Stop(`stopped at: ${stopped.name}`)
  if (interrupted) throw new Stop('interrupted')
})
