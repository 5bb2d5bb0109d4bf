/** Following a stream without a browser: cutting records, framing, bounded memory, what is kept. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestedEngine } from '../../../tests/engine'
import { buffersOf, streamOf } from '../../../tests/streams'
import { ns } from '../../lib/units'
import * as bindings from '../generated/seekscope.js'
import type { Facets, QueryKind, TraceInfo } from '../protocol'
import { createFollowed, type Followed, LAG_NS, type LiveTrace } from './followed'
import { createUnframer, encodeFrame, type Frame } from './frames'
import { createRetention } from './kept'
import { asker, recentDevices, recentProcesses } from './recent'
import { concatenate, createCutter, createNotes, isStream, recordLength } from './records'

beforeAll(() => {
  startTestedEngine()
})

const bytes = new Uint8Array(streamOf('ext4-buffered-6.12'))

describe('cutting a stream at records', () => {
  it.each([1, 47, 48, 4096, 1 << 20])('loses no byte in pieces of %i', size => {
    const some = bytes.subarray(0, size === 1 ? 20_000 : bytes.length)
    const cutter = createCutter()
    const pieces: Uint8Array[] = []
    for (let offset = 0; offset < some.length; offset += size) {
      const piece = cutter.push(some.subarray(offset, offset + size))
      expect(piece.length === 0 || isStream(piece)).toBe(true)
      pieces.push(piece.slice())
    }
    expect(concatenate([...pieces, cutter.rest()])).toEqual(some)
  })

  it('knows both versions in both byte orders', () => {
    for (const [version, header, lengthOffset] of [
      [7, 48, 46],
      [8, 64, 50],
    ] as const) {
      for (const little of [true, false]) {
        const record = new DataView(new ArrayBuffer(header + 16))
        record.setUint32(0, 0x65617400 | version, little)
        record.setUint16(lengthOffset, 16, little)
        expect(recordLength(record, 0)).toBe(header + 16)
        expect(recordLength(new DataView(record.buffer, 0, header + 15), 0)).toBe(0)
        expect(isStream(new Uint8Array(record.buffer))).toBe(true)
      }
    }
    expect(isStream(Uint8Array.of(7, 0x74, 0x61, 0x64))).toBe(false)
    expect(isStream(Uint8Array.of(9, 0x74, 0x61, 0x65))).toBe(false)
  })

  it('passes damage on, up to the next record', () => {
    const damaged = concatenate([bytes.subarray(0, 48 + 16), new Uint8Array(10).fill(0x55), bytes])
    const cutter = createCutter()
    expect(cutter.push(damaged).length).toBe(damaged.length - cutter.rest().length)
    expect(cutter.rest().length).toBe(0)
  })

  it('keeps names and the wall clock', () => {
    const notes = createNotes()
    notes.add(bytes)
    const retained = notes.bytes()
    expect(retained.length).toBeGreaterThan(64)
    expect(retained.length).toBeLessThan(bytes.length / 10)
    notes.add(bytes)
    expect(notes.bytes().length).toBe(retained.length)
  })

  it('does not keep names that no kernel writes', () => {
    const notes = createNotes()
    const record = new Uint8Array(48 + 60_000)
    const view = new DataView(record.buffer)
    view.setUint32(0, 0x65617407, true)
    view.setUint32(28, 1 << 26, true)
    view.setUint16(46, 60_000, true)
    for (let pid = 1; pid < 100; pid++) {
      view.setUint32(32, pid, true)
      notes.add(record)
    }
    expect(notes.bytes().length).toBe(0)
  })
})

describe('frames', () => {
  const frames: readonly Frame[] = [
    { kind: 'hello', hello: { name: 'sda', label: 'sda', skipped: 0 } },
    { kind: 'file', file: 0, name: 'sda.blktrace.0' },
    { kind: 'data', file: 0, bytes: bytes.slice(0, 5000) },
    { kind: 'state', state: { state: 'ended', why: 'broken', bytes: 30 } },
  ]
  it.each([1, 4, 5, 6, 4999, 1 << 20])('arrive as they were sent in pieces of %i', size => {
    const all = concatenate(frames.map(encodeFrame))
    const unframe = createUnframer()
    const come: Frame[] = []
    for (let offset = 0; offset < all.length; offset += size) come.push(...unframe(all.subarray(offset, offset + size)))
    expect(come).toEqual(frames)
  })
  it('are refused when a length is damaged', () => {
    expect(() => createUnframer()(new Uint8Array(5).fill(0xff))).toThrow()
  })
})

const follow = (most: number): Followed => {
  const followed = createFollowed({
    name: 's',
    label: 's',
    make: text => new bindings.Trace(text) as unknown as LiveTrace,
    capacity: most,
    lagNs: LAG_NS,
  })
  followed.addFile('stream')
  return followed
}

/** The recording again and again, each a while later. */
function* again(folder: string, times: number): Generator<Buffer> {
  const buffers = buffersOf(folder)
  for (let i = 0; i < times; i++) {
    for (const buffer of buffers) {
      const later = Buffer.from(buffer)
      const view = new DataView(later.buffer, later.byteOffset, later.byteLength)
      for (
        let offset = 0, length = recordLength(view, 0);
        length > 0;
        offset += length, length = recordLength(view, offset)
      )
        view.setBigUint64(offset + 8, view.getBigUint64(offset + 8, true) + BigInt(i) * 20_000_000_000n, true)
      yield later
    }
  }
}

