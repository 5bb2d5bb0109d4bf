/**
 * Threads that work through a list, several at once. Each has an engine with a memory of its own; the compiled module
 * is shared.
 */
import { Worker } from 'node:worker_threads'
import { compiledEngine } from './engine'

/**
 * Posts a task to a thread. `hear` takes its messages and returns the answer when it came; `crashed` makes one of an
 * engine that crashed.
 */
export function askThread<Answer, Message>(
  thread: Worker,
  task: unknown,
  hear: (message: Message) => Answer | undefined,
  crashed: (error: Error) => Answer,
): Promise<Answer> {
  return new Promise(resolve => {
    const settle = (answer: Answer) => {
      thread.off('message', listen).off('error', fail)
      resolve(answer)
    }
    const listen = (message: Message) => {
      const answer = hear(message)
      if (answer !== undefined) settle(answer)
    }
    const fail = (error: Error) => settle(crashed(error))
    thread.on('message', listen).on('error', fail)
    thread.postMessage(task)
  })
}

/** Calls `work` for each item with a thread of a script; a thread that crashed is replaced before the next item. */
export async function workAside<Item>(
  script: URL,
  items: readonly Item[],
  threads: number,
  work: (thread: Worker, item: Item) => Promise<void>,
): Promise<void> {
  const workerData = compiledEngine()
  const rest = [...items]
  const workThrough = async () => {
    let thread: Worker | undefined
    const start = () => new Worker(script, { workerData }).on('error', () => (thread = undefined))
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      thread ??= start()
      await work(thread, next)
    }
    await thread?.terminate()
  }
  await Promise.all(Array.from({ length: Math.min(threads, items.length) }, workThrough))
}
