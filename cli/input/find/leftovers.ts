/**
 * Removes what a command would leave behind when a signal ends it: partial outputs, folders, processes. Afterwards
 * the process ends by that signal.
 *
 * Node calls signal handlers on the main thread, between other work. A command that waits for a FIFO, or whose engine
 * unpacks an archive, would handle a signal late or never. So a command with leftovers runs in a thread of its own,
 * and the main thread only supervises (`supervise.ts`).
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

const leftoverByKey = new Map<string, Leftover>()

const keyOf = (leftover: Leftover): string => ('path' in leftover ? `path ${leftover.path}` : `group ${leftover.group}`)

function discard(leftover: Leftover): void {
  try {
    if ('path' in leftover) rmSync(leftover.path, { recursive: true, force: true, maxRetries: 3 })
    else process.kill(-leftover.group, 'SIGKILL')
  } catch {
    // Already removed, or not removable: the process ends anyway.
  }
}

/** Ends this process by the signal's default action, so that the parent sees the signal. */
function endBySignal(signal: NodeJS.Signals): void {
  for (const name of SIGNALS) process.removeAllListeners(name)
  process.kill(process.pid, signal)
}

/** Time limit for finishing output after a signal, ms. */
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
  // Processes first: they may still write into a folder.
  const leftovers = [...leftoverByKey.values()]
  for (const leftover of leftovers.filter(entry => 'group' in entry)) discard(leftover)
  for (const leftover of leftovers.filter(entry => 'path' in entry)) discard(leftover)
  endBySignal(signal)
}

/** The keeper of the main thread. */
export const mainKeeper: LeftoverKeeper = {
  add(leftover) {
    if (leftoverByKey.size === 0) for (const name of SIGNALS) process.on(name, endAll)
    leftoverByKey.set(keyOf(leftover), leftover)
  },
  remove(leftover) {
    leftoverByKey.delete(keyOf(leftover))
    if (leftoverByKey.size === 0) for (const name of SIGNALS) process.off(name, endAll)
  },
}

/** The one of this thread; replaced where the main thread supervises it. */
export const leftovers: { keeper: LeftoverKeeper } = { keeper: mainKeeper }
