import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatGeometry, formatSize, geometryProblem, LEVELS, parseGeometry, parseSize } from './geometry'
import { sector } from './units'

describe('sizes with their unit', () => {
  it('reads sectors, KiB and MiB', () => {
    expect(['63s', '256KiB', '1MiB', ' 64 k ', '0', '31.5KiB', '2g'].map(parseSize)).toEqual([
      63, 512, 2048, 128, 0, 63, 4194304,
    ])
  })
  it('refuses what has no unit, no number or half a sector', () => {
    for (const text of ['63', '', 'KiB', '-1s', '1.5s', '0.3KiB', '1e3s', '5 apples'])
      expect(parseSize(text)).toBeUndefined()
  })
  it('reads back every size it writes', () => {
    fc.assert(
      fc.property(fc.nat(), n => {
        expect(parseSize(formatSize(n))).toBe(n)
      }),
    )
  })
})

describe('geometry as text', () => {
  it('is what the command line takes', () => {
    expect(formatGeometry({ level: 'raid5', unit: sector(512), dataDisks: 4, start: sector(63) })).toBe(
      'unit=256KiB,disks=4,start=63s,level=raid5',
    )
    expect(parseGeometry('unit=64KiB,disks=3')).toEqual({ level: 'none', unit: 128, dataDisks: 3, start: 0 })
    expect(parseGeometry('unit=64KiB')).toEqual({ level: 'none', unit: 128, dataDisks: 1, start: 0 })
  })
  it('refuses a broken one', () => {
    for (const text of [
      '',
      'unit=0,disks=4',
      'unit=64KiB,disks=0',
      'unit=64KiB,disks=2.5',
      'unit=64KiB,disks=4,level=raid9',
    ])
      expect([parseGeometry(text), geometryProblem(text)]).toEqual([undefined, expect.any(String)])
    expect(geometryProblem('unit=64KiB,disks=4,colour=red')).toContain('colour')
    expect(geometryProblem('unit=64KiB,disks=4')).toBeUndefined()
  })
  it('round trips', () => {
    const geometry = fc.record({
      level: fc.constantFrom(...LEVELS),
      unit: fc.integer({ min: 1, max: 1 << 24 }).map(sector),
      dataDisks: fc.integer({ min: 1, max: 64 }),
      start: fc.nat().map(sector),
    })
    fc.assert(
      fc.property(geometry, g => {
        expect([parseGeometry(formatGeometry(g)), geometryProblem(formatGeometry(g))]).toEqual([g, undefined])
      }),
    )
  })
})
