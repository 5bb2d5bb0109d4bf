/** The rule of each door, with what once broke it; `npm run limits` tries everything at several times the size. */
import { describe, expect, test } from 'vitest'
import { DOORS } from './doors'
import { allowed, measure } from './worst'

/** Longer than any case may take, of wall time. */
const KILL_MS = 50_000

describe.each(DOORS)('$name', ({ rule, cases }) => {
  test.each(cases.filter(one => one.always))('$name', async one => {
    const { input, seconds, mb, stderr } = await measure(one, 1, KILL_MS)
    const most = allowed(rule, input)
    expect(seconds, `seconds of a processor for ${input.toFixed(2)} MB: ${stderr.slice(0, 200)}`).toBeLessThan(
      most.seconds,
    )
    expect(mb, `MB of memory for ${input.toFixed(2)} MB`).toBeLessThan(most.mb)
  })
})
