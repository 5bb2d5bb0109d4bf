import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { scaleOf } from './scale'

it('the largest value chooses the unit as in the engine', () => {
  const path = new URL('../../parser-wasm/compare/src/notation.cases.json', import.meta.url)
  const cases: { unit: string; largest: number; per: number; name: string }[] = JSON.parse(readFileSync(path, 'utf8'))
  expect(cases.length).toBeGreaterThanOrEqual(18)
  const ascii = (name: string) => name.replace('\u00b5', 'u')
  const scales = cases.map(({ unit, largest }) => {
    const { per, unit: name } = scaleOf(unit, largest)
    return { unit, largest, per, name: ascii(name) }
  })
  expect(scales).toEqual(cases)
})
