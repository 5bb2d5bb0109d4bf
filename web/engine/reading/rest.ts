/**
 * Lets work wait that would take the cores of what reads traces and answers queries of them: their workers, and the
 * browser, which reads the files. Without it, reading takes more than twice as long on two cores.
 */

/** How long nothing is done before such work begins, ms: files are often dropped as soon as the page is there. */
const REST_MS = 1000

/** Tasks that have begun, and those of them that have ended. */
let [begun, ended] = [0, 0]
const waiting: (() => void)[] = []

/** Marks the page as busy, until the returned function is called. */
export function beginTask(): () => void {
  begun++
  let isOpen = true
  return () => {
    if (isOpen) ended++
    isOpen = false
    if (begun === ended) for (const resolve of waiting.splice(0)) resolve()
  }
}

const untilIdle = (): Promise<void> =>
  begun === ended ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))

/** Resolves once nothing has been read or queried for a second. */
export async function untilRest(): Promise<void> {
  for (let seen = -1; seen !== begun || begun !== ended; ) {
    await untilIdle()
    seen = begun
    await new Promise(resolve => setTimeout(resolve, REST_MS))
  }
}
