/**
 * Bytes that cannot be read again where they come from: of archives, pipes and standard input. One temporary file
 * without a name has all of them; it goes with the process, also when that is killed.
 */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFully } from '../../output/write'
import { SetupError } from '../../program/usage'
import { systemWords } from './system'

let file: number | undefined
let size = 0

function opened(): number {
  if (file !== undefined) return file
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-'))
  try {
    file = openSync(join(folder, 'spool'), 'w+')
    return file
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bytes so far: where the next ones begin. */
export const spooled = (): number => size

/** Appends bytes. Throws SetupError. */
export function spool(bytes: Uint8Array): void {
  try {
    writeFully(opened(), bytes, size)
  } catch (error) {
    throw new SetupError(`cannot write to ${tmpdir()}: ${systemWords(error)}. Set TMPDIR to a folder with more room`)
  }
  size += bytes.length
}

/** Forgets the last bytes: those from `start` on. */
export function dropSpooled(start: number): void {
  if (file !== undefined) ftruncateSync(file, start)
  size = start
}

/** Of the temporary file: all threads can read it. Throws SetupError. */
export function spoolFile(): number {
  try {
    return opened()
  } catch (error) {
    throw new SetupError(
      `cannot write to ${tmpdir()}: ${systemWords(error)}. Set TMPDIR to a folder that can be written`,
    )
  }
}

/** Ends the temporary file. */
export function endSpool(): void {
  if (file !== undefined) closeSync(file)
  file = undefined
  size = 0
}
