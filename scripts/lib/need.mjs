/** What must be on the machine, found or installed, or said in one clear message. */
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { addCargoToPath, ask, must, ROOT, run, Stop, say, WORKSPACE } from './run.mjs'

const WASM_TARGET = 'wasm32-unknown-unknown'

/**
 * @param {string} current
 * @param {string} want
 */
function isOlder(current, want) {
  const a = current.split('.').map(Number)
  const b = want.split('.').map(Number)
  for (let i = 0; i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

export function node() {
  const want = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node.replace('>=', '')
  const current = process.versions.node
  if (isOlder(current, want))
    throw new Stop(`Node ${want} or newer is needed, this is ${current}. Get it from https://nodejs.org/`)
}

/** Checks for a cargo that is new enough, and adds the WASM target by rustup. */
export async function rust() {
  addCargoToPath()
  const want = /rust-version = "([\d.]+)"/.exec(readFileSync(join(WORKSPACE, 'Cargo.toml'), 'utf8'))?.[1] ?? '0'
  const current = /rustc ([\d.]+)/.exec(ask('rustc', ['--version']) ?? '')?.[1]
  const rustup = ask('rustup', ['--version']) !== undefined
  if (!current || ask('cargo', ['--version']) === undefined) {
    const remedy = rustup ? 'rustup default stable' : 'https://rustup.rs/'
    throw new Stop(`Rust ${want} or newer is needed and no working cargo was found. Install it: ${remedy}`)
  }
  if (isOlder(current, want))
    throw new Stop(
      `Rust ${want} or newer is needed, this is ${current}. Update it: rustup update stable --no-self-update`,
    )
  const libs = ask('rustc', ['--print', 'target-libdir', '--target', WASM_TARGET])
  if (libs && existsSync(libs)) return
  if (!rustup)
    throw new Stop(
      `This Rust lacks the target ${WASM_TARGET}, and there is no rustup to add it. Install Rust by https://rustup.rs/`,
    )
  await must('Adding the WASM target', 'rustup', ['target', 'add', WASM_TARGET], { cwd: WORKSPACE })
}

/** rustfmt and clippy: a minimal rustup profile leaves them out. */
export async function rustChecks() {
  for (const [name, component] of [
    ['fmt', 'rustfmt'],
    ['clippy', 'clippy'],
  ]) {
    if (name && component && ask('cargo', [name, '--version']) === undefined) {
      await must(`Adding ${component}`, 'rustup', ['component', 'add', component], { cwd: WORKSPACE })
    }
  }
}

/** @param {string} name */
function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name)
    if (existsSync(file)) return file
  }
  return undefined
}

/**
 * @param {string} name
 * @returns {Promise<boolean>} whether apt could install it
 */
async function apt(name) {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return false
  say(`Installing ${name} by apt-get`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { env })
  if ((await install()).code === 0) return true
  await run('apt-get', ['update', '-q'], { env })
  return (await install()).code === 0
}

/** Checks for the native tools that figures are compared with; installs them by apt if it may. */
export async function blktrace() {
  const isInstalled = () => onPath('blkparse') && onPath('btt')
  if (isInstalled() || ((await apt('blktrace')) && isInstalled())) return
  throw new Stop(
    'blkparse and btt are needed to check figures against them. ' +
      'Install the package blktrace (Debian: sudo apt-get install blktrace)',
  )
}

const BROWSERS = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

function installedChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  return BROWSERS.map(onPath).find(Boolean) ?? MAC.find(existsSync)
}

/** Path of an installed Chromium or Chrome. Nothing is downloaded except by the system's own package manager. */
export async function chromium() {
  const found = installedChromium() ?? ((await apt('chromium')) ? installedChromium() : undefined)
  if (found) return found
  throw new Stop(
    'Chromium or Chrome is needed for the tests in the browser. ' +
      'Install it (Debian: sudo apt-get install chromium) or set CHROMIUM to its path',
  )
}

/** Path of an installed Firefox; `FIREFOX` overrides the search. Nothing is installed: not every machine needs it. */
export function firefox() {
  const found = process.env.FIREFOX || ['firefox-esr', 'firefox'].map(onPath).find(Boolean)
  if (found) return found
  throw new Stop(
    'Firefox is needed for these tests. ' +
      'Install it (Debian: sudo apt-get install firefox-esr) or set FIREFOX to its path',
  )
}

/** Path of an installed geckodriver; `GECKODRIVER` overrides the search. */
export function geckodriver() {
  addCargoToPath()
  const found = process.env.GECKODRIVER || onPath('geckodriver')
  if (found) return found
  throw new Stop(
    'geckodriver is needed to drive Firefox. ' +
      'Install it (cargo install --locked geckodriver) or set GECKODRIVER to its path',
  )
}
