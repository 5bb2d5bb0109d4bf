/** Loaded into a process with `--import`: at its end it writes what it took, as JSON, to descriptor 3. */
import { readFileSync, writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Peak resident size in bytes. On Linux `maxRSS` begins with that of the parent. */
function peak() {
  try {
    const kib = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (kib) return Number(kib) * 1024
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024
}

if (isMainThread) {
  process.on('exit', () => {
    // Of all threads.
    const { user, system } = process.cpuUsage()
    writeSync(3, JSON.stringify({ seconds: (user + system) / 1e6, peak: peak() }))
  })
}
