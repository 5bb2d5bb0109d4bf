/**
 * Does with an instrumented engine what the page does with recordings, and writes the indices of all functions that
 * were entered: a line for the first pictures of traces, and one for comparisons, links and the notes beside a trace.
 * `parts.mjs` splits the engine by them.
 *
 * `node entered.mjs BINDINGS ENGINE OUT NOTES RECORDINGS PAIR...`: the bindings of the engine, its instrumented module,
 * the file for the indices, a folder with notes, one with recordings, and folders with two recordings each.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PICTURE_KINDS } from '../../web/engine/laterParts.mjs'

const [bindings = '', engine = '', out = '', notes = '', recordings = '', ...samples] = process.argv.slice(2)

/** Name of the exported global of a function, before its index, as in `xtask/src/parts.rs`. */
const ENTERED = 'entered'
const LAYERS = ['density', 'op', 'process', 'size', 'latency', 'sync']
const PROBE_BYTES = 64 << 10
const PIECE_BYTES = 1 << 18
const REPEATS = 10
/** Longer than each sample. */
const REPEAT_NS = 60_000_000_000n
/** Of a record of blktrace: the size without its data, and where its time and the length of its data are. */
const [RECORD_BYTES, TIME_OFFSET, LENGTH_OFFSET] = [48, 8, 46]
const EXCERPTS = 120
const EXCERPT_BYTES = 8 << 10

/**
 * @typedef {{ readonly name: string, readonly bytes: Uint8Array }} File
 * @typedef {typeof import('../../web/engine/generated/seekscope.js')} Engine
 */

/** @type {Engine} */
const {
  compare,
  compareText,
  container,
  CutFinder,
  estimate,
  FileSorter,
  guessLabels,
  hasEvents,
  initSync,
  isEncodedText,
  mayBeText,
  NoteReader,
  OpenedSnapshot,
  packSnapshot,
  Trace,
  unpack,
} = await import(pathToFileURL(bindings).href)

/**
 * A tar archive with one file: people drop recordings packed.
 * @param {File} file
 * @returns {Uint8Array}
 */
function tar({ name, bytes }) {
  const header = Buffer.alloc(512)
  header.write(`run/${name}`, 0)
  header.write('0000644\0', 100)
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512), Buffer.alloc(1024)])
}

/**
 * The files in a file, or the file itself.
 * @param {File} file
 * @returns {File[]}
 */
function unpacked({ name, bytes }) {
  if (!container(bytes.subarray(0, PROBE_BYTES))) return [{ name, bytes }]
  /** @type {File[]} */
  const files = []
  let within = ''
  /** @type {Uint8Array[]} */
  let pieces = []
  const port = {
    read: (/** @type {number} */ offset, /** @type {number} */ length) => bytes.subarray(offset, offset + length),
    begin(/** @type {string} */ path) {
      within = path
      pieces = []
    },
    bytes: (/** @type {Uint8Array} */ piece) => pieces.push(piece.slice()),
    end: () => files.push({ name: within.slice(within.lastIndexOf('/') + 1), bytes: Buffer.concat(pieces) }),
  }
  unpack(name, bytes.length, port, true)
  return files.flatMap(unpacked)
}

/**
 * Finds the traces among files, as if they were dropped.
 * @param {readonly File[]} files
 * @returns {readonly { readonly label: string }[]}
 */
function findTraces(files) {
  const sorter = new FileSorter()
  for (const { name, bytes } of files) {
    const head = bytes.subarray(0, PROBE_BYTES)
    if (mayBeText(head) && !isEncodedText(head)) hasEvents(head)
    const probe = { name, path: `run/${name}`, size: bytes.length, lastModified: 0 }
    sorter.add(JSON.stringify(probe), head, bytes.subarray(Math.max(0, bytes.length - PROBE_BYTES)))
  }
  const { traces } = sorter.group()
  sorter.free()
  return traces
}

/**
 * Reads the notes of a trace.
 * @param {readonly File[]} files
 */
