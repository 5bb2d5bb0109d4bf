/**
 * The program behind `npm run bench -- stream`, for the measurement `live` and for tests: writes a stream to standard
 * output as `blktrace -o -` does: every 50 ms the buffer of each CPU, one after another. `node bench/page/stream.mjs
 * --rate 20000 --seconds 300 [--fast] [--cut] [--back NS --at SECOND] [--drop EVENTS --at SECOND] [--pause SECONDS --at
 * SECOND]`
 *
 * `--fast`: without waiting. `--cut`: the last record is cut. `--back`: the clock of CPU 1 steps back. `--drop`: so
 * many sequence numbers are missing.
 */
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '60' },
    fast: { type: 'boolean' },
    cut: { type: 'boolean' },
    back: { type: 'string' },
    drop: { type: 'string' },
    pause: { type: 'string' },
    at: { type: 'string', default: '5' },
  },
})
const [rate, seconds, momentSecond] = [Number(values.rate), Number(values.seconds), Number(values.at)]

const CPUS = 4
const TICK = 50e6
const [READ, WRITE, SYNC, QUEUE, ISSUE, COMPLETE, FS, NOTIFY] = [
  1 << 16,
  1 << 17,
  1 << 19,
  1 << 20,
  1 << 22,
  1 << 23,
  1 << 24,
  1 << 26,
]
const [Q, G, D, C] = [QUEUE | 1, QUEUE | 4, ISSUE | FS | 7, COMPLETE | FS | 8]
const DEVICE = 8 << 20
const NAMES = ['fio', 'postgres', 'kworker/u8:2', 'jbd2/sda1-8']
const SECTORS = [8, 8, 8, 16, 32, 64, 256]

let seed = 1
const random = (/** @type {number} */ below) => {
  seed ^= seed << 13
  seed ^= seed >>> 17
  seed ^= seed << 5
  return (seed >>> 0) % below
}

/** @typedef {{ time: number, action: number, sector: number, bytes: number, pid: number }} MadeEvent */
/** @type {MadeEvent[][]} by CPU */
const due = Array.from({ length: CPUS }, () => [])
const sequence = new Array(CPUS).fill(0)
const began = Number(process.hrtime.bigint())

/** Records of 12 words, and 16 bytes of name. */
const words = new Uint32Array(1 << 22)
const bytesOfWords = Buffer.from(words.buffer)
let filled = 0

/**
 * Little-endian, as the machine. @param {MadeEvent} e @param {number} cpu @param {number} back @param {string} [name]
 */
function record({ time, action, sector, bytes, pid }, cpu, back = 0, name) {
  const eventTime = Math.round(time - back)
  words[filled++] = 0x65617407
  words[filled++] = name ? 0 : ++sequence[cpu]
  words[filled++] = eventTime
  words[filled++] = Math.floor(eventTime / 2 ** 32)
  words[filled++] = sector
  words[filled++] = Math.floor(sector / 2 ** 32)
  words[filled++] = bytes
  words[filled++] = action
  words[filled++] = pid
  words[filled++] = DEVICE
  words[filled++] = cpu
  words[filled++] = name ? 16 << 16 : 0
  if (!name) return
  bytesOfWords.fill(0, filled * 4, filled * 4 + 16)
  bytesOfWords.write(name.slice(0, 15), filled * 4)
  filled += 4
}

/** The records so far. */
function taken() {
  const bytes = bytesOfWords.subarray(0, filled * 4)
  filled = 0
  return bytes
}

/** @param {Uint8Array} bytes */
function write(bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done)
    } catch (error) {
      const code = /** @type {NodeJS.ErrnoException} */ (error).code
      if (code === 'EPIPE') process.exit(0)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

const wait = (/** @type {number} */ ms) => new Promise(resolve => setTimeout(resolve, ms))

for (const [i, name] of NAMES.entries())
  record({ time: began, action: NOTIFY, sector: 0, bytes: 0, pid: 1000 + i }, i % CPUS, 0, name)
write(taken())
for (let tick = 0; tick < (seconds * 1e9) / TICK; tick++) {
  const [from, to] = [began + tick * TICK, began + (tick + 1) * TICK]
  const second = (tick * TICK) / 1e9
  const isMoment = second === momentSecond
  if (isMoment && values.drop) sequence[0] += Number(values.drop)
  if (isMoment && values.pause) await wait(Number(values.pause) * 1000)
  // Four events per request; the load swings, so that pictures have something to show.
  const load = 1 + 0.5 * Math.sin(second / 3)
  const requests = Math.round(((rate / 4) * load * TICK) / 1e9)
  for (let i = 0; i < requests; i++) {
    const cpu = random(CPUS)
    const time = from + (TICK * i) / requests
    const write = random(3) === 0
    const op = write ? WRITE | SYNC : READ
    const sectors = SECTORS[random(SECTORS.length)] ?? 8
    const pid = 1000 + (write ? 1 + random(3) : random(2))
    const sector = write ? 500_000_000 + ((tick * 4096 + i * 8) % 200_000_000) : random(1 << 26) * 8
    const service = (60_000 + random(200_000)) * (write ? 6 : 1) * load + (random(100) === 0 ? 8e6 : 0)
    const request = { sector, bytes: sectors * 512, pid }
    due[cpu]?.push(
      { ...request, time, action: op | Q },
      { ...request, time: time + 1500, action: op | G },
      { ...request, time: time + 4000 + random(9000), action: op | D },
    )
    due[random(CPUS)]?.push({ ...request, time: time + 14_000 + service, action: op | C })
  }
  if (!values.fast) await wait(Math.max(0, (to - Number(process.hrtime.bigint())) / 1e6))
  for (const [cpu, events] of due.entries()) {
    events.sort((a, b) => a.time - b.time)
    let end = 0
    while (end < events.length && /** @type {MadeEvent} */ (events[end]).time < to) end++
    const back = values.back && cpu === 1 && second >= momentSecond ? Number(values.back) : 0
    for (const event of events.splice(0, end)) record(event, cpu, back)
    write(taken())
  }
}
if (values.cut) {
  record({ time: began, action: READ | Q, sector: 0, bytes: 4096, pid: 1000 }, 0)
  write(taken().subarray(0, 30))
}
