import { writeSync } from 'node:fs'

/** Writes all bytes, at `at` or where the file is. A full disk takes some of them first and refuses the rest then. */
export function writeFully(fd: number, bytes: Uint8Array, at?: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, at === undefined ? null : at + done)
}
