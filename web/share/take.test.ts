/** Which attempt of a size becomes the link. */
import { describe, expect, it } from 'vitest'
import { firstThatFits, type SnapshotAttempt } from './take'

/** Step k is `lengths[k]` long; later steps are refused. */
const attempts = (lengths: readonly number[]) => {
  const tried: number[] = []
  const packed = async (step: number): Promise<SnapshotAttempt | undefined> => {
    tried.push(step)
    const length = lengths[step]
    return length === undefined
      ? undefined
      : { length, pack: async () => ({ text: 'x'.repeat(length), size: 'S', columns: step }) }
  }
  return { tried, packed }
}

describe('the first attempt that fits', () => {
  const lengths = Array.from({ length: 15 }, (_, k) => 150 - 10 * k)

  it('is found wherever it is, in six attempts at most', async () => {
    for (let wanted = 0; wanted < 15; wanted += 1) {
      const { tried, packed } = attempts(lengths)
      expect((await firstThatFits(packed, lengths[wanted] ?? 0))?.columns).toBe(wanted)
      expect(tried.length).toBeLessThanOrEqual(6)
    }
  })

  it('is the smallest one where none fits, and none where the first is refused', async () => {
    expect((await firstThatFits(attempts(lengths).packed, 3))?.columns).toBe(14)
    expect((await firstThatFits(attempts([9]).packed, 3))?.columns).toBe(0)
    expect(await firstThatFits(attempts([]).packed, 3)).toBeUndefined()
  })
})
