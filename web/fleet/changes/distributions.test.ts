import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { studentTail } from './distributions'

it("Student's distribution has the tail that the engine computes", () => {
  const path = new URL('../../../parser-wasm/compare/src/student.cases.json', import.meta.url)
  const cases: { t: number; freedom: number; probability: number }[] = JSON.parse(readFileSync(path, 'utf8'))
  expect(cases.length).toBeGreaterThanOrEqual(8)
  for (const { t, freedom, probability } of cases)
    expect(studentTail(t, freedom), `t ${t}, ${freedom} degrees of freedom`).toBeCloseTo(probability, 5)
})
