/**
 * The set-up that every command shares: dependencies, the WASM module, the command line, the page. Each step is skipped
 * when its result is fresh.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODULE_CRATES, PACKAGES, TARGET, writeCrates } from './crates.mjs'
import * as need from './need.mjs'
import { NOTES, RECORDINGS, SAMPLES, splitEngine } from './parts.mjs'
import { must, ROOT, say, tool, WORKSPACE } from './run.mjs'
import { replaceFolder, whenChanged } from './stamp.mjs'

const GENERATED = 'web/engine/generated'

/** The crates of the modules, what builds them, and all crates of the workspace that these use. */
export function moduleCrates() {
  const found = new Set(['xtask', ...MODULE_CRATES])
  for (const name of found) {
    const manifest = readFileSync(join(WORKSPACE, name, 'Cargo.toml'), 'utf8')
    for (const [, used = ''] of manifest.matchAll(/^seekscope-.*\bpath = "\.\.\/([\w-]+)"/gm)) found.add(used)
  }
  return [...found]
}

/** Sources that the WASM modules are built from. */
const WASM_SOURCES = [
  '.cargo/config.toml',
  'Cargo.toml',
  'Cargo.lock',
  ...moduleCrates().flatMap(name => [`${name}/Cargo.toml`, `${name}/src`]),
]

export async function dependencies() {
  need.node()
  await whenChanged({
    stamp: 'node_modules/.seekscope-lock',
    sources: ['package-lock.json'],
    extra: `${process.platform}-${process.arch}`,
    result: 'node_modules/vite/package.json',
    make: () => {
      say('Installing npm packages')
      const npm = process.env.npm_execpath
      const args = ['ci', '--no-audit', '--no-fund']
      return npm?.endsWith('js') ? must('npm ci', process.execPath, [npm, ...args]) : must('npm ci', 'npm', args)
    },
  })
}

export async function wasm() {
  await need.rust()
  await whenChanged({
    stamp: `${GENERATED}/.sources`,
    sources: [
      ...WASM_SOURCES.map(path => `parser-wasm/${path}`),
      SAMPLES,
      RECORDINGS,
      NOTES,
      'scripts/lib/parts.mjs',
      'scripts/lib/entered.mjs',
      'web/engine/laterParts.mjs',
    ],
    result: `${GENERATED}/seekscope_bg.wasm`,
    make: async () => {
      say('Building the WASM modules (two minutes the first time)')
      const cargo = (/** @type {readonly string[]} */ args, background = false) =>
        must('The WASM build', 'cargo', args, { cwd: WORKSPACE, background })
      // The modules are linked on one core, for minutes: xtask is built on the other one meanwhile.
      const modules = PACKAGES.flatMap(name => ['-p', name])
      await all([
        cargo(['build', '--locked', '--release', '--target', TARGET, ...modules]),
        cargo(['build', '-q', '--locked', '-p', 'xtask'], true),
      ])
      await cargo(['run', '-q', '--locked', '-p', 'xtask', '--', 'wasm', '--release'])
      await splitEngine(join(ROOT, GENERATED))
    },
  })
  await crates()
}

/** Writes the list of crates in the WASM modules, for the licence notices. */
async function crates() {
  await whenChanged({
    stamp: `${GENERATED}/.crates`,
    sources: [
      'parser-wasm/Cargo.lock',
      ...MODULE_CRATES.map(name => `parser-wasm/${name}/Cargo.toml`),
      'scripts/lib/crates.mjs',
    ],
    result: `${GENERATED}/crates.json`,
    make: () => writeCrates(`${GENERATED}/crates.json`),
  })
}

/**
 * @param {string} step name of the step for the message
 * @param {readonly string[]} args
 */
const vite = (step, args) =>
  // Set explicitly: in a test that packs the project, the mode of Vitest would build React for development.
  must(step, process.execPath, [tool('vite/bin/vite.js'), 'build', '--logLevel', 'warn', ...args], {
    env: { NODE_ENV: 'production' },
  })

export async function app() {
  await whenChanged({
    stamp: '.cache/app-sources',
    sources: [
      'web',
      'public',
      'docs',
      'scripts/docs',
      'scripts/finish',
      'vite.config.ts',
      'package.json',
      'package-lock.json',
    ],
    result: 'dist/index.html',
    make: () => {
      say('Building the page')
      return replaceFolder('dist', folder => vite('The build of the page', ['--outDir', folder]))
    },
  })
}

/** Builds the command line as one program, with its manual page. */
export async function commandLine() {
  await crates()
  await whenChanged({
    stamp: '.cache/cli-sources',
    sources: ['cli', 'web', 'bench', 'scripts/finish', 'vite.cli.config.ts', 'package.json', 'package-lock.json'],
    result: 'dist-cli/seekscope.mjs',
    make: () => {
      say('Building the command line')
      return replaceFolder('dist-cli', folder =>
        vite('The build of the command line', ['--config', 'vite.cli.config.ts', '--outDir', folder]),
      )
    },
  })
}

/** Builds what the command line needs, without the page. */
export async function engineInNode() {
  await dependencies()
  await wasm()
  await commandLine()
}

/**
 * Waits for all steps before it throws the first failure: a build that went on would hold cargo's lock in the next run.
 * @param {readonly Promise<unknown>[]} steps
 */
async function all(steps) {
  const results = await Promise.allSettled(steps)
  const failed = results.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** In parallel where nothing waits: the engine needs no npm package, the page nothing of the command line. */
export async function everything() {
  await all([dependencies(), wasm()])
  await all([commandLine(), app()])
}
