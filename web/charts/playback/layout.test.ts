import { describe, expect, it } from 'vitest'
import { ageX, type Box, layOutStage, leastHeight, OLDEST, YOUNGEST } from './layout'

const boxesOf = (layout: ReturnType<typeof layOutStage>): readonly Box[] => [
  ...layout.runs.flatMap(({ head, bar, counters, past, strip, queue }) => [head, bar, counters, past, strip, queue]),
  layout.legend,
  ...(layout.title ? [layout.title] : []),
]

const overlap = (a: Box, b: Box) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

describe('the picture', () => {
  for (const [width, height, runs, film] of [
    [1408, 740, 2, false],
    [1240, 680, 2, true],
    [1240, 680, 4, true],
    [1240, 680, 1, true],
    [366, 560, 2, false],
    [366, 560, 4, false],
    [700, 300, 3, false],
  ] as const) {
    it(`has room for everything: ${width} x ${height}, ${runs} runs${film ? ', a film' : ''}`, () => {
      const tall = Math.max(height, leastHeight(width, runs))
      const layout = layOutStage(width, tall, runs, film)
      const boxes = boxesOf(layout)
      for (const [i, a] of boxes.entries()) {
        expect(a.x >= 0 && a.y >= 0 && a.x + a.w <= width + 1e-9 && a.y + a.h <= tall + 1e-9, JSON.stringify(a)).toBe(
          true,
        )
        for (const b of boxes.slice(i + 1))
          expect(overlap(a, b), `${JSON.stringify(a)} ${JSON.stringify(b)}`).toBe(false)
      }
      for (const { past, strip } of layout.runs)
        expect([past.w % 2, past.h >= 72, past.w > strip.w]).toEqual([0, true, true])
    })
  }
  it('places ages on a log axis', () => {
    expect([ageX(0, 104), ageX(YOUNGEST, 104), ageX(1e7, 104), ageX(OLDEST, 104), ageX(1e15, 104)]).toEqual([
      0, 0, 50, 100, 100,
    ])
  })
})
