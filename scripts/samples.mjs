/**
 * `node scripts/samples.mjs FOLDER-OF-TRACES`: creates public/samples and web/ingest/samples.json from recorded
 * traces. All were recorded for this project with blktrace in virtual machines (Debian kernels 6.1 and 6.12), and
 * are free to ship. `raid5`: 48 MiB of 1 MiB O_DIRECT writes to a five-disk RAID 5. `osync`: random 4 KiB O_SYNC
 * writes on ext4, SCSI disk against virtio disk. Files are stored with gzip; event counts, figures and the preview
 * pictures are computed from their records.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * @typedef {{ time: bigint, sector: number, bytes: number, action: number, device: number }} Rec
 * @typedef {{ t: number, sector: number, sectors: number }} Point
 * @typedef {{ from: string, label: string, short: string }} Source
 * @typedef {{ iops: number, mbps: number, fua: number, flushes: number }} Figures
 * @typedef {{ id: string, title: string, geometry: string, show: string, text: (a: Figures, b: Figures) => string,
 * runs: [Source, Source] }} Sample
 * @typedef {{ name: string, majmin: string, partitions: { name: string, majmin: string }[] }} Device
 */

/** @type {Sample[]} */
const SAMPLES = [
  {
    id: 'idling',
    title: 'The disk idles while writers wait',
    geometry: '',
    show: 'vda',
    text: (a, b) => `bfq, slice_idle 0 and 8: ${Math.round(a.iops)} and ${Math.round(b.iops)} IOPS`,
    runs: [
      { from: 'A-dd-partitions/bfq-idle0-ll0-4w', label: 'bfq, slice_idle 0', short: 'slice_idle 0' },
      { from: 'A-dd-partitions/bfq-idle8-ll0-4w', label: 'bfq, slice_idle 8 ms', short: 'slice_idle 8' },
    ],
  },
  {
    id: 'raid5',
    title: 'One partition start, half the speed',
    geometry: 'unit=256KiB,disks=4,start=0s,level=raid5',
    show: 'md0',
    text: (a, b) => `RAID 5, sector 0 and sector 63: ${Math.round(a.mbps)} and ${Math.round(b.mbps)} MB/s`,
    runs: [
      { from: 'C-raid5-5disk/raw-aligned', label: 'aligned', short: 'sector 0' },
      { from: 'C-raid5-5disk/raw-misaligned', label: 'partition at sector 63', short: 'sector 63' },
    ],
  },
  {
    id: 'osync',
    title: 'O_SYNC on a disk with FUA and without',
    geometry: '',
    show: 'disk',
    text: (a, b) =>
      `ext4, 4 KiB writes: ${a.fua} FUA and ${a.flushes} flushes against ${b.fua} and ${b.flushes.toLocaleString('en-US')}`,
    runs: [
      { from: 'E-sync-writes/ext4-scsi-osync', label: 'O_SYNC, disk with FUA', short: 'with FUA' },
      { from: 'E-sync-writes/ext4-virtio-osync', label: 'O_SYNC, disk without FUA', short: 'without FUA' },
    ],
  },
]

/**
 * blktrace v7 record: time at 8 (u64), sector at 16 (u64), bytes at 24 (u32), action at 28 (u32), device at 36 (u32),
 * payload length at 46 (u16).
 */
const HEADER = 48
const ACTION = { queue: 1, issue: 7, complete: 8 }
const NOTIFY = 1 << 26
const CATEGORY = { write: 1 << 17, flush: 1 << 18, fua: 1 << 31 }

/** Records of one per-CPU file, little-endian. @param {Uint8Array} bytes @returns {Generator<Rec>} */
function* records(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 0; offset + HEADER <= bytes.length; ) {
    yield {
      time: view.getBigUint64(offset + 8, true),
      sector: Number(view.getBigUint64(offset + 16, true)),
      bytes: view.getUint32(offset + 24, true),
      action: view.getUint32(offset + 28, true),
      device: view.getUint32(offset + 36, true),
    }
    offset += HEADER + view.getUint16(offset + 46, true)
  }
}

/** Rounds to half a unit: finer steps are not visible at the size of the previews. @param {number} x */
const round = x => Math.round(x * 2) / 2
const W = 112
const H = 56

/**
 * One stroke per request; all runs of a sample share the axes. `member`: the height is the offset within a 256 KiB
 * unit.
 * @param {Point[]} points
 * @param {{ t1: number, axis: (sector: number) => number, member: boolean }} box
 */
function picture(points, { t1, axis, member }) {
  const strokes = new Set()
  /** @type {Map<number, Set<number>>} */
  const rows = new Map()
  for (const p of points) {
    const x = round((p.t / t1) * (W - 2) + 1)
    if (member) {
      const y0 = round(H - ((p.sector % 512) / 512) * H)
      const y1 = round(H - Math.min(1, (p.sector % 512) / 512 + p.sectors / 512) * H)
      strokes.add(`M${x} ${y0}V${Math.min(y1, y0 - 0.8).toFixed(1)}`)
    } else {
      const y = round(H - 1 - axis(p.sector) * (H - 2))
      rows.set(y, (rows.get(y) ?? new Set()).add(x))
    }
  }
  return [...strokes, ...[...rows].flatMap(([y, xs]) => dashes(y, [...xs]))].join('')
}

/** Marks of 1.5 units in one row; those that touch are one stroke. @param {number} y @param {number[]} xs */
function dashes(y, xs) {
  /** @type {{ x: number, end: number }[]} */
  const drawn = []
  for (const x of xs.sort((a, b) => a - b)) {
    const last = drawn.at(-1)
    if (last && x <= last.end) last.end = x + 1.5
    else drawn.push({ x, end: x + 1.5 })
  }
  return drawn.map(({ x, end }) => `M${x} ${y}h${end - x}`)
}

