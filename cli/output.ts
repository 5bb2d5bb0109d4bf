/** Where a file of a command goes: standard output, or a path at which there is never half a file. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { UsageError } from './usage'

/** `drop` removes what is not finished. */
export interface OutputTarget {
  write(bytes: Uint8Array): void | Promise<void>
  keep(): void
  drop(): void
}

const standardOutput: OutputTarget = {
  write: bytes => new Promise<void>(resolve => process.stdout.write(bytes, () => resolve())),
  keep: () => undefined,
  drop: () => undefined,
}

function openTarget(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new UsageError(`-o: cannot write ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Written under another name first, so that a file at `path` is always complete. */
function fileTarget(path: string): OutputTarget {
  const part = `${path}.part`
  const fd = openTarget(part)
  return {
    write(bytes) {
      for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from)
    },
    keep() {
      closeSync(fd)
      renameSync(part, path)
    },
    drop() {
      closeSync(fd)
      rmSync(part)
    },
  }
}

export const outputTarget = (path: string | undefined): OutputTarget => (path === undefined ? standardOutput : fileTarget(path))
