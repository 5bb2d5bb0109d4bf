import { describe, expect, it } from 'vitest'
import type { Life, RequestLayers } from '../../engine/protocol'
import type { Run } from '../../state/types'
import { deviceLinks, layerRows, layersPlace, layersText, layersTitle, spanOf, ticksOf } from './layers'

const run = {
  info: {
    devices: [
      { index: 0, name: 'md0' },
      { index: 1, name: 'vda' },
      { index: 2, name: 'vdb' },
    ],
  },
} as unknown as Run

const common = { op: 'write', rwbs: 'WS', sectors: 8, submitCpu: 1, internal: 0, otherParents: 0 }
const layers = {
  leftOut: 0,
  requests: [
    {
      ...common,
      role: 'top',
      depth: 0,
      row: 4,
      device: 0,
      sector: 100,
      pid: 7,
      process: 'third',
      queued: 0,
      completed: 1_000_000,
      belowFrom: 200_000,
      belowTo: 900_000,
      internal: 1,
    },
    ...[1, 2].map(device => ({
      ...common,
      role: 'member',
      depth: 1,
      row: 4 + device,
      device,
      sector: 110,
      pid: 3,
      process: 'md0_raid1',
      queued: 200_000,
      issued: 300_000,
      completed: 900_000,
    })),
  ],
} as unknown as RequestLayers
const life = { events: [], bios: [{}] } as unknown as Life

describe('the layers of a request', () => {
  it('have a row each, and one for the time before the members', () => {
    const rows = layerRows(layers, run, { row: 5, process: 'third', pid: 7 })
    expect(rows.map(({ name, depth, took, isChosen }) => [name, depth, took, isChosen])).toEqual([
      ['md0', 0, 1_000_000, false],
      ['in md0 before its members', 1, 200_000, false],
      ['vda', 1, 700_000, true],
      ['vdb', 1, 700_000, false],
    ])
    expect(spanOf(rows)).toEqual({ from: 0, to: 1_000_000 })
    expect(layersText(rows)).toContain('  vda: 700 \u00b5s (held 100 \u00b5s, D2C 600 \u00b5s)')
  })
  it('lie below the call that waited for them', () => {
    const call = { name: 'write()', begin: -100_000, end: 1_640_000 } as unknown as NonNullable<Life['call']>
    const rows = layerRows(layers, run, { row: 5, process: 'third', pid: 7, call })
    expect(rows.slice(0, 2).map(({ name, depth, took }) => [name, depth, took])).toEqual([
      ['write()', 0, 1_740_000],
      ['md0', 1, 1_000_000],
    ])
    expect(spanOf(rows)).toEqual({ from: -100_000, to: 1_640_000 })
  })
  it('are told in words', () => {
    expect(layersTitle(layers, run)).toBe('4 KiB write, 1 ms in md0')
    expect(layersPlace(layers, run, life)).toBe(
      'Its 2 parts on vda and vdb came from md0_raid1, not from the program: the submitter, third, is taken from the top. Not merged, no requeue.',
    )
    expect(deviceLinks(layers, run)).toEqual([
      { role: 'device', words: 'md0, sector 100' },
      { role: 'on', words: 'vda + vdb, sector 110' },
    ])
  })
  it('have an axis of round times', () => {
    expect(ticksOf(1_800_000)).toEqual([0, 500_000, 1_000_000, 1_500_000])
  })
})
