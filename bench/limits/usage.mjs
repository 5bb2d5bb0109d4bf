/** Loaded into a process with `--import`: at its end it writes what it took, as JSON, to descriptor 3. */
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { memoryOf } from '../lib/memory.mjs'

/** Peak resident size in bytes. On Linux `maxRSS` begins with that of the parent. */
const peak = () => memoryOf('self', 'VmHWM') ?? process.resourceUsage().maxRSS * 1024

if (isMainThread) {
  process.on('exit', () => {
    // Of all threads.
    const { user, system } = process.cpuUsage()
    writeSync(3, JSON.stringify({ seconds: (user + system) / 1e6, peak: peak() }))
  })
}
