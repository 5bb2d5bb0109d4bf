/**
 * What a command leaves behind unless it is removed: parts of outputs, folders, processes. It is removed when the
 * process is told to end, and the process ends by the signal.
 *
 * Node calls handlers of signals on the main thread, between other work. A command that waits for a FIFO, or whose
 * engine unpacks an archive, would hear a signal late or never: where something can be left behind, the command runs
 * in a thread of its own, and the main thread does nothing but this (`supervise.ts`).
 */
import { rmSync } from 'node:fs'

/** A file or folder, or the processes of a group. */
export type Leftover = { readonly path: string } | { readonly group: number }

/** Takes what is left behind, before there is any, and gives it back once it was removed or is complete. */
export interface LeftoverKeeper {
  add(leftover: Leftover): void
  remove(leftover: Leftover): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const kept = new Map<string, Leftover>()

const keyOf = (leftover: Leftover): string => ('path' in leftover ? `path ${leftover.path}` : `group ${leftover.group}`)

function discard(leftover: Leftover): void {
  try {
    if ('path' in leftover) rmSync(leftover.path, { recursive: true, force: true, maxRetries: 3 })
    else process.kill(-leftover.group, 'SIGKILL')
  } catch {
    // It is gone, or cannot be removed: the process ends all the same.
  }
}

/** Ends this process as the signal does that nobody handles. */
function endBySignal(signal: NodeJS.Signals): void {
  for (const name of SIGNALS) process.removeAllListeners(name)
  process.kill(process.pid, signal)
}

/** How long what is on its way may take after a signal, ms. */
const MAX_FAREWELL_MS = 800

/**
 * For commands that wait for their end, and are never blocked while they do: at the first signal calls `finish`, and
 * ends the process by the signal once that is done, or has had its time. `restore` is called last.
 */
export function endAtSignal(finish: () => Promise<unknown>, restore: () => void = () => undefined): void {
  const end = (signal: NodeJS.Signals) => {
    for (const name of SIGNALS) process.off(name, end)
    const last = () => {
      restore()
      endBySignal(signal)
    }
    setTimeout(last, MAX_FAREWELL_MS)
    void finish().then(last, last)
  }
  for (const name of SIGNALS) process.on(name, end)
}

function endAll(signal: NodeJS.Signals): void {
  // What writes into a folder first.
  const leftovers = [...kept.values()]
  for (const leftover of leftovers.filter(one => 'group' in one)) discard(leftover)
  for (const leftover of leftovers.filter(one => 'path' in one)) discard(leftover)
  endBySignal(signal)
}

/** The one of the main thread. */
export const mainKeeper: LeftoverKeeper = {
  add(leftover) {
    if (kept.size === 0) for (const name of SIGNALS) process.on(name, endAll)
    kept.set(keyOf(leftover), leftover)
  },
  remove(leftover) {
    kept.delete(keyOf(leftover))
    if (kept.size === 0) for (const name of SIGNALS) process.off(name, endAll)
  },
}

/** The one of this thread; replaced where the main thread supervises it. */
export const leftovers: { keeper: LeftoverKeeper } = { keeper: mainKeeper }
