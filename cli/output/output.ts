/** Output of a command: standard output, or a file that appears only when it is complete. */
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { visible } from '../../web/lib/text/visible'
import { leftovers } from '../input/find/leftovers'
import { systemCode, systemWords } from '../input/find/system'
import { SetupError } from '../program/usage'
import { type StyledLine, styledText } from './styled'
import { writeFully } from './write'
import { yieldInTime } from './yield'

/** The reader of standard output has closed it, as `head` does: there is nothing more to do. */
export class ReaderGone extends Error {}

/** Replaced by `start.ts` where standard output is a file. */
export const standardOutput = {
  write: (bytes: string | Uint8Array, callback: (error?: Error | null) => void): void =>
    void process.stdout.write(bytes, callback),
}

function send(bytes: string | Uint8Array): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    standardOutput.write(bytes, error => (error ? reject(error) : resolve()))
  }).catch(error => {
    if (systemCode(error) === 'EPIPE') throw new ReaderGone()
    throw new SetupError(`cannot write to standard output: ${systemWords(error)}`)
  })
}

/** Prints an answer. Resolves when the reader has room for more; rejects with ReaderGone or SetupError. */
export const print = (text: string): Promise<void> => send(visible(text))

/** Prints what another program prints, too, or a table for one: the same bytes, except on a terminal. */
export const printExactly = (text: string): Promise<void> =>
  send(process.stdout.isTTY ? visible(text.replaceAll('\r\n', '\n')) : text)

/** `drop` removes what is not finished. All throw SetupError. */
export interface OutputTarget {
  write(bytes: Uint8Array): void | Promise<void>
  keep(): void
  drop(): void
}

/** Prints lines of which some stretches have a colour: what they contain is made visible, the colours are ours. */
export const printStyled = (lines: readonly StyledLine[], coloured: boolean): Promise<void> =>
  send(styledText(lines, coloured))

const toStandardOutput: OutputTarget = {
  write: bytes => (process.stdout.isTTY ? printExactly(new TextDecoder().decode(bytes)) : send(bytes)),
  keep: () => undefined,
  drop: () => undefined,
}

/** Registers a folder that is removed if a signal ends the process. Returns a function that removes it now. */
export function unfinishedFolder(path: string): () => void {
  leftovers.keeper.add({ path })
  return () => {
    rmSync(path, { recursive: true, force: true })
    leftovers.keeper.remove({ path })
  }
}

/** A pipe or a device: written to as it is. */
function directTarget(path: string, attempt: Attempt): OutputTarget {
  const fd = attempt(() => openSync(path, 'w'))
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(fd)
    isOpen = false
  }
  return { write: bytes => attempt(() => writeFully(fd, bytes)), keep: close, drop: close }
}

/** Some file systems have no permissions to set. */
function keepMode(fd: number, mode: number): void {
  try {
    fchmodSync(fd, mode & 0o777)
  } catch {}
}

/** Runs one step of writing a file. */
type Attempt = <T>(step: () => T) => T

/**
 * Written under another name in the same folder first, so that a file at `path` is always complete. A symbolic link
 * keeps leading to the file.
 */
function fileTarget(path: string): OutputTarget {
  const attempt: Attempt = step => {
    try {
      return step()
    } catch (error) {
      throw new SetupError(`cannot write ${path}: ${systemWords(error)}`)
    }
  }
  const before: Stats | undefined = attempt(() => statSync(path, { throwIfNoEntry: false }))
  if (before?.isDirectory()) throw new SetupError(`cannot write ${path}: it is a directory`)
  if (before && !before.isFile()) return directTarget(path, attempt)
  if (before) attempt(() => accessSync(path, constants.W_OK))
  const resolved = before ? attempt(() => realpathSync(path)) : path
  const part = join(dirname(resolved), `.${basename(resolved).slice(0, 200)}.${randomBytes(6).toString('hex')}.part`)
  leftovers.keeper.add({ path: part })
  let fd: number | undefined
  const drop = () => {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
    rmSync(part, { force: true })
    leftovers.keeper.remove({ path: part })
  }
  try {
    const opened = attempt(() => openSync(part, 'wx'))
    fd = opened
    if (before) keepMode(opened, before.mode)
    return {
      write(bytes) {
        attempt(() => writeFully(opened, bytes))
        return yieldInTime()
      },
      keep() {
        try {
          attempt(() => {
            fsyncSync(opened)
            fd = undefined
            closeSync(opened)
            renameSync(part, resolved)
          })
        } finally {
          drop()
        }
      },
      drop,
    }
  } catch (error) {
    drop()
    throw error
  }
}

export const outputTarget = (path: string | undefined): OutputTarget =>
  path === undefined ? toStandardOutput : fileTarget(path)
