/**
 * The crates that are linked into the WASM modules, with their licence files, as `crates.json` next to it.
 * `scripts/finish` makes the notices from it. Cargo runs here and not in the Vite build, so that the result is
 * cached like the modules.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ask, must, ROOT, Stop, WORKSPACE } from './run.mjs'

/** The crates that become WASM modules: those of `MODULES` in `parser-wasm/xtask`. */
export const MODULE_CRATES = ['wasm', 'statistics-wasm']
export const PACKAGES = MODULE_CRATES.map(name => `seekscope-${name}`)
export const TARGET = 'wasm32-unknown-unknown'
const REUSE_FOLDER = 'LICENSES'
const LICENSE_FILE = /^(licen[cs]e|copying|unlicense|notice)/i

/**
 * @typedef {{ name: string, version: string, license: string, repository?: string, files: { name: string, text: string
 * }[] }} ShippedPackage
 */

/**
 * At the top of a package, or in `LICENSES`, where the REUSE convention puts each licence in a file that has its name.
 * @param {string} folder @returns {ShippedPackage['files']}
 */
export function licenseFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true })
  const top = entries
    .filter(entry => entry.isFile() && LICENSE_FILE.test(entry.name) && !/\.(m?js|d\.ts|rs)$/.test(entry.name))
    .map(entry => entry.name)
  const reuse = entries.some(entry => entry.isDirectory() && entry.name === REUSE_FOLDER)
    ? readdirSync(join(folder, REUSE_FOLDER)).map(name => `${REUSE_FOLDER}/${name}`)
    : []
  const names = [...top, ...reuse].sort()
  return names.map(name => ({ name: basename(name), text: readFileSync(join(folder, name), 'utf8') }))
}

/** Needs no network when the module was built before: its crates are on the disk then. */
export function metadata() {
  const args = ['metadata', '--locked', '--format-version', '1', '--filter-platform', TARGET]
  const text = ask('cargo', [...args, '--offline']) ?? ask('cargo', args)
  if (text === undefined) throw new Stop(`cargo metadata failed; run it in ${WORKSPACE} to see why`)
  return JSON.parse(text)
}

/**
 * The standard library is linked too. rustc installs the texts; a distribution's rustc may leave them out. @returns
 * {ShippedPackage}
 */
function standardLibrary() {
  const version = /rustc (\S+)/.exec(ask('rustc', ['--version']) ?? '')?.[1] ?? ''
  const folder = join(ask('rustc', ['--print', 'sysroot']) ?? '', 'share/doc/rust/licenses')
  const installed = ['MIT', 'Apache-2.0', 'Unicode-3.0'].map(name => join(folder, `${name}.txt`)).filter(existsSync)
  const files = installed.map(file => ({ name: file.slice(folder.length + 1), text: readFileSync(file, 'utf8') }))
  const apache = { name: 'LICENSE-APACHE', text: readFileSync(join(ROOT, 'LICENSE-APACHE'), 'utf8') }
  return {
    name: 'Rust standard library',
    version,
    license: installed.length === 3 ? 'MIT AND Apache-2.0 AND Unicode-3.0' : 'Apache-2.0',
    repository: 'https://github.com/rust-lang/rust',
    files: installed.length === 3 ? files : [apache],
  }
}

/** @param {string} file where they are written, relative to the project */
export async function writeCrates(file) {
  // Each line begins with name and version. Macros run at build time and are not linked.
  const args = [
    'tree',
    '--locked',
    ...PACKAGES.flatMap(name => ['-p', name]),
    '-e',
    'normal,no-proc-macro',
    '--target',
    TARGET,
    '--prefix',
    'none',
    '--format',
    '{p}',
  ]
  const tree = ask('cargo', [...args, '--offline']) ?? (await must('cargo tree', 'cargo', args, { cwd: WORKSPACE }))
  const linked = new Set(tree.split('\n').map(line => line.replace(/^(\S+) v(\S+).*$/, '$1@$2')))
  /** @type {ShippedPackage[]} */
  const crates = metadata()
    .packages.filter((/** @type {any} */ p) => p.source !== null && linked.has(`${p.name}@${p.version}`))
    .map((/** @type {any} */ p) => ({
      name: p.name,
      version: p.version,
      license: p.license ?? '',
      repository: p.repository ?? undefined,
      files: licenseFiles(dirname(p.manifest_path)),
    }))
  writeFileSync(join(ROOT, file), JSON.stringify([standardLibrary(), ...crates]))
}
