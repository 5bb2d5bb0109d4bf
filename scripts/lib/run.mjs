/** Runs other programs: all output is shown, and a failure ends the script with the name of the step. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, homedir, setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const WORKSPACE = join(ROOT, 'parser-wasm')

/** A failure that is already explained: its message is all the user needs to see. */
export class Stop extends Error {}

/**
 * Where output goes, and what ends programs early, for all that runs inside a stage of `stages.mjs`. Without one,
 * output is passed through.
 * @type {AsyncLocalStorage<{ write(text: string | Uint8Array): void, signal: AbortSignal }>}
 */
export const stage = new AsyncLocalStorage()

/** @param {string | Uint8Array} text */
const write = text => {
  const inside = stage.getStore()
  if (inside) inside.write(text)
  else process.stdout.write(text)
}

/** @param {string} text */
export const say = text => write(`${text}\n`)

/** rustup extends the PATH of new shells only: the current one may not find cargo. */
export function addCargoToPath() {
  const bin = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'bin')
  const path = process.env.PATH ?? ''
  if (existsSync(bin) && !path.split(delimiter).includes(bin)) process.env.PATH = `${path}${delimiter}${bin}`
}

/** @param {number | undefined} pid */
function lowerPriority(pid) {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system refuses: it only takes more of the cores.
  }
}

/** @typedef {{ cwd?: string, env?: Record<string, string>, background?: boolean }} RunOptions */

/**
 * Runs a program and waits; its output is passed through as it comes. One in the background takes the cores that
 * others leave.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} exit code (127: could not be started) and what it wrote to
 * standard output
 */
export function run(program, args, { cwd = ROOT, env = {}, background = false } = {}) {
  const inside = stage.getStore()
  return new Promise(resolve => {
    // A group per program: the programs that it starts end with it.
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', inside ? 'pipe' : 'inherit'],
      detached: inside !== undefined,
    })
    if (background) lowerPriority(child.pid)
    const stop = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      } catch {
        // The group has ended already.
      }
    }
    inside?.signal.addEventListener('abort', stop)
    if (inside?.signal.aborted) stop()
    /** @type {Buffer[]} */
    const chunks = []
    child.stdout?.on('data', chunk => {
      chunks.push(chunk)
      write(chunk)
    })
    child.stderr?.on('data', write)
    const end = (/** @type {number} */ code) => {
      inside?.signal.removeEventListener('abort', stop)
      resolve({ code, output: Buffer.concat(chunks).toString() })
    }
    child.on('error', () => end(127))
    child.on('close', code => end(code ?? 1))
  })
}

/**
 * As `run`, but a failure stops the script.
 * @param {string} step name of the step for the message
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export async function must(step, program, args, options) {
  const { code, output } = await run(program, args, options)
  if (code !== 0) throw new Stop(`${step} failed (${[program, ...args].join(' ')}: exit ${code})`)
  return output
}

/**
 * A short question to a program, quietly.
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {string | undefined} trimmed output; undefined when it failed or is not there
 */
export function ask(program, args) {
  const result = spawnSync(program, args, { cwd: WORKSPACE, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return result.status === 0 ? result.stdout.trim() : undefined
}

/** @param {string} path of a JavaScript program within node_modules */
export const tool = path => join(ROOT, 'node_modules', path)

/**
 * The body of a script: prints the reason when it stops, and sets the exit code.
 * @param {() => Promise<void>} body
 */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    process.stderr.write(`\nseekscope: ${error.message}\n`)
    process.exitCode = 1
  }
}
