/** Files beside the inputs: tables, journals. A FIFO or device in their place may never end, and is not read. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

const { O_NONBLOCK, O_RDONLY } = constants

/** Opens a file to read; the caller closes it. Throws errors of the system, and an Error for what is no file. */
export function openPlain(path: string | Buffer, flags = O_RDONLY): number {
  // Without `O_NONBLOCK`, opening a FIFO waits for a writer.
  const fd = openSync(path, flags | O_NONBLOCK)
  const stats = fstatSync(fd)
  if (stats.isFile()) return fd
  closeSync(fd)
  throw new Error(stats.isDirectory() ? 'it is a directory' : 'it is a FIFO, socket or device, not a file')
}

/** Reads a text of at most `maxBytes`. Throws like `openPlain`, and an Error for a larger one. */
export function readPlainText(path: string, maxBytes: number, tooLarge: string): string {
  const fd = openPlain(path)
  try {
    // Files of /proc have no size, and end.
    if (fstatSync(fd).size > maxBytes) throw new Error(tooLarge)
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}