function readNotes(files) {
  const reader = new NoteReader()
  const cpus = Array.from({ length: 32 }, (_, cpu) => cpu)
  const traces = ['', 'old/', 'new/4 KiB/', 'run/'].map(folder => ({
    label: 'trace',
    paths: cpus.map(cpu => `${folder}trace.blktrace.${cpu}`),
  }))
  for (const { name, bytes } of files) reader.add(`run/${name}`, bytes)
  reader.unread()
  reader.assign(JSON.stringify(traces))
  reader.free()
}

/** @param {readonly File[]} files */
function estimateSize(files) {
  const ends = files.map(({ bytes }) => bytes.subarray(0, PROBE_BYTES))
  const probes = files.map(({ name, bytes }) => ({ name, path: name, size: bytes.length }))
  const places = files.flatMap(({ bytes }, index) =>
    Array.from(
      { length: EXCERPTS },
      (_, i) => /** @type {const} */ ([index, Math.floor((bytes.length * i) / EXCERPTS)]),
    ),
  )
  const excerpts = places.map(
    ([index, from]) => files[index]?.bytes.subarray(from, from + EXCERPT_BYTES) ?? new Uint8Array(),
  )
  estimate(JSON.stringify(probes), ends, ends, undefined, undefined, JSON.stringify(places), excerpts)
  const finder = new CutFinder(Float64Array.from(files, ({ bytes }) => bytes.length))
  finder.wanted()
  finder.cuts(0)
  finder.free()
}

/**
 * A recording several times in a row, as large traces have blocks and steps that the samples do not fill.
 * @param {readonly File[]} files per-CPU files of blktrace
 * @returns {readonly File[]}
 */
function repeat(files) {
  return files.map(({ name, bytes }) => {
    const all = Buffer.concat(Array.from({ length: REPEATS }, () => bytes))
    const view = new DataView(all.buffer, all.byteOffset, all.length)
    for (let offset = 0; offset + RECORD_BYTES <= all.length; ) {
      const later = BigInt(Math.floor(offset / bytes.length)) * REPEAT_NS
      view.setBigUint64(offset + TIME_OFFSET, view.getBigUint64(offset + TIME_OFFSET, true) + later, true)
      offset += RECORD_BYTES + view.getUint16(offset + LENGTH_OFFSET, true)
    }
    return { name, bytes: all }
  })
}

/**
 * A trace that was read, or one of a snapshot.
 * @typedef {(kind: string, ask: object) => any} Query
 */

/**
 * Reads a trace.
 * @param {readonly File[]} files
 * @returns {Query}
 */
function open(files) {
  const parts = files.map(({ name, bytes }) => ({ name, size: bytes.length }))
  const trace = new Trace(JSON.stringify({ name: 'run', label: 'run', parts }))
  const taken = files.map(() => 0)
  trace.pieceBytes()
  for (let part = trace.hungry(); part !== undefined; part = trace.hungry()) {
    const from = taken[part] ?? 0
    const piece = files[part]?.bytes.subarray(from, from + PIECE_BYTES)
    if (!piece || piece.length === 0) trace.close(part)
    else trace.feed(part, piece)
    taken[part] = from + PIECE_BYTES
    trace.query('info', '{}')
  }
  trace.finish()
  return answered((kind, ask) => trace.query(kind, JSON.stringify(ask)))
}

/** Kinds of the queries so far. */
const asked = new Set()

/**
 * Not every trace has every chart: a refused query has an empty answer.
 * @param {Query} query
 * @returns {Query}
 */
const answered = query => (kind, ask) => {
  asked.add(kind)
  try {
    return query(kind, ask)
  } catch {
    return {}
  }
}

/**
 * Asks for all charts of a trace.
 * @param {Query} query
 */
function show(query) {
  const { devices, span } = query('info', {})
  query('summary', {})
  // Later answers replace earlier ones in the cache of the engine.
  for (const device of [...devices.keys(), ...devices.keys()])
    for (const share of [1, 2, 3]) showRange(query, device, { t0: 0, t1: Math.floor(span / share) })
}

/**
 * Asks for all charts of a device.
 * @param {Query} query
 * @param {number} device
 * @param {{ readonly t0: number, readonly t1: number }} range
 */
