/** Steps that are skipped when nothing they read has changed: a hash of the sources beside the result. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './run.mjs'

const SKIP = new Set(['node_modules', 'target', 'dist', 'dist-cli', '.git'])

/**
 * @param {string} path
 * @param {(path: string) => void} visit
 */
function walk(path, visit) {
  if (!existsSync(path)) return
  if (statSync(path).isFile()) return visit(path)
  for (const name of readdirSync(path).sort()) {
    if (!SKIP.has(name)) walk(join(path, name), visit)
  }
}

/**
 * Names and contents of all files below the paths.
 * @param {readonly string[]} paths relative to the project
 */
function hash(paths) {
  const sum = createHash('sha256')
  for (const path of paths) {
    walk(join(ROOT, path), file => {
      const bytes = readFileSync(file)
      sum.update(`${file.slice(ROOT.length)}\0${bytes.length}\0`).update(bytes)
    })
  }
  return sum.digest('hex')
}

/**
 * Runs `make` unless `result` exists and was made from the same sources. While it runs there is no stamp: what a
 * stopped run leaves is never fresh.
 * @param {{ stamp: string, sources: readonly string[], extra?: string, result: string, make: () => Promise<unknown>
 * }} step
 * @returns {Promise<boolean>} whether it ran
 */
export async function whenChanged({ stamp, sources, extra = '', result, make }) {
  const file = join(ROOT, stamp)
  const current = `${hash(sources)} ${extra}`
  if (existsSync(join(ROOT, result)) && existsSync(file) && readFileSync(file, 'utf8') === current) return false
  rmSync(file, { force: true })
  await make()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, current)
  return true
}

/** Parent of the folders in which results are built, before they are moved into place. */
const BUILDING = '.cache'

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Runs `make` with an empty folder, which then takes the place of the folder `result`. Until `make` has succeeded,
 * `result` stays as it is, also while another run, or a build that outlived a stopped run, makes the same.
 * @param {string} result relative to the project
 * @param {(folder: string) => Promise<unknown>} make
 */
export async function replaceFolder(result, make) {
  const parent = join(ROOT, BUILDING)
  const prefix = `${result.replaceAll('/', '-')}-`
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)(?:\.before)?$/.exec(name.slice(prefix.length)) ?? []) : []
    if (pid !== undefined && (Number(pid) === process.pid || !isRunning(Number(pid))))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
  const folder = join(parent, `${prefix}${process.pid}`)
  mkdirSync(folder)
  try {
    await make(folder)
    const [target, previous] = [join(ROOT, result), `${folder}.before`]
    rmSync(previous, { recursive: true, force: true })
    if (existsSync(target)) renameSync(target, previous)
    renameSync(folder, target)
    rmSync(previous, { recursive: true, force: true })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
