import { describe, expect, it } from 'vitest'
import { callLines, layerLines } from './layers'

const sums = (requests: number) => ({ requests, bytes: requests * 4096, d2c_ns: requests * 1000 })

describe('layers in text', () => {
  it('have the time itself and below', () => {
    const spread = (p50: number) => ({ p50, p99: 4 * p50 })
    const [layer, below] = [spread(5_000), spread(45_000)]
    const lines = layerLines({
      ...{ requests: 8, bytes: 4096, before_ns: 10, below_ns: 90, after_ns: 0 },
      ...{ layer, below },
    })
    expect(lines).toEqual([
      '  layer         itself median 5 us, p99 20 us; 10% of the time',
      '                below median 45 us, p99 180 us; of 8 requests',
    ])
    expect(layerLines(undefined)).toEqual([])
  })
})

describe('calls in text', () => {
  it('are a table, with what is unknown last', () => {
    const top = Array.from({ length: 10 }, (_, i) => ({ name: `call${i}()`, ...sums(10 - i) }))
    const lines = callLines({ top, unknown: sums(45), all: sums(100) })
    expect(lines[0]).toBe('  calls         known for 55% of the requests')
    expect(lines[2]).toBe('    call0()                          10     40 KiB        10%')
    expect(lines.slice(-2)).toEqual([
      '    and 2 other calls',
      '    unknown                          45    180 KiB        45%',
    ])
    expect(lines.every(line => line.length <= 80)).toBe(true)
    expect(callLines(undefined)).toEqual([])
  })
})
