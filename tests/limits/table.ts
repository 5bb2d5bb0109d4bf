/** All cases at several times their least size, as a table: `npm run limits`. */
import { describe, expect, test } from 'vitest'
import { DOORS } from './doors'
import { allowed, measure } from './worst'

const SCALE = 8

const row = (name: string, cells: readonly (string | number)[]): string =>
  `${name.padEnd(56)}${cells.map(cell => (typeof cell === 'number' ? cell.toFixed(2) : cell).padStart(10)).join('')}\n`

describe.each(DOORS)('$name', { timeout: 1e9 }, ({ name, rule, cases }) => {
  test('costs in proportion', async () => {
    process.stdout.write(row(`\n${name}`, ['input, MB', 's', 'allowed', 'MB', 'allowed']))
    const broken: string[] = []
    for (const one of cases) {
      const { input, seconds, mb } = await measure(one, SCALE)
      const most = allowed(rule, input)
      process.stdout.write(row(one.name, [input, seconds, most.seconds, mb, most.mb]))
      if (seconds > most.seconds || mb > most.mb) broken.push(one.name)
    }
    expect(broken).toEqual([])
  })
})
