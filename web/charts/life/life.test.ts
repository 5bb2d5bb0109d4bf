import { describe, expect, it } from 'vitest'
import type { Life } from '../../engine/protocol'
import { ns, sector } from '../../lib/units'
import { lengthOf, placeLetters, stepsOf } from './steps'
import { asText, place, standing, title } from './summary'
import { placeBeside, placeWithin } from './useAnchor'

const life: Life = {
  row: 3,
  dev: '254,0',
  op: 'write',
  rwbs: 'WS',
  sector: sector(504_112),
  sectors: 8,
  pid: 510,
  process: 'dd',
  via: '254,2',
  submitCpu: 2,
  queued: ns(5_763_617_000),
  allocated: ns(5_763_733_000),
  inserted: ns(5_763_812_000),
  issued: ns(6_562_908_000),
  completed: ns(6_567_494_000),
  events: [
    {
      action: 'D',
      rwbs: 'WS',
      at: ns(6_562_908_000),
      cpu: 2,
      pid: 12,
      process: 'kworker',
      sector: sector(504_112),
      sectors: 8,
    },
  ],
  bios: [
    { sector: sector(504_112), sectors: 8, queuedAt: ns(5_763_617_000), pid: 510, process: 'dd', joined: 'first' },
  ],
  overtaken: [
    { process: 'dd', n: 81 },
    { process: 'cp', n: 80 },
  ],
  rank: 1,
}
const run = { letter: 'B', label: 'bfq', info: { devices: [{ dev: '254,0', name: 'vda', requests: 1280 }] } } as never

describe('a request', () => {
  const steps = stepsOf(life, [{ stage: 'i2d', n: 1280, mean: ns(1e6), median: ns(258_000) }])
  it('is cut into the stages that the trace has', () => {
    expect(steps.map(s => s.letter).join('')).toBe('QGIDC')
    expect(steps.map(s => s.stage)).toEqual([undefined, 'q2g', 'g2i', 'i2d', 'd2c'])
    expect(steps[3]?.took).toBe(799_096_000)
    expect(steps[3]?.median).toBe(258_000)
    expect(lengthOf(steps)).toBe(803_877_000)
    const { allocated: _, inserted: __, ...bare } = life
    expect(stepsOf(bare).map(s => s.stage)).toEqual([undefined, 'q2d', 'd2c'])
  })
  it('is summarized in words', () => {
    expect(title(life, steps)).toBe('4 KiB sync write by dd, 804 ms')
    expect(place(life, run)).toBe(
      'Sector 504,112 + 8 on vda2. pid 510; queued on cpu 2, issued from cpu 2. One bio, not merged.',
    )
    expect(standing(life, run)).toBe(
      'While it waited, 161 other requests were issued: dd 81 and cp 80. It is the slowest of the 1,280 in this run (Q2C).',
    )
    expect(standing({ ...life, overtaken: [], rank: 23 }, run)).toBe(
      'It is the 23rd slowest of the 1,280 in this run (Q2C).',
    )
  })
  it('fits into an email', () => {
    const text = asText(life, steps, run)
    for (const line of text.split('\n').slice(0, 8)) expect(line.length).toBeLessThanOrEqual(72)
    expect([...text].every(c => (c.codePointAt(0) ?? 0) < 128)).toBe(true)
    expect(text).toContain('799.096')
  })
  it('has letters that never overlap', () => {
    const xs = placeLetters(steps, 434, 12)
    for (let i = 1; i < xs.length; i += 1) expect((xs[i] ?? 0) - (xs[i - 1] ?? 0)).toBeGreaterThanOrEqual(12)
    expect(xs.at(-1)).toBeLessThanOrEqual(434)
  })
})

describe('its popover', () => {
  const size = { width: 468, height: 360 }
  const room = { width: 1440, height: 900 }
  const covers = (mark: { left: number; top: number; width: number; height: number }) => {
    const place = placeBeside(mark, size, room)
    return (
      place.left < mark.left + mark.width &&
      place.left + size.width > mark.left &&
      place.top < mark.top + mark.height &&
      place.top + size.height > mark.top
    )
  }
  it('never covers its mark, and stays on the page', () => {
    for (let x = 220; x < 1400; x += 37) {
      for (let y = 60; y < 880; y += 41) {
        const mark = { left: x, top: y, width: 30, height: 8 }
        expect(covers(mark), `${x} ${y}`).toBe(false)
        const place = placeBeside(mark, size, room)
        expect(place.left).toBeGreaterThanOrEqual(0)
        expect(place.left + size.width).toBeLessThanOrEqual(1440)
        expect(place.top + size.height).toBeLessThanOrEqual(900)
      }
    }
  })
})

it('a card that fits nowhere is shorter, and leaves its mark free', () => {
  const [size, room] = [
    { width: 1200, height: 600 },
    { width: 1440, height: 900 },
  ]
  for (const top of [150, 400, 700]) {
    const mark = { left: 700, top, width: 10, height: 10 }
    const place = placeBeside(mark, size, room)
    const height = Math.min(size.height, place.maxHeight ?? size.height)
    expect(place.top > top + 10 || place.top + height < top).toBe(true)
    expect(place.top).toBeGreaterThan(0)
    expect(place.top + height).toBeLessThan(room.height)
    expect(height).toBeGreaterThan(300)
  }
})

it('a card that was moved stays in the window', () => {
  const [size, room] = [
    { width: 600, height: 300 },
    { width: 1440, height: 900 },
  ]
  expect(placeWithin({ left: 2000, top: -50 }, size, room)).toEqual({ left: 828, top: 12 })
  expect(placeWithin({ left: 100, top: 200 }, size, room)).toEqual({ left: 100, top: 200 })
})
