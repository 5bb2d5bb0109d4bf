/**
 * A command in a thread of its own, so that the main thread hears signals whatever the command does: it may wait for a
 * FIFO, or for the engine. See `leftovers.ts`.
 */
import { isatty } from 'node:tty'
import { getHeapStatistics } from 'node:v8'
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads'
import { type Leftover, type LeftoverKeeper, leftovers, mainKeeper } from '../input/find/leftovers'
import { standardOutput } from '../output/output'
import { writeFully } from '../output/write'
import { packageFile } from '../places'

/** What the thread is started with. */
export interface SupervisedCommand {
  readonly argv: readonly string[]
  /** Counts what the main thread has taken. */
  readonly taken: Int32Array
  /** Of the terminal of standard error. */
  readonly columns: number | undefined
}

type KeeperMessage = { readonly add: Leftover } | { readonly remove: Leftover }

const COMMAND = packageFile('dist-cli/command.mjs')

/** Commands that handle signals themselves, and are never blocked where they do. */
const UNSUPERVISED = ['record', 'open', 'top', 'bisect']
/** Commands that wait for their end, and are blocked by the engine while they do. */
const SUPERVISED = ['serve']
const WITH_OUTPUT = /^(?:-[a-z]*o|--output|--junit)/

/** Whether a command may leave something behind, or waits for a signal. */
export const isSupervised = ([command = '', ...rest]: readonly string[]): boolean =>
  SUPERVISED.includes(command) || (!UNSUPERVISED.includes(command) && rest.some(argument => WITH_OUTPUT.test(argument)))

/**
 * The heap that the main thread would have. A division, because `>>` takes the limit of a machine with 16 GiB, which is
 * above 4 GiB, for one of 48 MiB.
 */
export const heapLimits = (bytes = getHeapStatistics().heap_size_limit): ResourceLimits => ({
  maxOldGenerationSizeMb: Math.floor(bytes / 2 ** 20),
})

/** Runs a command. Resolves when it has ended; its exit status is that of the process. */
export function supervise(argv: readonly string[]): Promise<void> {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const { columns } = process.stderr
  const worker = new Worker(COMMAND, {
    workerData: { argv, taken, columns } satisfies SupervisedCommand,
    resourceLimits: heapLimits(),
  })
  worker.on('message', (message: KeeperMessage) => {
    if ('remove' in message) return mainKeeper.remove(message.remove)
    mainKeeper.add(message.add)
    Atomics.add(taken, 0, 1)
    Atomics.notify(taken, 0)
  })
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', code => {
      process.exitCode = code
      resolve()
    })
  })
}

/** Makes this thread one that is supervised. */
export function beSupervised({ taken, columns }: SupervisedCommand): void {
  const post = (message: KeeperMessage) => parentPort?.postMessage(message)
  const keeper: LeftoverKeeper = {
    add(leftover) {
      const before = Atomics.load(taken, 0)
      post({ add: leftover })
      // What it is about must not be there before the main thread knows.
      Atomics.wait(taken, 0, before)
    },
    remove: leftover => post({ remove: leftover }),
  }
  leftovers.keeper = keeper
  // The streams of a thread lead to the main thread: they do not tell what they are, nor that nobody reads.
  Object.assign(process.stdout, { isTTY: isatty(1) })
  Object.assign(process.stderr, { isTTY: isatty(2), columns })
  standardOutput.write = (bytes, done) => {
    try {
      writeFully(1, Buffer.from(bytes as Uint8Array))
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}
