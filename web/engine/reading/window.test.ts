/** Parts of recordings, and memory that is full, in the real module behind the worker. */
import { beforeAll, describe, expect, it } from 'vitest'
import { compiledEngine, fixture, openTrace, type RunningWorker, startWorker } from '../../../tests/engine'
import { ns } from '../../lib/units'
import type { TimeWindow, TraceFile, TraceInfo } from '../protocol'

const parts = fixture('sync-fua')
let all: TraceInfo
beforeAll(async () => {
  all = (await openTrace(parts)).info
})

const codesOf = ({ quality }: TraceInfo) => quality.warnings.map(warning => warning.code)

/** Reads with this window and capacity. */
async function read(
  limits: { readonly window?: TimeWindow; readonly capacity?: number },
  files: readonly TraceFile[] = parts,
): Promise<{ readonly info: TraceInfo; readonly worker: RunningWorker }> {
  const worker = await startWorker()
  worker.post({ type: 'open', engine: compiledEngine(), name: 'test', label: 'test', parts: files, ...limits })
  return { info: (await worker.hear('ready')).info, worker }
}

/** The recording so many times in a row, each a while later. */
async function repeated(times: number): Promise<TraceFile[]> {
  const copies = async ({ name, blob }: TraceFile): Promise<TraceFile> => {
    const bytes = new Uint8Array(await blob.arrayBuffer())
    const view = new DataView(bytes.buffer)
    const later = () => {
      for (let offset = 0; offset + 48 <= bytes.length; offset += 48 + view.getUint16(offset + 46, true))
        view.setBigUint64(offset + 8, view.getBigUint64(offset + 8, true) + BigInt(all.span) + 1_000_000n, true)
    }
    const pieces = Array.from({ length: times }, (_, i) => {
      if (i > 0) later()
      return bytes.slice()
    })
    return { name, blob: new Blob(pieces) }
  }
  return Promise.all(parts.map(copies))
}

async function estimate(files: readonly TraceFile[], window?: TimeWindow) {
  const worker = await startWorker()
  worker.post({ type: 'estimate', engine: compiledEngine(), parts: files, ...(window && { window }) })
  return (await worker.hear('estimated')).estimate
}

describe('a part of a recording', () => {
  it('has the events of its time only', async () => {
    const window = { from_ns: ns(1e8), to_ns: ns(5e8) }
    const { info } = await read({ window })
    expect(info.window).toEqual(window)
    expect(codesOf(info)).toContain('time-window')
    expect(info.events).toBeGreaterThan(0)
    expect(info.events).toBeLessThan(all.events)
    expect(info.span).toBeLessThan(5e8)
  })
  it('without events is an error with a remedy', async () => {
    await expect(read({ window: { from_ns: ns(3600e9) } })).rejects.toMatchObject({
      code: 'empty-window',
      remedy: expect.any(String),
    })
  })
  it('ends where memory is full: what was read is there, with its window and a warning', async () => {
    const files = await repeated(30)
    const whole = (await read({}, files)).info
    const { info, worker } = await read({ capacity: 4 << 20 }, files)
    expect(codesOf(info)).toContain('memory-full')
    expect(codesOf(info)).not.toContain('truncated-tail')
    expect(info.complete).toBe(true)
    expect(info.events).toBeGreaterThan(whole.events / 10)
    expect(info.events).toBeLessThan(whole.events / 2)
    expect(info.window).toEqual({ from_ns: 0, to_ns: info.span + 1 })
    const filter = { device: info.devices[0]?.index ?? 0 }
    worker.post({
      type: 'query',
      id: 1,
      kind: 'distribution',
      ask: { filter, range: { t0: ns(0), t1: info.span }, stage: 'd2c' },
    })
    const { answer } = await worker.hear('answer', 1)
    expect((answer as { n: number }).n).toBeGreaterThan(1000)
    // The same part again is the same.
    const again = (await read({ window: info.window ?? {} }, files)).info
    expect([again.events, again.requests, again.span]).toEqual([info.events, info.requests, info.span])
    expect(codesOf(again)).not.toContain('memory-full')
  })
})

describe('the estimate', () => {
  it('is near the truth, and has events over time', async () => {
    const { events, length, overTime = [], error, capacity, bytes } = await estimate(parts)
    expect(Math.abs(events / all.events - 1)).toBeLessThan(0.05)
    expect([length, error]).toEqual([all.span, undefined])
    expect(bytes).toBeLessThan(capacity)
    expect(overTime).toHaveLength(240)
    const half = await estimate(parts, { to_ns: ns(length / 2) })
    expect(half.events).toBeCloseTo(
      overTime.slice(0, 120).reduce((sum, n) => sum + n, 0),
      -2,
    )
  })
  it('refuses what does not fit, without reading it', async () => {
    // A file of 12 GiB: pieces of the recording where the engine looks, and nothing between them.
    const piece = new Uint8Array(await (parts[0]?.blob ?? new Blob()).arrayBuffer())
    const touched: number[] = []
    const size = 12 * 2 ** 30
    const slice = (from = 0, to = size) => {
      touched.push(to - from)
      const start = from === 0 ? 0 : Math.max(0, piece.length - 65_536)
      return new Blob([piece.slice(start, start + to - from)])
    }
    const { events, error, window } = await estimate([
      { name: 'sda.blktrace.0', blob: { size, slice } as unknown as Blob },
    ])
    expect(error).toMatchObject({ code: 'too-large', remedy: expect.any(String) })
    expect(events).toBeGreaterThan(1e8)
    expect(window?.to_ns).toBeGreaterThan(0)
    expect(touched.reduce((sum, n) => sum + n, 0)).toBeLessThan(8 << 20)
  })
})