/**
 * Maps sectors to 0..1, leaving out gaps without requests. @param {number[]} sectors @returns {(sector: number) =>
 * number}
 */
function cutAxis(sectors) {
  const sorted = [...new Set(sectors)].sort((a, b) => a - b)
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
  /** @type {{ from: number, to: number, y: number }[]} */
  const parts = []
  for (const s of sorted) {
    const last = parts.at(-1)
    if (last && s - last.to < span * 0.05) last.to = s
    else parts.push({ from: s, to: s, y: 0 })
  }
  const gap = 0.06
  const used = parts.reduce((sum, p) => sum + Math.max(p.to - p.from, 1), 0)
  const scale = (1 - gap * (parts.length - 1)) / used
  let y = 0
  for (const p of parts) {
    p.y = y
    y += Math.max(p.to - p.from, 1) * scale + gap
  }
  return sector => {
    const p = parts.findLast(q => q.from <= sector) ?? { from: sector, y: 0 }
    return p.y + (sector - p.from) * scale
  }
}

/** @param {string} root @param {Source} run @param {string} show */
function readRun(root, run, show) {
  const folder = join(root, run.from)
  const meta = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'))
  const files = readdirSync(folder)
    .filter(f => /\.blktrace\.\d+$/.test(f))
    .sort()
  const parsed = files.map(name => ({ name, bytes: readFileSync(join(folder, name)) }))
  const all = parsed.flatMap(f => [...records(f.bytes)])
  /** @type {Device[]} */
  const devices = meta.devices
  /** @param {string} name */
  const findDevice = name => devices.find(d => d.name === name)
  const shown = findDevice(show) ? show : (devices[0]?.name ?? '')
  /** @param {string} name */
  const number = name => {
    const [major = 0, minor = 0] = (findDevice(name)?.majmin ?? '').split(':').map(Number)
    return (major << 20) | minor
  }
  const t0 = all.filter(e => (e.action & NOTIFY) === 0).reduce((m, e) => (e.time < m ? e.time : m), 2n ** 63n)
  /** @param {Rec} e @param {number} a */
  const act = (e, a) => (e.action & NOTIFY) === 0 && (e.action & 0xffff) === a
  /** @param {string} name */
  const eventsOf = name => all.filter(e => e.device === number(name)).sort((a, b) => (a.time < b.time ? -1 : 1))
  const events = eventsOf(shown)
  /** @param {Rec} e @param {number} bit */
  const has = (e, bit) => (e.action & bit) !== 0
  const completions = events.filter(e => act(e, ACTION.complete) && e.bytes > 0)
  const queued = events.filter(e => act(e, ACTION.queue))
  const issued = events.filter(e => act(e, ACTION.issue))
  const seconds = Number((completions.at(-1)?.time ?? 0n) - (queued[0]?.time ?? 0n)) / 1e9
  const member =
    show === 'md0'
      ? eventsOf('vda')
          .filter(e => act(e, ACTION.issue) && e.bytes > 512)
          .map(e => ({ ...e, sector: e.sector - 2048 }))
      : undefined
  return {
    run,
    kernel: meta.kernel,
    deviceNames: Object.fromEntries(
      devices.flatMap(d => [d, ...d.partitions]).map(p => [p.majmin.replace(':', ','), p.name]),
    ),
    files: parsed,
    records: all.length,
    iops: completions.length / seconds,
    mbps: completions.reduce((sum, e) => sum + e.bytes, 0) / seconds / 1e6,
    fua: issued.filter(e => e.bytes > 0 && has(e, CATEGORY.fua)).length,
    flushes: issued.filter(e => e.bytes === 0 && has(e, CATEGORY.flush)).length,
    points: (member ?? issued.filter(e => e.bytes > 0)).map(e => ({
      t: Number(e.time - t0),
      sector: e.sector,
      sectors: e.bytes / 512,
    })),
  }
}

const root = process.argv[2]
if (!root) throw new Error('usage: node scripts/samples.mjs FOLDER-OF-TRACES')
const target = new URL('../public/samples/', import.meta.url).pathname
const samples = SAMPLES.map(sample => {
  const [a, b] = sample.runs.map(run => readRun(root, run, sample.show))
  if (!a || !b) throw new Error(`${sample.id} needs two runs`)
  const runs = [a, b]
  const t1 = Math.max(...runs.flatMap(r => r.points.map(p => p.t)))
  const axis = cutAxis(runs.flatMap(r => r.points.map(p => p.sector)))
  rmSync(join(target, sample.id), { recursive: true, force: true })
  return {
    id: sample.id,
    title: sample.title,
    text: sample.text(a, b),
    geometry: sample.geometry,
    runs: runs.map((r, i) => {
      const folder = `${sample.id}/${'ab'[i]}`
      mkdirSync(join(target, folder), { recursive: true })
      for (const f of r.files) writeFileSync(join(target, folder, `${f.name}.gz`), gzipSync(f.bytes, { level: 9 }))
      return {
        label: r.run.label,
        short: r.run.short,
        kernel: r.kernel,
        records: r.records,
        folder,
        files: r.files.map(f => f.name),
        deviceNames: r.deviceNames,
        picture: picture(r.points, { t1, axis, member: sample.show === 'md0' }),
      }
    }),
  }
})
writeFileSync(new URL('../web/ingest/samples.json', import.meta.url), `${JSON.stringify({ samples }, undefined, 1)}\n`)
for (const s of samples)
  console.log(
    s.id,
    s.text,
    s.runs.map(r => `${r.records} records, ${r.picture.length} characters`),
  )
