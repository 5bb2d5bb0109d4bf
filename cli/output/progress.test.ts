import { expect, test } from 'vitest'
import { createProgress } from './progress'

function terminal(isTTY: boolean, columns = 80) {
  const written: string[] = []
  return { written, isTTY, columns, write: (text: string) => written.push(text) }
}

test('shows percent, speed and file of long work, and erases them', () => {
  let now = 0
  const tty = terminal(true)
  const line = createProgress(tty, () => now)
  line.start('Reading', 100e6)
  line.file('before/sda.blktrace.0')
  now = 900
  line.advance(30e6)
  expect(tty.written, 'nothing in the first second').toEqual([])
  now = 2000
  line.advance(30e6)
  now = 2050
  line.advance(1e6)
  expect(tty.written, 'ten times per second at most').toEqual(['\r\x1b[KReading  60%  30 MB/s  before/sda.blktrace.0'])
  line.stop()
  line.stop()
  expect(tty.written.slice(1)).toEqual(['\r\x1b[K'])
})

test('fits the terminal, and file names cannot misuse it', () => {
  let now = 0
  const tty = terminal(true, 40)
  const line = createProgress(tty, () => now)
  line.start('Reading', 10)
  now = 5000
  line.file('a\x1b]0;title\x07very/long/name')
  line.advance(5)
  expect(tty.written[0]?.replace('\r\x1b[K', '')).toMatch(/^Reading .*\.\.\.\S*name$/)
  expect(tty.written[0]?.replace('\r\x1b[K', '')).toMatch(/^[ -~]{1,39}$/)
})

test('writes nothing where no terminal is', () => {
  let now = 0
  const pipe = terminal(false)
  const line = createProgress(pipe, () => now)
  line.start('Reading', 10)
  now = 5000
  line.advance(10)
  line.stop()
  expect(pipe.written).toEqual([])
})
