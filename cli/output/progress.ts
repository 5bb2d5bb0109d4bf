/**
 * Messages on standard error, and on a terminal one line that shows how far long work is. The line is erased before
 * anything else is written.
 */
import { isEngineError } from '../../web/engine/errors'
import { ascii } from '../../web/lib/format'
import { visibleLine } from '../../web/lib/text/visible'

/** Work shorter than this shows nothing. */
const SHOW_AFTER_MS = 1000
const REDRAW_MS = 100
/** Carriage return, then erase to the end of the line (ECMA-48 EL). */
const ERASE = '\r\x1b[K'

interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressLine {
  /** Starts an activity; `total` is in bytes, or in `unit`. */
  start(activity: string, total: number, unit?: string): void
  advance(amount: number): void
  /** Names the file that is being worked on. */
  file(name: string): void
  /** Erases the line: it is drawn again when work goes on. */
  erase(): void
  stop(): void
}

/** Draws only on a terminal: a log or a pipe gets no progress. */
export function createProgress(
  terminal: Terminal = process.stderr,
  now: () => number = () => performance.now(),
): ProgressLine {
  let [activity, file, total, completed] = ['', '', 0, 0]
  let unit: string | undefined
  let [begun, drawn] = [0, Number.NEGATIVE_INFINITY]
  let visible = false
  const erase = () => {
    if (visible) terminal.write(ERASE)
    visible = false
  }
  const draw = () => {
    const time = now()
    if (!terminal.isTTY || total === 0 || time - begun < SHOW_AFTER_MS || time - drawn < REDRAW_MS) return
    const percent = `${Math.min(100, Math.floor((completed / total) * 100))}%`.padStart(4)
    const rate = (completed / (time - begun)) * 1000
    const begin = `${activity} ${percent}  ${unit === undefined ? ascii.rate(rate) : `${ascii.figure(rate)} ${unit}/s`}  `
    // One column stays free: some terminals wrap at the last one.
    const room = Math.max(0, (terminal.columns ?? 80) - 1 - begin.length)
    const name = file.length > room ? `...${file.slice(file.length - Math.max(0, room - 3))}` : file
    terminal.write(`${ERASE}${(begin + name).slice(0, begin.length + room)}`)
    drawn = time
    visible = true
  }
  return {
    start(name, workTotal, workUnit) {
      erase()
      ;[activity, file, total, completed, begun, unit] = [name, '', workTotal, 0, now(), workUnit]
    },
    advance(amount) {
      completed += amount
      draw()
    },
    file(name) {
      file = visibleLine(name).replace(/[^\x20-\x7e]/g, '?')
    },
    erase,
    stop() {
      erase()
      total = 0
    },
  }
}

/** The progress line of this process. */
export const progress = createProgress()

/** Destination of messages; a worker thread replaces it by its parent. */
export const messages = {
  say(text: string): void {
    progress.erase()
    process.stderr.write(`seekscope: ${visibleLine(text)}\n`)
  },
  complain(place: string, code: string, text: string): void {
    const count = (complaints.get(code) ?? 0) + 1
    complaints.set(code, count)
    if (count <= MAX_LINES) say(place === '' ? `${code}: ${text}` : `${place}: ${code}: ${text}`)
    process.exitCode = 1
  },
}

/** A message of one line, without effect on the exit status. */
export const say = (text: string): void => messages.say(text)

/** Lines of one code; an archive may have 100,000 entries that are no trace. */
const MAX_LINES = 100

/** Number of unusable inputs by error code. */
const complaints = new Map<string, number>()

/** An input that could not be used: exit status 1. */
export const complain = (place: string, code: string, text: string): void => messages.complain(place, code, text)

/** Reports what the engine refused, and inputs that cannot be read; rethrows anything else. */
export function complainOf(place: string, thrown: unknown): void {
  if (!isEngineError(thrown)) throw thrown
  complain(
    place || (thrown.at?.file ?? ''),
    thrown.code,
    thrown.remedy ? `${thrown.message} ${thrown.remedy}` : thrown.message,
  )
}

/** Counts the complaints that were not printed. */
export function endComplaints(): void {
  for (const [code, count] of complaints)
    if (count > MAX_LINES) say(`${code}: ${ascii.count(count - MAX_LINES)} more like these`)
  complaints.clear()
}
