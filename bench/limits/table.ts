/** All cases at several times their least size, as a table: `npm run limits`. */
import { describe, expect, test } from 'vitest'
import { createTable } from '../lib/report.mjs'
import { DOORS } from './doors'
import { allowed, measure } from './worst'

const SCALE = 8

const printRow = createTable({ first: 56, width: 10 })

describe.each(DOORS)('$name', { timeout: 1e9 }, ({ name, rule, cases }) => {
  test('costs in proportion', async () => {
    printRow(`\n${name}`, ['input, MB', 's', 'allowed', 'MB', 'allowed'])
    const broken: string[] = []
    for (const worst of cases) {
      const measured = await measure(worst, SCALE)
      const { input, seconds, mb } = measured
      const most = allowed(rule, measured)
      printRow(
        worst.name,
        [input, seconds, most.seconds, mb, most.mb].map(value => value.toFixed(2)),
      )
      if (seconds > most.seconds || mb > most.mb) broken.push(worst.name)
    }
    expect(broken).toEqual([])
  })
})