it('has figures from the first record on, whatever it is', () => {
  const followed = follow(100_000_000)
  const ask = asker(followed.query as (kind: QueryKind, ask: unknown) => unknown)
  let [queued, issued] = [0, 0]
  // A recording of one CPU: names, then Q, G and D of a request.
  const records = Buffer.concat(buffersOf('partitions-bfq-1w')).subarray(0, 100_000)
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength)
  for (
    let offset = 0, length = recordLength(view, 0);
    length > 0 && issued === 0;
    offset += length, length = recordLength(view, offset)
  ) {
    followed.feed(0, records.subarray(offset, offset + length))
    followed.settle()
    const { events, shown_ns } = followed.status()
    if (events === 0) continue
    for (const { depth } of recentDevices(ask, ask('info', {}) as TraceInfo, { t0: ns(0), t1: ns(shown_ns) })) {
      if (depth) issued++
      else queued++
    }
  }
  expect([queued > 0, issued]).toEqual([true, 1])
  followed.free()
})

/** So that a part of it is more than 8 MB. */
const TIMES = 25

describe('a stream in bounded memory', () => {
  it('has the figures of the last seconds that it has with all of it', () => {
    const [all, few] = [follow(100_000_000), follow(20_000)]
    let most = 0
    for (const buffer of again('partitions-bfq-1w', TIMES)) {
      all.feed(0, buffer)
      few.feed(0, buffer)
      most = Math.max(most, few.status().events)
    }
    for (const followed of [all, few]) followed.settle()
    const total = all.status().events
    expect(total).toBeGreaterThan(50_000)
    // A buffer more than the limit.
    expect(most).toBeLessThan(22_000)
    expect(few.events()).toBe(total)
    const from = few.from() ?? 0
    expect(from).toBeGreaterThan(0)
    const answers = [all, few].map(followed => {
      const ask = asker(followed.query as (kind: QueryKind, ask: unknown) => unknown)
      const info: TraceInfo = ask('info', {})
      const range = { t0: ns(info.span - 10e9), t1: ns(info.span) }
      expect(range.t0).toBeGreaterThan(from)
      const devices = recentDevices(ask, info, range)
      const [device] = info.devices
      return { span: info.span, devices, processes: device ? recentProcesses(ask, device, info, range) : [] }
    })
    expect(answers[0]?.devices[0]?.iops).toBeGreaterThan(0)
    expect(answers[0]?.processes.map(({ name }) => name).some(name => !name.startsWith('pid'))).toBe(true)
    expect(answers[1]).toEqual(answers[0])
    for (const followed of [all, few]) followed.free()
  })
})

describe('what is kept of a stream', () => {
  it('is its end, with the names before it', async () => {
    const retention = createRetention(5 << 20)
    const notes = createNotes()
    const followed = follow(100_000_000)
    let total = 0
    for (const buffer of again('partitions-bfq-1w', TIMES)) {
      followed.feed(0, buffer)
      notes.add(buffer)
      retention.add(0, buffer, followed.status().latest_ns)
      total += buffer.length
    }
    followed.settle()
    const from = retention.from() ?? 0
    expect(from).toBeGreaterThan(0)
    const [part] = retention.parts(['stream'], notes.bytes)
    expect(part?.blob.size).toBeLessThan(total)
    expect(part?.blob.size).toBeLessThan((5 << 20) + (4 << 20) + notes.bytes().length)
    // Read again as the page does at the end, it has exactly the events from there on.
    const { origin } = followed.status()
    const trace = new bindings.Trace(
      JSON.stringify({ name: 's', label: 's', parts: [{ name: 'stream' }], origin, window: { from_ns: from } }),
    )
    trace.feed(0, new Uint8Array((await part?.blob.arrayBuffer()) ?? []))
    trace.close(0)
    trace.finish()
    const info = trace.query('info', '{}') as TraceInfo
    const whole = asker(followed.query as (kind: QueryKind, ask: unknown) => unknown)
    const count = (asked: (kind: 'facets', ask: unknown) => { ops: object }) =>
      Object.values(asked('facets', { filter: { device: 0 }, range: { t0: from + 1e9, t1: info.span } }).ops)
    const facets = (ask: unknown) => trace.query('facets', JSON.stringify(ask)) as Facets
    expect(count((_, ask) => facets(ask))).toEqual(count(whole))
    trace.free()
    followed.free()
  })

  it('is all of it while there is room', () => {
    const retention = createRetention(1 << 30)
    retention.add(0, bytes, 5)
    expect(retention.from()).toBeUndefined()
    expect(retention.parts(['stream'], () => new Uint8Array(100))[0]?.blob.size).toBe(bytes.length)
  })
})