function showRange(query, device, range) {
  const filter = { device }
  const found = query('bands', { filter, range, most: 6, gapShare: 0.02 }).bands ?? []
  const bands = found.map((/** @type {readonly number[]} */ [lba0, lba1]) => ({ lba0, lba1, y0: 2, y1: 99 }))
  for (const layer of LAYERS)
    for (const marks of [0, 1e6])
      query('seekMap', { filter, range, bands, w: 500, h: 100, layer, slots: [0, 1, 2, 3, 4, 5], marks })
  query('depth', { device, range, n: 190 })
  query('rate', { filter, range, n: 190 })
  query('latencyGrid', { filter, range, stage: 'q2c', w: 253, h: 33, low: 1e4, high: 1e9 })
  query('facets', { filter })
  query('facets', { filter, range })
  query('sizes', { filter, range, at: 'queued' })
  query('distribution', { filter, range, stage: 'q2c' })
  query('stages', { filter, range })
}

/**
 * Compares runs, and opens the links of them.
 * @param {readonly Query[]} queries
 */
function compareRuns(queries) {
  for (const query of queries) query('moments', {})
  const runs = queries.map((query, index) => ({ label: `run ${index}`, trace: query('digest', {}) }))
  for (const run of runs) compare(JSON.stringify({ runs: [run], baseline: 0 }))
  const document = compare(JSON.stringify({ runs, baseline: 0 }))
  compareText(JSON.stringify({ runs, baseline: 0 }))
  for (const size of ['XS', 'S', 'L']) {
    const traces = queries.map(query => {
      const { devices, span } = query('info', {})
      const filters = devices.map((/** @type {object} */ _, /** @type {number} */ device) => ({ device }))
      return query('snapshot', { filters, ranges: [[0, span]], stage: 'q2c', layers: ['op'], names: true, size })
    })
    const head = { size, runs: runs.map(({ label }) => ({ label })) }
    const text = packSnapshot(JSON.stringify({ snapshot: { head, document, of: [0, 1], traces }, size }))
    const snapshot = new OpenedSnapshot(text)
    snapshot.outline()
    for (const index of queries.keys()) {
      show(answered((kind, ask) => snapshot.query(index, kind, JSON.stringify(ask))))
    }
  }
}

/** @type {Record<string, any>} */
const exports = initSync({ module: new WebAssembly.Module(readFileSync(engine)) })

/** The indices of the functions that were entered since the last call. */
function takeEntered() {
  const names = Object.keys(exports).filter(name => name.startsWith(ENTERED) && exports[name].value === 1)
  if (names.length === 0) throw new Error('no function was entered: the engine is not instrumented')
  for (const name of names) exports[name].value = 0
  return names.map(name => name.slice(ENTERED.length)).join(' ')
}

/** @param {string} folder */
const filesIn = folder =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap(entry =>
    entry.isFile() ? [{ name: entry.name, bytes: readFileSync(join(entry.parentPath, entry.name)) }] : [],
  )

const openAll = (/** @type {string} */ folder) =>
  readdirSync(folder).map(recording => {
    const files = filesIn(join(folder, recording)).flatMap(unpacked)
    for (const file of files) unpacked({ name: 'run.tar', bytes: tar(file) })
    // A CPU without events has an empty file.
    const empty = { name: files[0]?.name.replace(/\d+$/, '99') ?? '', bytes: new Uint8Array() }
    const traces = findTraces([...files, empty])
    readNotes([])
    guessLabels(JSON.stringify(traces.map(({ label }) => ({ label, folder: `${label}/run` }))))
    estimateSize(files)
    show(open(repeat(files)))
    const query = open(files)
    show(query)
    return { files, query }
  })

openAll(recordings)
const pairs = samples.map(openAll)
for (const kind of PICTURE_KINDS) if (!asked.delete(kind)) throw new Error(`no picture asks for ${kind}`)
if (asked.size > 0) throw new Error(`pictures ask for more than PICTURE_KINDS: ${[...asked]}`)
const pictures = takeEntered()
const texts = filesIn(notes)
const folders = pairs.flat().map(({ files }, i) => files.map(file => ({ ...file, name: `${i}/${file.name}` })))
findTraces([...folders.flat(), ...texts])
readNotes(texts)
for (const pair of pairs) compareRuns(pair.map(({ query }) => query))
writeFileSync(out, `${pictures}\n${takeEntered()}\n`)
