import { describe, expect, it } from 'vitest'
import type { DeviceInfo, TraceInfo } from '../../engine/protocol'
import type { SummaryDevice } from '../../engine/summary'
import { hasLayers, type LayersOfRun, layerDevices } from './rows'
import { layersTable, layersWords } from './summary'

const device = (index: number, name: string, over: Partial<DeviceInfo> = {}): DeviceInfo =>
  ({ index, name, dev: `8,${index}`, role: 'disk', ...over }) as DeviceInfo
const figures = (index: number, p50: number, over: Partial<SummaryDevice> = {}): SummaryDevice =>
  ({
    dev: `8,${index}`,
    bytes: { read: 0, write: 4096, discard: 0 },
    latency_ns: { q2c: { n: 2, p50, p99: 2 * p50 } },
    ...over,
  }) as unknown as SummaryDevice

const DEVICES = [
  device(0, 'md0', { role: 'stacked', kind: 'raid1', below: [1, 2] }),
  device(1, 'vda', { file_systems: [{ device: 'vda1', kind: 'ext4' }] }),
  device(2, 'vdb'),
  device(3, 'vdc'),
]
const layer = (itself: number) => ({
  requests: 2,
  bytes: 4096,
  before_ns: itself,
  below_ns: 9 * itself,
  after_ns: 0,
  layer: { p50: itself, p99: 2 * itself },
  below: { p50: 9 * itself, p99: 10 * itself },
})
const run = (letter: string, itself: number): LayersOfRun => ({
  letter,
  info: { devices: DEVICES } as unknown as TraceInfo,
  devices: [figures(0, 10 * itself, { layer: layer(itself) }), figures(1, 700), figures(2, 800), figures(3, 1)],
})
const RUNS = [run('A', 1000), run('B', 3000)]

describe('layers', () => {
  it('are the devices of stacks, members below their device', () => {
    const rows = layerDevices(RUNS)
    expect(rows.map(({ name, kind, depth }) => [name, kind, depth])).toEqual([
      ['md0', 'raid1', 0],
      ['vda', 'vda1 ext4', 1],
      ['vdb', '', 1],
    ])
    expect(rows[0]?.uses.map(use => [use?.itself?.p50, use?.below?.p99, use?.share])).toEqual([
      [1000, 10_000, 0.1],
      [3000, 30_000, 0.1],
    ])
    expect(rows[1]?.uses[0]).toEqual({ requests: 2, bytes: 4096, itself: { n: 2, p50: 700, p99: 1400 } })
  })

  it('exist only where a device lies on another one', () => {
    expect(RUNS.every(hasLayers)).toBe(true)
    expect(hasLayers({ info: { devices: [device(1, 'vda')] } as unknown as TraceInfo })).toBe(false)
  })

  it('are words and a table', () => {
    const rows = layerDevices(RUNS)
    expect(layersWords(RUNS, rows)[0]).toBe(
      'Layers of A, medians: md0 raid1 itself 1 \u00b5s, below it 9 \u00b5s, 10% of the time its own; vda vda1 ext4 700 ns; vdb 800 ns.',
    )
    expect(layersTable(RUNS, rows).rows[0]).toEqual(['md0', 'raid1', 2, 2, 4, 4, 10, 10, 1, 3, 2, 6, 9, 27, 10, 30])
  })

  it('without figures yet have rows', () => {
    const [first] = RUNS
    if (first === undefined) return
    expect(layerDevices([{ ...first, devices: undefined }]).map(({ uses }) => uses)).toEqual([
      [undefined],
      [undefined],
      [undefined],
    ])
  })
})
