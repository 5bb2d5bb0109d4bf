/** How long signals and messages wait at most while a thread works. */
const MAX_MS = 100

let last = performance.now()

/** Now and then lets signals and messages be handled: work that never does cannot be interrupted. */
export async function yieldInTime(): Promise<void> {
  if (performance.now() - last < MAX_MS) return
  await new Promise(resolve => setImmediate(resolve))
  last = performance.now()
}
