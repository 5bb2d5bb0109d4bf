/** Files of other programs: as much of each as decides what it is. */
import { deflateSync } from 'node:zlib'
import { crc32 } from './zlib'

const hex = (bytes: string, length = 4096): Buffer => {
  const head = Buffer.from(bytes.replaceAll(' ', ''), 'hex')
  return Buffer.concat([head, noise(length - head.length)])
}

/** Repeatable noise that begins no known file. */
export function noise(length: number, seed = 1): Buffer {
  let x = seed
  const bytes = Buffer.alloc(length)
  for (let i = 0; i < length; i++) {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0
    bytes[i] = x >>> 24
  }
  return bytes
}

export const jpeg = () => hex('ffd8ffe0 00104a46 49460001 01000048')
export const elf = () => hex('7f454c46 02010100 00000000 00000000')
export const pcap = () => hex('d4c3b2a1 02000400 00000000 00000000')
export const pcapng = () => hex('0a0d0d0a 1c000000 4d3c2b1a 01000000')
export const sqlite = () => Buffer.concat([Buffer.from('SQLite format 3\0'), noise(4080)])
export const rar = () => hex('526172 211a0700')
export const sevenZip = () => hex('377abcaf 271c0004')
export const pdf = () => Buffer.concat([Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), noise(4000)])

/** A valid PNG of one grey pixel: seekwatcher's charts are PNG files. */
export function png(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const SVG =
  '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="910" height="300">\n<rect/>\n</svg>\n'
export const LOGIN =
  '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title></head><body><form>Please sign in to download</form></body></html>\n'
export const JSON_TEXT = '{"name": "left-pad", "version": "1.0.0"}\n'
export const MAIL = 'From: someone\nSubject: slow disk\n\nThe trace is attached.\n'
export const FTRACE_IDLE = `# tracer: nop
#
# entries-in-buffer/entries-written: 3/3   #P:2
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
          <idle>-0       [001] d..2.   107.106843: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=fio next_pid=377 next_prio=120
             fio-377     [001] d..2.   107.106943: sched_switch: prev_comm=fio prev_pid=377 prev_prio=120 prev_state=D ==> next_comm=swapper/1 next_pid=0 next_prio=120
          <idle>-0       [001] dNh3.   107.107843: sched_wakeup: comm=fio pid=377 prio=120 target_cpu=001
`
