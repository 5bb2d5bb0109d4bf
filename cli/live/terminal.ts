/** A terminal in which `top` draws: the alternate screen, keys, resizing; restored however the process ends. */
import { openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'

/** Alternate screen on, cursor off; and back. */
const ENTER = '\x1b[?1049h\x1b[?25l'
const LEAVE = '\x1b[?25h\x1b[?1049l'

export interface FullScreen {
  size(): { readonly columns: number; readonly rows: number }
  write(text: string): void
  end(): void
}

/** Takes over the terminal. Keys come from the terminal itself: standard input may be the stream. */
export function openTerminal(key: (key: string) => void, resized: () => void): FullScreen {
  let open = true
  let keys: ReadStream | undefined
  const leave = () => {
    if (!open) return
    open = false
    try {
      keys?.setRawMode(false)
      writeSync(1, LEAVE)
    } catch {
      // The terminal was closed.
    }
  }
  process.on('exit', leave)
  process.stdout.on('resize', resized)
  writeSync(1, ENTER)
  try {
    keys = new ReadStream(openSync('/dev/tty', 'r'))
    keys.setRawMode(true)
    keys.on('data', bytes => {
      for (const character of bytes.toString()) key(character)
    })
    keys.on('error', () => undefined)
  } catch {
    // Without a terminal for input, only signals end the command.
  }
  return {
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    write: text => void process.stdout.write(text),
    end() {
      leave()
      process.off('exit', leave)
      process.stdout.off('resize', resized)
      keys?.destroy()
    },
  }
}
