/** Times complete processes: wall clock and peak memory. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Stop } from '../../scripts/lib/run.mjs'
import { memoryOf } from './memory.mjs'

/** @typedef {{ seconds: number, peakBytes?: number, output: string }} Timing */

const POLL_MS = 20

/** A process and all its descendants; Linux only. @param {number} root */
export function familyOf(root) {
  const family = [root]
  /** @type {Map<number, number>} */
  const parents = new Map()
  try {
    for (const name of readdirSync('/proc')) {
      const pid = Number(name)
      if (!Number.isInteger(pid)) continue
      try {
        const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
        if (parent) parents.set(pid, Number(parent))
      } catch {
        // The process has ended.
      }
    }
  } catch {
    return family
  }
  for (const pid of family) {
    for (const [child, parent] of parents) if (parent === pid) family.push(child)
  }
  return family
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {'keep' | 'discard'} output standard output is kept, or goes to /dev/null
 * @returns {Promise<Timing>}
 */
export function time(program, args, cwd, output = 'discard') {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    const child = spawn(program, args, { cwd, stdio: ['ignore', output === 'keep' ? 'pipe' : 'ignore', 'ignore'] })
    /** @type {number | undefined} */
    let peakBytes
    const poll = setInterval(() => {
      const now = child.pid === undefined ? undefined : memoryOf(child.pid, 'VmHWM')
      if (now !== undefined) peakBytes = Math.max(peakBytes ?? 0, now)
    }, POLL_MS)
    let text = ''
    child.stdout?.on('data', chunk => {
      text += chunk
    })
    child.on('error', reject)
    child.on('close', code => {
      clearInterval(poll)
      const seconds = (performance.now() - begin) / 1000
      if (code === 0) resolve({ seconds, output: text, ...(peakBytes === undefined ? {} : { peakBytes }) })
      else reject(new Stop(`${program} ${args.join(' ')}: exit ${code}`))
    })
  })
}
