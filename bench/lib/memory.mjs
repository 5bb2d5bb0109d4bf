/** Memory of processes as the system counts it. Alone in its file: measured processes load it, too. */
import { readFileSync } from 'node:fs'

/**
 * Bytes of a process; undefined where there is no `/proc`, or no such process.
 * @param {number | 'self'} pid
 * @param {'VmHWM' | 'VmRSS' | 'RssAnon'} field its peak, what is resident now, and what of that is of no file
 */
export function memoryOf(pid, field) {
  try {
    const kib = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? undefined : Number(kib) * 1024
  } catch {
    return undefined
  }
}
