/**
 * A pool of threads that work through a list. Each has an engine with its own memory; they share the compiled module.
 */
import { Worker } from 'node:worker_threads'
import { SetupError } from '../../program/usage'
import { systemWords } from '../find/system'
import { compiledEngine } from './engine'

/** A thread was ended before it answered, because the work of another one failed. */
class ThreadEnded extends Error {}

/**
 * Posts a task to a thread. `hear` takes its messages and returns the answer when it came; `crashed` makes one of an
 * engine that crashed. Rejects when the thread is ended.
 */
export function askThread<Answer, Message>(
  thread: Worker,
  task: unknown,
  hear: (message: Message) => Answer | undefined,
  crashed: (error: Error) => Answer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const release = () => thread.off('message', listen).off('error', fail).off('exit', end)
    const settle = (answer: Answer) => {
      release()
      resolve(answer)
    }
    const end = () => {
      release()
      reject(new ThreadEnded())
    }
    const listen = (message: Message) => {
      const answer = hear(message)
      if (answer !== undefined) settle(answer)
    }
    const fail = (error: Error) => settle(crashed(error))
    thread.on('message', listen).on('error', fail).on('exit', end)
    thread.postMessage(task)
  })
}

/** Throws SetupError where the machine has no room for a thread. */
function startThread(script: URL, workerData: WebAssembly.Module): Worker {
  try {
    return new Worker(script, { workerData })
  } catch (error) {
    throw new SetupError(`cannot start a thread: ${systemWords(error)}. Try --threads 1`)
  }
}

/**
 * Calls `work` for each item with a thread of a script; a thread that crashed is replaced before the next item. Where
 * `work` fails, all threads are ended, also in the middle of their work, and the first failure is thrown.
 */
export async function workAside<Item>(
  script: URL,
  items: readonly Item[],
  threads: number,
  work: (thread: Worker, item: Item) => Promise<void>,
): Promise<void> {
  const workerData = compiledEngine()
  const rest = [...items]
  const running = new Set<Worker>()
  let failure: { readonly error: unknown } | undefined
  const start = () => {
    const thread = startThread(script, workerData)
    running.add(thread)
    // Without this listener, an error of an idle thread would end the process.
    return thread.on('error', () => running.delete(thread))
  }
  const endThreads = () => Promise.all([...running].map(thread => thread.terminate()))
  const workThrough = async () => {
    let thread: Worker | undefined
    try {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
        if (thread === undefined || !running.has(thread)) thread = start()
        await work(thread, next)
      }
    } catch (error) {
      failure ??= { error }
      rest.length = 0
      await endThreads()
    }
  }
  await Promise.all(Array.from({ length: Math.min(threads, items.length) }, workThrough))
  await endThreads()
  if (failure) throw failure.error
}
