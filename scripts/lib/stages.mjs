/**
 * Runs stages in parallel where their needs and the cores allow. The output of each is printed in one piece, in the
 * order of the list.
 */
import { Stop, say, stage as scope } from './run.mjs'

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} [failures] name and first line of each failure, to be printed after the last output
 * @property {readonly string[]} [retried] names of tests that passed at the second attempt
 */
/** @typedef {{ code: number, count?: Count | undefined }} Outcome */
/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {() => Promise<Outcome>} check
 * @property {readonly string[]} [needs] names of stages that must have passed
 * @property {number} [cores] that it keeps busy; 1 when absent
 * @property {boolean} [setUp] it checks nothing, so that it does not count as a test
 */
/**
 * @typedef {object} Result
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} failures
 * @property {readonly string[]} retried
 * @property {number} seconds
 */

/**
 * @param {readonly Stage[]} stages earlier ones are preferred
 * @param {number} cores
 * @returns {Promise<readonly Result[]>} of all that ended by themselves; the first failure stops the others
 */
export async function runStages(stages, cores) {
  const control = new AbortController()
  // Programs of a stage have process groups of their own, which Ctrl+C in the terminal does not reach.
  const interrupt = () => control.abort()
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  /** @type {Map<string, Result>} */
  const results = new Map()
  /** @type {Map<string, Promise<void>>} */
  const running = new Map()
  /** @type {Map<string, (string | Uint8Array)[]>} */
  const outputs = new Map()
  let free = cores
  let printed = 0

  const print = (/** @type {string} */ name) => {
    say(`\n== ${name}`)
    for (const text of outputs.get(name) ?? []) process.stdout.write(text)
    outputs.delete(name)
  }
  const printFinished = () => {
    for (let next = stages[printed]; next && results.has(next.name); next = stages[++printed])
      if (outputs.has(next.name)) print(next.name)
  }

  const start = (/** @type {Stage} */ stage) => {
    const { name, check, setUp = false, cores: needed = 1 } = stage
    free -= needed
    /** @type {(string | Uint8Array)[]} */
    const output = []
    outputs.set(name, output)
    say(`-- ${name}: started`)
    const begin = Date.now()
    const write = (/** @type {string | Uint8Array} */ text) => void output.push(text)
    const finished = scope.run({ write, signal: control.signal }, async () => {
      const { code, count } = await check().catch(error => {
        if (!(error instanceof Stop)) throw error
        output.push(`${error.message}\n`)
        return { code: 1, count: undefined }
      })
      if (control.signal.aborted) return
      const passed = count?.passed ?? (code === 0 && !setUp ? 1 : 0)
      const failed = Math.max(count?.failed ?? 0, code === 0 ? 0 : 1)
      const { failures = [], retried = [] } = count ?? {}
      results.set(name, { name, passed, failed, failures, retried, seconds: (Date.now() - begin) / 1000 })
      if (failed > 0) control.abort()
    })
    running.set(
      name,
      finished.finally(() => {
        running.delete(name)
        free += needed
      }),
    )
  }

  while (!control.signal.aborted) {
    const waiting = stages.filter(({ name }) => !results.has(name) && !running.has(name))
    for (const stage of waiting) {
      const ready = (stage.needs ?? []).every(need => results.has(need))
      // A stage that needs more cores than the machine has runs alone.
      if (ready && (free >= (stage.cores ?? 1) || running.size === 0)) start(stage)
    }
    if (running.size === 0) break
    await Promise.race(running.values())
    if (!control.signal.aborted) printFinished()
  }
  await Promise.all(running.values())
  for (const { name } of stages) if (outputs.has(name) && results.has(name)) print(name)
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  return stages.flatMap(({ name }) => results.get(name) ?? [])
}
