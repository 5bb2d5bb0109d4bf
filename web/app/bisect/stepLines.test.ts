import { expect, test } from 'vitest'
import { BISECTION, level } from '../../bisect/bisection.testing'
import { axisEnd, stepLines } from './stepLines'

test('good and bad as they were given are around the commits in the order of the history', () => {
  const anchor = { schema: 1, kind: 'anchor', side: 'bad', time: '', seconds: 9, runs: 2, steps: 1 } as const
  const lines = stepLines({ ...BISECTION, anchors: [anchor] })
  expect(lines.map(({ step }) => step)).toEqual(['good', '4', '3', '1', '2', 'bad'])
  expect(lines[0]).toMatchObject({ commit: '000000000000', subject: 'given as good', main: { value: 318 } })
  expect(lines.at(-1)).toMatchObject({ subject: 'given as bad, measured again', finding: { value: 0.19 } })
  expect(lines.filter(({ isFirstBad }) => isFirstBad).map(({ step }) => step)).toEqual(['3'])
  expect(lines.map(({ mechanism }) => mechanism)).toEqual([
    '',
    'absent; Requests completed alone is undecided',
    'present',
    'present',
    '',
    '',
  ])
})

test('a commit without runs has no level, and without any figure there is no row of good or bad', () => {
  expect(stepLines(BISECTION).find(({ step }) => step === '2')).not.toHaveProperty('main')
  const commits = BISECTION.commits.filter(({ verdict }) => verdict === 'skip')
  expect(stepLines({ ...BISECTION, commits }).map(({ step }) => step)).toEqual(['2'])
})

test('the axis has room for all values and their intervals', () => {
  expect(axisEnd([level(10, 5), undefined, level(12, 1)])).toBeGreaterThan(15)
  expect(axisEnd([level(0, 0)])).toBeGreaterThan(0)
  expect(axisEnd([])).toBeGreaterThan(0)
})
