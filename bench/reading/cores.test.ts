import { expect, test } from 'vitest'
import { simulate } from './cores'

const SECTION = { read: 2, join: 0.5 }
const WORK = { start: 1, cut: 0, first: 2, sections: [SECTION, SECTION, SECTION], end: 0, figures: 1 }

test('one thread reads all sections and joins none', () => {
  expect(simulate({ ...WORK, cut: 5 }, 1)).toBe(10)
})

test('of two threads, the first one reads the second section while the other reads the third', () => {
  // It joins the first section from 3 s on, reads the second until 5.5 s, and joins the third, which arrived at 5 s.
  expect(simulate(WORK, 2)).toBe(7)
})

test('of four threads, the first one joins what three have read at once', () => {
  expect(simulate(WORK, 4)).toBe(5.5)
  expect(simulate({ ...WORK, cut: 0.5 }, 4)).toBe(6)
})

test('helpers wait while too many sections wait for their turn', () => {
  const sections = Array.from({ length: 30 }, () => ({ read: 0, join: 1 }))
  // Reading costs nothing: the joins of all sections remain, whatever is read ahead.
  expect(simulate({ ...WORK, sections }, 16)).toBe(34)
})
