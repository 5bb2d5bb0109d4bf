/** The rule of each door, with what once broke it; `npm run limits` tries everything at several times the size. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DOORS, type Door } from './doors'
import { allowed, measure, YARDSTICK_SECONDS } from './worst'

/** Longer than any case may take, of wall time. */
const KILL_MS = 50_000

describe.each(DOORS)('$name', ({ rule, cases }) => {
  test.each(cases.filter(worst => worst.always))('$name', async worst => {
    const measured = await measure(worst, 1, KILL_MS)
    const { input, seconds, mb, stderr } = measured
    const most = allowed(rule, measured)
    expect(seconds, `seconds of a processor for ${input.toFixed(2)} MB: ${stderr.slice(0, 200)}`).toBeLessThan(
      most.seconds,
    )
    expect(mb, `MB of memory for ${input.toFixed(2)} MB`).toBeLessThan(most.mb)
  })
})

test('docs/security.md promises the rules', () => {
  const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const row = ({ name, rule }: Door) =>
    [name, rule.seconds, rule.secondsPerMB, rule.mb, rule.mbPerMB.toLocaleString('en')].join(' | ')
  expect(text).toContain(`yardstick.mjs\` takes ${YARDSTICK_SECONDS} s`)
  for (const door of DOORS) expect(text).toContain(`| ${row(door)} | `)
})
