/**
 * Generates recordings of any length for timing: blktrace v7 records of random mixed reads and writes, one file per
 * CPU. `deep`: plugged batches, many requests in flight, mixed sizes. `null`: each request completes before the
 * next, as on null_blk. `disks`: as `deep`, over three disks.
 *
 * Record, little-endian u32 words: 0 magic and version, 1 sequence, 2-3 time (ns), 4-5 sector, 6 bytes, 7 action, 8
 * pid, 9 device, 10 CPU, 11 error (low half) and payload length (high half).
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const MAGIC = 0x65617407
const DEVICE = (8 << 20) | 0
const CPUS = 4
/** Category bits of the action word. */
const CATEGORY = {
  READ: 1 << 16,
  WRITE: 1 << 17,
  SYNC: 1 << 19,
  QUEUE: 1 << 20,
  ISSUE: 1 << 22,
  COMPLETE: 1 << 23,
  FS: 1 << 24,
  NOTIFY: 1 << 26,
}
const { READ, WRITE, SYNC, QUEUE, ISSUE, COMPLETE, FS, NOTIFY } = CATEGORY
const ACTION = { Q: 1, G: 4, D: 7, C: 8, P: 9, U: 10 }
const { Q, G, D, C, P, U } = ACTION
const CHUNK_WORDS = 1 << 20

/** xorshift32, so that every run has the same recording. @param {number} seed */
function random(seed) {
  let x = seed
  return (/** @type {number} */ below) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % below
  }
}

/** Writes one per-CPU file. */
class CpuFile {
  #fd
  #cpu
  #words = new Uint32Array(CHUNK_WORDS)
  #at = 0
  #sequence = 0
  events = 0

  /** @param {string} file @param {number} cpu */
  constructor(file, cpu) {
    this.#fd = openSync(file, 'w')
    this.#cpu = cpu
  }

  /**
   * @param {number} time ns
   * @param {number} action category and action bits
   * @param {number} sector
   * @param {number} sectors
   * @param {readonly number[]} [payload] 32-bit words in file order
   * @param {number} [disk] which of the devices
   */
  record(time, action, sector, sectors, payload = [], disk = 0) {
    if (this.#at + 16 > CHUNK_WORDS) this.#flush()
    const notify = (action & NOTIFY) !== 0
    const w = this.#words
    let i = this.#at
    w[i++] = MAGIC
    w[i++] = notify ? 0 : ++this.#sequence
    w[i++] = time >>> 0
    w[i++] = Math.floor(time / 2 ** 32)
    w[i++] = sector
    w[i++] = 0
    w[i++] = sectors * 512
    w[i++] = action
    w[i++] = 1000 + this.#cpu
    w[i++] = DEVICE + 16 * disk
    w[i++] = this.#cpu
    w[i++] = (payload.length * 4) << 16
    for (const word of payload) w[i++] = word
    this.#at = i
    if (!notify) this.events++
  }

  #flush() {
    writeSync(this.#fd, new Uint8Array(this.#words.buffer, 0, this.#at * 4))
    this.#at = 0
  }

  close() {
    this.#flush()
    closeSync(this.#fd)
  }
}

/** Big-endian 64-bit count as two words of a little-endian file. @param {number} n */
const unplugged = n => [0, (n << 24) >>> 0]
const COMM = [...new Uint32Array(Uint8Array.from('fio\0\0\0\0\0\0\0\0\0\0\0\0\0', c => c.charCodeAt(0)).buffer)]

/**
 * @typedef {{ batch: number, service: number, sizes: readonly number[], disks?: number }} Workload max requests per
 * batch, mean service time in ns, sectors
 */

/**
 * @param {CpuFile} out @param {(below: number) => number} rnd @param {number} events how many at least
 * @param {Workload} workload
 */
function fill(out, rnd, events, { batch, service, sizes, disks = 1 }) {
  /** @type {{ end: number, sector: number, sectors: number, op: number, disk: number }[]} in order of completion */
  const flying = []
  let time = 1_000_000_000
  let disk = 0
  const complete = (/** @type {number} */ until) => {
    while (flying[0] && flying[0].end <= until) {
      const { end, sector, sectors, op, disk } = /** @type {typeof flying[0]} */ (flying.shift())
      out.record(end, op | COMPLETE | FS | C, sector, sectors, [], disk)
    }
  }
  /**
   * The next event of the submitting task, after the completions up to its time. @param {number} after @param {number}
   * action @param {number} [sector] @param {number} [sectors] @param {readonly number[]} [payload]
   */
  const submit = (after, action, sector = 0, sectors = 0, payload) => {
    time += after
    complete(time)
    out.record(time, action, sector, sectors, payload, disk)
  }
  out.record(time, NOTIFY, 0, 0, COMM)
  while (out.events < events) {
    const n = 1 + rnd(batch)
    if (disks > 1) disk = rnd(disks)
    const requests = []
    const plugFirst = batch > 1
    if (plugFirst) submit(1400, QUEUE | READ | P)
    for (let i = 0; i < n; i++) {
      const op = rnd(2) ? READ : WRITE | SYNC
      const sectors = sizes[rnd(sizes.length)] ?? 8
      const sector = rnd(1 << 28) * 8
      submit(3000 + rnd(3000), op | QUEUE | Q, sector, sectors)
      submit(3000 + rnd(3000), op | QUEUE | G, sector, sectors)
      requests.push({ sector, sectors, op })
    }
    if (!plugFirst) submit(1400, QUEUE | READ | P)
    submit(1400, QUEUE | READ | U, 0, 0, unplugged(n))
    for (const request of requests) {
      submit(1400, request.op | ISSUE | FS | D, request.sector, request.sectors)
      flying.push({ ...request, disk, end: time + 1 + Math.floor(service * (0.5 + rnd(1000) / 1000)) })
    }
    flying.sort((a, b) => a.end - b.end)
    time += batch > 1 ? rnd(service) : 2 * service
    complete(time)
  }
  complete(Number.POSITIVE_INFINITY)
}

/** @type {{ deep: Workload, null: Workload, disks: Workload }} */
export const KINDS = {
  deep: { batch: 8, service: 400_000, sizes: [8, 8, 8, 16, 32, 64, 256] },
  null: { batch: 1, service: 1700, sizes: [8] },
  disks: { batch: 8, service: 400_000, sizes: [8, 8, 8, 16, 32, 64, 256], disks: 3 },
}

/**
 * Writes `trace.blktrace.0` to `.3` into a folder.
 * @param {string} folder
 * @param {number} events over all CPUs, at least
 * @param {keyof typeof KINDS} kind
 * @returns {{ events: number, files: string[] }} what was written
 */
export function generate(folder, events, kind) {
  mkdirSync(folder, { recursive: true })
  /** @type {string[]} */
  const files = []
  let written = 0
  for (let cpu = 0; cpu < CPUS; cpu++) {
    const file = join(folder, `trace.blktrace.${cpu}`)
    const out = new CpuFile(file, cpu)
    fill(out, random(cpu + 1), events / CPUS, KINDS[kind])
    out.close()
    files.push(file)
    written += out.events
  }
  return { events: written, files }
}
