/** `seekscope record`: runs the recorder of this package with sh. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../places'
import { SetupError } from '../program/usage'

/** Paths of the recorder: next to the page in the package; in a checkout also before the page is built. */
const PLACES = ['dist/seekscope-record', 'public/seekscope-record']

/**
 * Signals that a terminal sends to all of its programs: the recorder restores everything, and this program waits for
 * it.
 */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** An absolute path, not searched in PATH, whose folders others may control: the recorder runs as root. */
const SHELL = '/bin/sh'

/**
 * Runs the script with these arguments, on this terminal.
 * @returns its exit status; 128 and the number of the signal that ended it
 */
export async function record(args: readonly string[], platform: NodeJS.Platform = process.platform): Promise<number> {
  if (platform !== 'linux') {
    throw new SetupError(
      'record runs on Linux only. Copy seekscope-record to the machine to record, and run it there with sh.',
    )
  }
  const script = PLACES.map(place => fileURLToPath(packageFile(place))).find(place => existsSync(place))
  if (script === undefined) throw new SetupError('seekscope-record is missing from this package: install it again')
  const child = spawn(SHELL, [script, ...args], { stdio: 'inherit' })
  // The script receives signals of the terminal itself; those sent to this process alone are passed on.
  const passOn = (signal: NodeJS.Signals) => {
    if (!process.stdin.isTTY || signal !== 'SIGINT') child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, passOn)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', error => reject(new SetupError(`${SHELL} cannot be run: ${error.message}`)))
      child.on('exit', (status, signal) => resolve(status ?? 128 + (signal ? constants.signals[signal] : 0)))
    })
  } finally {
    for (const signal of SIGNALS) process.off(signal, passOn)
  }
}
