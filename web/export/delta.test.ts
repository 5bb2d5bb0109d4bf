/** Differences of integers, read back by a reader of Parquet. */
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js'
import { describe, expect, it } from 'vitest'
import { deltaPacked, MAX_EXACT } from './delta'

function readBack(values: readonly number[]): readonly number[] {
  const bytes = deltaPacked(Float64Array.from(values), values.length)
  const output = new BigInt64Array(values.length)
  deltaBinaryUnpack(
    { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 },
    values.length,
    output,
  )
  return [...output].map(Number)
}

describe('differences', () => {
  it('are read back for any number of values', () => {
    for (const n of [1, 2, 31, 33, 128, 129, 130, 257, 1000]) {
      const values = Array.from({ length: n }, (_, i) => ((i * 7919) % 1000) + i * 1_000_003)
      expect(readBack(values)).toEqual(values)
    }
  })

  it('are read back at every width', () => {
    for (let bits = 0; bits <= 51; bits += 1) {
      const top = 2 ** bits
      const values = Array.from({ length: 200 }, (_, i) =>
        i % 3 === 0 ? top : i % 3 === 1 ? 0 : Math.floor(top / (i + 1)),
      )
      expect(readBack(values), `${bits} bits`).toEqual(values)
    }
    const extremes = [-MAX_EXACT, MAX_EXACT, -MAX_EXACT, 0, MAX_EXACT, MAX_EXACT, -1]
    expect(readBack(extremes)).toEqual(extremes)
  })
})
