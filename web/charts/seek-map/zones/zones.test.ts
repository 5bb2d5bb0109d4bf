import { describe, expect, it } from 'vitest'
import { type DeviceZones, ZONE_KINDS, type ZoneMarks } from '../../../engine/protocol'
import { ns, sector } from '../../../lib/units'
import { createRecorder } from '../../shared/paint/recorder'
import { layOut } from '../axis/bands'
import { drawZoneMarks, drawZones, type ZoneColours, zoneLabels, zoneStep, zoneTip, zoneWords } from './zones'

const zones: DeviceZones = { sectors: sector(1000), conventional: [[sector(0), sector(1999)]] }
const colours: ZoneColours = {
  boundary: 'boundary',
  ruler: 'ruler',
  conventional: 'conventional',
  halo: 'halo',
  mark: 'mark',
  off: 'off',
}

const marks = (
  rows: readonly { kind: (typeof ZONE_KINDS)[number]; at: number; sector: number; pointer?: number }[],
): ZoneMarks => ({
  n: rows.length,
  kind: Uint8Array.from(rows, r => ZONE_KINDS.indexOf(r.kind)),
  at: Float64Array.from(rows, r => r.at),
  sector: Float64Array.from(rows, r => r.sector),
  sectors: Float64Array.from(rows, () => 0),
  pointer: Float64Array.from(rows, r => r.pointer ?? Number.NaN),
  failed: Uint8Array.from(rows, () => 0),
  counts: Float64Array.from(ZONE_KINDS, kind => rows.filter(r => r.kind === kind).length),
  exact: true,
})

describe('the ruler of zones', () => {
  it('has every zone where there is room, else every 2, 5, 10, ...', () => {
    expect([20, 12, 7, 3, 1.3, 0.5].map(tall => zoneStep(tall, 12))).toEqual([1, 1, 2, 5, 10, 50])
  })
  it('numbers zones, far enough apart, and names conventional ones', () => {
    const labels = layOut([[0, 8000]], 206).flatMap(part => zoneLabels(zones, part))
    expect(labels.map(l => l.label)).toEqual([
      'zone 0, conventional',
      'zone 1, conventional',
      'zone 2',
      'zone 3',
      'zone 4',
      'zone 5',
      'zone 6',
      'zone 7',
    ])
    const many = layOut([[0, 200_000]], 206).flatMap(part => zoneLabels(zones, part))
    for (let i = 1; i < many.length; i += 1)
      expect((many[i - 1]?.y ?? 0) - (many[i]?.y ?? 0)).toBeGreaterThanOrEqual(14)
    // A part within one zone has its number.
    expect(layOut([[3200, 3300]], 206).flatMap(part => zoneLabels(zones, part))).toMatchObject([{ label: 'zone 3' }])
  })
  it('draws boundaries, the ruler and a hatch over conventional zones', () => {
    const surface = createRecorder()
    drawZones(surface, layOut([[0, 8000]], 206), zones, 100, colours)
    const lines = new Set(surface.filled('boundary').map(([, y]) => y))
    expect(lines.size).toBe(8)
    expect(surface.filled('ruler').filter(([x]) => x === 95)).toHaveLength(4)
    expect(surface.calls.filter(c => c.name === 'stroke' && c.stroke === 'conventional')).toHaveLength(1)
  })
})

describe('marks of zones', () => {
  const scene = {
    range: { t0: ns(0), t1: ns(100) },
    width: 100,
    height: 206,
    parts: layOut([[2000, 2500]], 206),
    zones,
  }
  const all = marks([
    { kind: 'reset', at: 10, sector: 2000 },
    { kind: 'refused', at: 50, sector: 2900, pointer: 2100 },
    { kind: 'open', at: 60, sector: 7000 },
  ])
  it('are drawn within their zone; none where the zone is not on the axis', () => {
    const surface = createRecorder()
    drawZoneMarks(surface, all, scene, colours)
    const drawnIn = (colour: string) =>
      surface.calls.filter(
        c => (c.name === 'fill' || c.name === 'stroke') && (c.fill === colour || c.stroke === colour),
      )
    expect([drawnIn('mark').length > 0, drawnIn('off').length > 0]).toEqual([true, true])
    const xs = surface.calls.filter(c => c.name === 'moveTo').map(c => c.args[0] ?? 0)
    expect(Math.max(...xs)).toBeLessThan(56)
  })
  it('tell zone, action and write pointer', () => {
    const tip = zoneTip(all, scene, 50, 5, { letter: 'A', moved: 0 })
    expect(tip?.title).toBe('refused write')
    expect(tip?.rows).toContainEqual(['', 'zone', '2'])
    expect(tip?.rows).toContainEqual(['', 'write pointer', 'sector 2,100'])
    expect(zoneTip(all, scene, 90, 5, { letter: 'A', moved: 0 })).toBeUndefined()
  })
  it('are counted in words, with the reason where they are absent', () => {
    expect(zoneWords({ zones }, all)).toBe(' Zones of 500 KiB: 1 refused write, 1 zone reset and 1 zone open.')
    expect(zoneWords({ zones, absent: { zones: 'recorded without issues (D)' } }, undefined)).toContain(
      'recorded without issues (D)',
    )
    expect(zoneWords({}, undefined)).toBe('')
  })
})
