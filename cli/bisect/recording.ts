/** One run of COMMAND, and the recording that it left or printed. */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DigestRow } from '../../web/export/digests'
import { rowsOfTraces } from '../fleet/digest'
import { systemWords } from '../input/find/system'
import { unfinishedFolder } from '../output/output'
import { SetupError } from '../program/usage'

/** Exit status of a shell for a program that cannot be run, or is not there. */
const NO_PROGRAM = [126, 127]
/** Time between asking a program to end and ending it. */
const GRACE_MS = 5000

/** How often COMMAND was run so far, and until when it may run. */
export interface RunLimits {
  /** From 1. */
  readonly number: number
  /** By `performance.now()`. */
  readonly deadline: number | undefined
}

/** The digests of a run, or why there is none. */
export type Recorded = { readonly rows: readonly DigestRow[] } | { readonly failure: string }

/**
 * Runs COMMAND, which writes to the path that stands in for `{}` in its words and is in SEEKSCOPE_RECORDING, or prints
 * the recording. Throws SetupError where no further run can succeed.
 */
export async function recordRun(folder: string, command: readonly string[], limits: RunLimits): Promise<Recorded> {
  const scratch = join(folder, 'run')
  const drop = unfinishedFolder(scratch)
  try {
    rmSync(scratch, { recursive: true, force: true })
    mkdirSync(scratch, { recursive: true })
    const [path, printed] = [join(scratch, 'recording'), join(scratch, 'printed')]
    const ended = await ran(command, path, printed, limits)
    if (ended !== undefined) return { failure: ended }
    const source = existsSync(path) ? path : printed
    if (source === printed && statSync(printed).size === 0)
      return { failure: 'COMMAND left no recording: it must write to {} or print one' }
    const rows = await rowsOfTraces({ paths: [source], limited: true }, undefined)
    return rows.length > 0 ? { rows } : { failure: 'COMMAND left nothing that can be read as a recording' }
  } finally {
    drop()
  }
}

/** Runs COMMAND to its end. Returns why it failed; undefined if it did not. */
async function ran(
  command: readonly string[],
  path: string,
  printed: string,
  { number, deadline }: RunLimits,
): Promise<string | undefined> {
  const [program = '', ...words] = command.map(word => word.replaceAll('{}', path))
  const output = openSync(printed, 'w')
  try {
    const child = spawn(program, words, {
      stdio: ['inherit', output, 'inherit'],
      env: { ...process.env, SEEKSCOPE_RECORDING: path, SEEKSCOPE_RUN: String(number) },
    })
    let isLate = false
    const end = () => {
      isLate = true
      child.kill('SIGTERM')
      timers.push(setTimeout(() => child.kill('SIGKILL'), GRACE_MS))
    }
    const timers = deadline === undefined ? [] : [setTimeout(end, Math.max(0, deadline - performance.now()))]
    const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.on('error', error => reject(new SetupError(`${program} cannot be run: ${systemWords(error)}`)))
      child.on('exit', (...how) => resolve(how))
    }).finally(() => timers.forEach(clearTimeout))
    if (isLate) return 'COMMAND took longer than --max-time'
    if (status !== null && NO_PROGRAM.includes(status))
      throw new SetupError(`COMMAND ended with status ${status}: it, or a program that it runs, cannot be run`)
    if (status === 0) return undefined
    return status === null ? `COMMAND was ended by ${signal}` : `COMMAND ended with status ${status}`
  } finally {
    closeSync(output)
  }
}
