import { describe, expect, it } from 'vitest'
import type { TraceInfo } from '../../engine/protocol'
import { ns } from '../../lib/units'
import type { Run } from '../../state/types'
import { densityStep, densityTable } from './answers/density'
import { createLive } from './answers/live'
import { deviceName, processName, viaName } from './answers/names'
import { drawnAlike } from './answers/shown'
import { ascii, toCsv, toText, wrap } from './answers/table'
import { createRecorder } from './paint/recorder'
import { hatch } from './paint/surface'
import { amountScale, amountTicks, binWidth, logTicks, logY, timeTicks, topOfAmounts } from './paint/ticks'

describe('density', () => {
  it('has five steps, none for zero, the last for the most', () => {
    expect(densityStep(0, 8)).toBe(0)
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(n => densityStep(n, 8))).toEqual([1, 2, 3, 4, 4, 5, 5, 5])
    expect(densityStep(1, 1)).toBe(1)
  })
  it('is the same as a table', () => {
    const table = densityTable(40)
    for (let n = 0; n <= 40; n += 1) expect(table[n]).toBe(densityStep(n, 40))
  })
})

describe('ticks', () => {
  it('are seconds with as many digits as their step needs', () => {
    expect(timeTicks({ t0: ns(0), t1: ns(8e9) }, 532).map(t => t.label)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
    ])
    expect(timeTicks({ t0: ns(1.29e9), t1: ns(1.49e9) }, 532)[1]?.label).toMatch(/^1\.\d\d$/)
  })
  it('never let labels touch', () => {
    for (const width of [160, 300, 532]) {
      const ticks = timeTicks({ t0: ns(1.000001e9), t1: ns(1.000002e9) }, width)
      const step = (ticks[1]?.position ?? width) - (ticks[0]?.position ?? 0)
      expect(step).toBeGreaterThan((ticks[0]?.label.length ?? 0) * 7)
    }
  })
  it('start amounts at zero, on the bottom edge', () => {
    expect(amountScale(4, 112)(0)).toBe(112)
    expect(amountScale(4, 112)(4)).toBe(10)
    expect(amountTicks(4, 2)).toEqual([0, 2, 4])
  })
  it('go to 1 where all amounts are 0, as of two equal runs', () => {
    expect([0, 1e-12].map(most => topOfAmounts(most))).toEqual([1, 1])
    expect(topOfAmounts(3.9)).toBe(4)
    expect(topOfAmounts(1e-3)).toBeCloseTo(1e-3)
  })
  it('are 1 and 3 times powers of ten on a log axis', () => {
    expect(logTicks(4e6, 1e9, 6)).toEqual([1e7, 3e7, 1e8, 3e8, 1e9])
    expect(logTicks(1e3, 1e9, 4)).toHaveLength(4)
    expect(logY(1, 100, 200)(10)).toBeCloseTo(100)
    expect(logY(1, 100, 200)(0)).toBe(200)
  })
  it('name a bin without trailing zeros', () => {
    expect([30e6, 1.5e9, 500, 50e3].map(binWidth)).toEqual(['30 ms', '1.5 s', '500 ns', '50 µs'])
  })
})

describe('tables', () => {
  const table = {
    title: 'Latency, ×2 and −3',
    columns: [{ label: 'run', text: true }, { label: 'ms' }],
    rows: [
      ['A "x", y', 1.23456789],
      ['B', 20],
    ],
  }
  it('become ASCII of at most 72 columns', () => {
    const text = toText({ ...table, rows: [['long '.repeat(30), 1]] })
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(72)
    expect(toText(table)).toContain('Latency, x2 and -3')
    expect(ascii('5.2 µs · ×19')).toBe('5.2 us ? x19')
  })
  it('become CSV that keeps quotes, commas and every digit', () => {
    expect(toCsv(table)).toBe('run,ms\r\n"A ""x"", y",1.23456789\r\nB,20\r\n')
  })
  it('wrap at words', () => expect(wrap('one two three', 7)).toBe('one two\nthree'))
})

describe('names', () => {
  const disk = {
    index: 0,
    dev: '254,0',
    name: 'vda',
    role: 'disk',
    events: 1,
    requests: 1,
    lba: [0, 1],
    active: [0, 1],
  }
  const run = { info: { devices: [disk] } } as never
  it('recognize a partition of a disk with consecutive minors', () => {
    expect(deviceName('254,3', run)).toBe('vda3')
    expect(processName('dd 254,1', run)).toBe('dd vda1')
    expect(viaName('dd', run)).toBe('dd')
  })
  it('keep the number of an unknown device', () => {
    expect(deviceName('254,16', run)).toBe('254,16')
    expect(deviceName('253,1', run)).toBe('253,1')
    expect(deviceName('254,3', { info: { devices: [{ ...disk, name: 'nvme0n1' }] } } as never)).toBe('254,3')
  })
  it('follow a description first', () =>
    expect(deviceName('254,3', { deviceNames: { '254,3': 'scratch' } })).toBe('scratch'))
})

describe('live', () => {
  it('notifies watchers at once and on change only', () => {
    const live = createLive()
    const seen: (number | undefined)[] = []
    const stop = live.watch(s => seen.push(s.cursor))
    live.set({ cursor: ns(5) })
    live.set({ cursor: ns(5) })
    stop()
    live.set({ cursor: ns(6) })
    expect(seen).toEqual([undefined, 5])
  })
  it('goes back to the pinned cursor', () => {
    const live = createLive()
    live.pin(ns(7))
    live.set({ cursor: ns(9) })
    live.set({ cursor: live.pinned() })
    expect(live.get().cursor).toBe(7)
  })
})

describe('hatch', () => {
  it('stays inside its rectangle', () => {
    const surface = createRecorder()
    hatch(surface, 10, 20, 30, 8, 'white')
    expect(surface.calls.find(c => c.name === 'rect')?.args).toEqual([10, 20, 30, 8])
    expect(surface.calls.map(c => c.name)).toContain('clip')
    expect(surface.calls.at(-1)?.name).toBe('restore')
  })
})

describe('runs that are being read', () => {
  const reading = (readBytes: number) =>
    ({ id: 'a', device: 0, status: { kind: 'reading', progress: { readBytes } } }) as unknown as Run

  it('are drawn anew by what they hold, not by how far they are read', () => {
    const info = {} as TraceInfo
    expect(drawnAlike([reading(1)], [reading(2)])).toBe(true)
    expect(drawnAlike([reading(1)], [{ ...reading(2), info }])).toBe(false)
    expect(drawnAlike([{ ...reading(1), info }], [{ ...reading(1), info, status: { kind: 'ready' } }])).toBe(false)
    expect(drawnAlike([reading(1)], [reading(1), reading(1)])).toBe(false)
  })
})
