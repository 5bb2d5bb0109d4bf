/** `npm test`: sets up what is missing, then runs every check in order and stops at the first that fails. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as need from './lib/need.mjs'
import { main, ROOT, run, Stop, say, tool, WORKSPACE } from './lib/run.mjs'
import { serve } from './lib/server.mjs'
import { everything } from './lib/setup.mjs'

/** @typedef {{ passed: number, failed: number }} Count */

const REPORTS = join(ROOT, '.cache/reports')

/**
 * @param {string} name
 * @param {(json: any) => Count} read
 * @returns {Count | undefined} undefined when the tool ended before it wrote its report
 */
function report(name, read) {
  try {
    return read(JSON.parse(readFileSync(join(REPORTS, name), 'utf8')))
  } catch {
    return undefined
  }
}

/** @param {readonly string[]} args */
const cargo = args => run('cargo', args, { cwd: WORKSPACE, env: { CARGO_TERM_COLOR: 'never' } })

/** @param {string} output of `cargo test`: one result line a test binary */
function cargoCount(output) {
  const count = { passed: 0, failed: 0 }
  for (const [, passed, failed] of output.matchAll(/^test result: .*? (\d+) passed; (\d+) failed/gm)) {
    count.passed += Number(passed)
    count.failed += Number(failed)
  }
  return count
}

/** @param {'unit' | 'conformance'} project */
async function vitest(project) {
  const file = `${project}.json`
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile=${join(REPORTS, file)}`]
  const { code } = await run(process.execPath, [tool('vitest/vitest.mjs'), ...args])
  return { code, count: report(file, json => ({ passed: json.numPassedTests, failed: json.numFailedTests })) }
}

async function playwright() {
  const CHROMIUM = await need.chromium()
  const { url, close } = await serve(join(ROOT, 'dist'), 0)
  const env = { CHROMIUM, SEEKSCOPE_URL: url, PLAYWRIGHT_JSON_OUTPUT_FILE: join(REPORTS, 'e2e.json') }
  const { code } = await run(process.execPath, [tool('@playwright/test/cli.js'), 'test', '--reporter=list,json,./tests/e2e/reporter.ts'], { env })
  await close()
  return { code, count: report('e2e.json', ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected })) }
}

/** @type {readonly { name: string, check: () => Promise<{ code: number, output?: string, count?: Count | undefined }> }[]} */
const CHECKS = [
  { name: 'rustfmt', check: () => cargo(['fmt', '--all', '--check']) },
  { name: 'clippy', check: () => cargo(['clippy', '-q', '--locked', '--workspace', '--all-targets', '--', '-D', 'warnings']) },
  {
    name: 'cargo test',
    check: async () => {
      const { code, output } = await cargo(['test', '-q', '--locked', '--workspace'])
      return { code, count: cargoCount(output) }
    },
  },
  { name: 'types', check: () => run(process.execPath, [tool('typescript/bin/tsc'), '-b']) },
  { name: 'Biome', check: () => run(process.execPath, [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']) },
  { name: 'Vitest', check: () => vitest('unit') },
  {
    name: 'conformance with blkparse and btt',
    check: async () => {
      await need.blktrace()
      return vitest('conformance')
    },
  },
  { name: 'Playwright in Chromium', check: playwright },
]

await main(async () => {
  await everything()
  await need.rustChecks()
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  const total = { passed: 0, failed: 0 }
  /** @type {string[]} */
  const lines = []
  /** @type {string | undefined} */
  let stopped
  for (const { name, check } of CHECKS) {
    say(`\n== ${name}`)
    const begin = Date.now()
    const { code, count } = await check().catch(error => {
      if (!(error instanceof Stop)) throw error
      say(error.message)
      return { code: 1, count: undefined }
    })
    const passed = count?.passed ?? (code === 0 ? 1 : 0)
    const failed = Math.max(count?.failed ?? 0, code === 0 ? 0 : 1)
    total.passed += passed
    total.failed += failed
    const seconds = ((Date.now() - begin) / 1000).toFixed(1)
    lines.push(
      `${failed === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(36)}${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed ${seconds.padStart(7)} s`,
    )
    if (failed > 0) {
      stopped = name
      break
    }
  }
  say(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`)
  if (stopped) throw new Stop(`stopped at: ${stopped}`)
})
