/** What a process takes: seconds that processors worked for it, in all its threads, and peak memory. */
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const USAGE = new URL('./usage.mjs', import.meta.url).href

interface Cost {
  /** Of processors: a loaded machine needs no more of them. */
  readonly seconds: number
  /** Bytes. */
  readonly peak: number
}

/** A program that ended, and what it printed in the way of errors. */
export interface Finished extends Cost {
  readonly status: number | null
  readonly stderr: string
}

/**
 * Runs a module of Node, given from the project's folder; its standard output is discarded. A process that is killed
 * has an infinite cost.
 */
export function costOf(module: string, args: readonly string[], killAfterMs: number): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', USAGE, join(ROOT, module), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    const text = { stderr: '', usage: '' }
    child.stdio[2]?.on('data', piece => {
      text.stderr += piece
    })
    child.stdio[3]?.on('data', piece => {
      text.usage += piece
    })
    child.on('error', reject)
    child.on('close', status => {
      clearTimeout(timer)
      const none: Cost = { seconds: Number.POSITIVE_INFINITY, peak: Number.POSITIVE_INFINITY }
      const cost: Cost = text.usage === '' ? none : JSON.parse(text.usage)
      resolve({ ...cost, status, stderr: text.stderr })
    })
  })
}

/** Of all files. */
export function sizesBelow(folder: string): readonly number[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.map(entry => statSync(join(entry.parentPath, entry.name)).size)
}
