/** Steps that are skipped when nothing they read has changed: a hash of the sources beside the result. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
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
export function hash(paths) {
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
 * Runs `make` unless `result` exists and was made from the same sources.
 * @param {{ stamp: string, sources: readonly string[], extra?: string, result: string, make: () => Promise<unknown> }} step
 * @returns {Promise<boolean>} whether it ran
 */
export async function whenChanged({ stamp, sources, extra = '', result, make }) {
  const file = join(ROOT, stamp)
  const now = `${hash(sources)} ${extra}`
  if (existsSync(join(ROOT, result)) && existsSync(file) && readFileSync(file, 'utf8') === now) return false
  await make()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, now)
  return true
}
