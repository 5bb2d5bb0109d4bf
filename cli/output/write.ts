import { writeSync } from 'node:fs'
import { systemCode } from '../input/find/system'

/** A pipe or terminal that another process set to not block is full: look again after this. */
const RETRY_MS = 5

/** Waits a little; for a thread that has nothing else to do. */
export const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)

/**
 * Writes all bytes, at `position` or where the file is. A full disk takes some of them first and refuses the rest
 * then.
 */
export function writeFully(fd: number, bytes: Uint8Array, position?: number): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done, bytes.length - done, position === undefined ? null : position + done)
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') throw error
      pause()
    }
  }
}
