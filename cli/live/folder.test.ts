/** Files that grow as those of blktrace do, looked at in every state that they may be found in. */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cpuFiles, recordsOf } from '../../tests/streams'
import { concatenate } from '../../web/engine/live/records'
import { folderStream } from './folder'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-folder-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Of several lengths, with messages and names. */
const RECORDS = recordsOf(Buffer.concat([...cpuFiles('partitions-bfq-1w').values()])).slice(0, 40)
const IN_ADVANCE = 64 * 1024

/** A file as blktrace writes it, and what a stream of its folder passes on. */
function growing(endMs = 600_000) {
  const folder = mkdtempSync(join(scratch, 'of-'))
  const fd = openSync(join(folder, 'sda.blktrace.0'), 'w')
  let size = 0
  const write = (bytes: Uint8Array) => {
    ftruncateSync(fd, size + bytes.length + IN_ADVANCE)
    writeSync(fd, bytes, 0, bytes.length, size)
    size += bytes.length
  }
  const stream = folderStream(folder, endMs)
  const pieces: Uint8Array[] = []
  let look: () => void = () => undefined
  const ended = stream.run({
    file: () => undefined,
    data(_, bytes) {
      pieces.push(bytes)
      look()
    },
  })
  const bytes = () => Buffer.from(concatenate(pieces))
  /** Waits until so many bytes were passed on. */
  const until = (length: number) =>
    new Promise<void>(resolve => {
      look = () => bytes().length >= length && resolve()
      look()
    })
  const cut = () => {
    ftruncateSync(fd, size)
    closeSync(fd)
  }
  return { write, until, cut, bytes, ended, stop: stream.stop }
}

/** Byte of the last record up to which it is written. */
const TORN = [1, 2, 3, 4, 20, 40, 46, 47]

test.each([0, 1, 2, 5, 30])(
  'of a record that is half written nothing is passed on until the rest is there, %#',
  async more => {
    const last = RECORDS.length - 2 - more
    const [before, torn, after] = [RECORDS.slice(0, last), RECORDS[last] ?? Buffer.alloc(0), RECORDS.slice(last + 1)]
    for (const byte of [...TORN, torn.length - 1]) {
      const file = growing()
      file.write(Buffer.concat([...before, torn.subarray(0, byte)]))
      const complete = Buffer.concat(before).length
      await file.until(complete)
      // Looked at again at once, and now and then.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      expect({ byte, length: file.bytes().length }).toEqual({ byte, length: complete })
      file.write(Buffer.concat([torn.subarray(byte), ...after]))
      await file.until(complete + torn.length)
      file.cut()
      expect(await file.ended).toEqual({ state: 'ended', why: 'end' })
      expect(file.bytes().equals(Buffer.concat(RECORDS))).toBe(true)
    }
  },
)

test('after an interrupt what is half written is left out', async () => {
  const file = growing()
  const length = Buffer.concat(RECORDS).length
  file.write(Buffer.concat([...RECORDS, (RECORDS[0] ?? Buffer.alloc(0)).subarray(0, 32)]))
  await file.until(length)
  file.stop()
  expect(await file.ended).toEqual({ state: 'ended', why: 'interrupted' })
  expect(file.bytes().equals(Buffer.concat(RECORDS))).toBe(true)
  file.cut()
})

test('invalid bytes are passed on up to the record behind them', async () => {
  const file = growing()
  const noise = Buffer.alloc(70, 0x55)
  const length = Buffer.concat(RECORDS.slice(0, 5)).length
  file.write(Buffer.concat([...RECORDS.slice(0, 5), noise]))
  await file.until(length)
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
  expect(file.bytes().length).toBe(length)
  file.write(Buffer.concat(RECORDS.slice(5)))
  file.cut()
  expect(await file.ended).toEqual({ state: 'ended', why: 'end' })
  expect(file.bytes().equals(Buffer.concat([...RECORDS.slice(0, 5), noise, ...RECORDS.slice(5)]))).toBe(true)
})

test('a recording that was complete before it was seen ends by itself', async () => {
  const file = growing(50)
  file.write(Buffer.concat(RECORDS))
  file.cut()
  expect(await file.ended).toEqual({ state: 'ended', why: 'end' })
  expect(file.bytes().equals(Buffer.concat(RECORDS))).toBe(true)
})
