import { expect, test } from 'vitest'
import { givenWay, type HeadWidths } from './givingWay'

const widths = (head: number): HeadWidths => ({
  head,
  gap: 10,
  fixed: [70, 100, 120],
  caption: { width: 240, length: 40 },
  legend: { bare: 40, words: 100, explanations: 130 },
})
/** Fixed parts with two gaps between them. */
const FIXED = 310

test('the caption gives way first, then explanations, then words', () => {
  expect(givenWay(widths(FIXED + 250 + 280))).toBe(0)
  expect(givenWay(widths(FIXED + 82 + 280))).toBe(0)
  // Less than twelve characters of the caption would be left.
  expect(givenWay(widths(FIXED + 80 + 280))).toBe(1)
  expect(givenWay(widths(FIXED + 280))).toBe(1)
  expect(givenWay(widths(FIXED + 270))).toBe(2)
  expect(givenWay(widths(FIXED + 150))).toBe(2)
  expect(givenWay(widths(FIXED + 140))).toBe(3)
  expect(givenWay(widths(100))).toBe(3)
})

test('a caption that is short is there as a whole or not at all', () => {
  const short = (head: number) => givenWay({ head, gap: 10, fixed: [70], caption: { width: 50, length: 8 } })
  expect(short(130)).toBe(0)
  expect(short(128)).toBe(1)
})

test('a head of a figure alone has nothing to give', () => {
  expect(givenWay({ head: 200, gap: 10, fixed: [120] })).toBe(0)
})
