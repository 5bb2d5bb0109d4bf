import { describe, expect, test } from 'vitest'
import type { PrintedBisection } from '../engine/protocol'
import { ascii } from '../lib/format'
import { BISECTION, commit, level, skipped } from './bisection.testing'
import { drawnFigures, sideDigests, sideLevel } from './sides'
import { bisectionText } from './text'
import { anchorTexts, betweenText, doubtTexts, foundText, needsFindingText } from './words'

const { first_bad: _, ...UNFINISHED } = BISECTION
const [FIRST, SECOND, THIRD] = ['f1', 'f2', 'f3'].map(name => name.repeat(20))

test('what was found, or what remains', () => {
  expect(foundText(BISECTION, ascii)).toBe('bbbbbbbbbbbb is the first bad commit')
  const remaining = [FIRST, SECOND, THIRD].flatMap(name => name ?? [])
  expect(foundText({ ...UNFINISHED, remaining }, ascii)).toBe('The first bad commit is one of 3')
  const { remaining: _, ...unknown } = UNFINISHED
  expect(foundText(unknown, ascii)).toBe('The first bad commit is not known yet')
})

test('how many commits lie between both, if git told', () => {
  const between = 'Between aaaaaaaaaaaa (good) and bbbbbbbbbbbb (bad)'
  expect(betweenText(BISECTION, ascii)).toBe(`${between}, nothing in between`)
  expect(betweenText({ ...BISECTION, between: 1 }, ascii)).toBe(`${between}, 1 commit in between`)
  const { between: _, ...untold } = BISECTION
  expect(betweenText(untold, ascii)).toBe(between)
  expect(betweenText({ ...BISECTION, sides: [] }, ascii)).toBeUndefined()
})

test('names the steps that only the finding decided', () => {
  expect(needsFindingText(BISECTION)).toBe('Requests completed alone would not decide step 4: Starved time does.')
  expect(needsFindingText({ ...BISECTION, commits: [commit(1, 'c', 'bad'), skipped] })).toBeUndefined()
})

describe('what speaks against it', () => {
  test('a skipped commit changes nothing where it is outside of what remains', () => {
    const outside = ' It is outside of what remains and changes nothing.'
    expect(doubtTexts(BISECTION)).toEqual([`Step 2: ${skipped.reason}${outside}`])
    expect(doubtTexts({ ...UNFINISHED, remaining: [String(skipped.commit)] })).toEqual([`Step 2: ${skipped.reason}`])
  })

  test('a contradicted or substituted verdict, and stale sides', () => {
    const row = commit(1, 'c', 'bad')
    const [first, second] = row.evidence
    if (!first || !second) throw new Error('a commit has two figures')
    const doubtful: PrintedBisection['commits'] = [
      { ...row, contradicted: true },
      { ...row, decided_by: 1 },
      { ...row, evidence: [{ ...first, place: 'beyond-bad' }, second] },
    ]
    for (const odd of doubtful) expect(doubtTexts({ ...BISECTION, commits: [odd] })).toEqual([`Step 1: ${row.reason}`])
    expect(doubtTexts({ ...BISECTION, commits: [row] })).toEqual([])
  })
})

test('a new measurement tells how the level changed', () => {
  const anchor = {
    schema: 1,
    kind: 'anchor',
    side: 'good',
    time: '2026-11-28T10:09:08.765Z',
    seconds: 9,
    runs: 2,
  } as const
  const [before, after] = [commit(1, 'c', 'bad'), commit(3, 'b', 'bad')]
  const commits = [
    before,
    { ...after, evidence: after.evidence.map(figure => ({ ...figure, good: level(0.05, 0.01) })) },
  ]
  const measured = 'good was measured again'
  expect(anchorTexts({ ...BISECTION, commits, anchors: [{ ...anchor, steps: 2 }] }, ascii)).toEqual([
    `${measured} after step 2, at 2026-11-28 10:09:08 UTC, 2 runs. Its Starved time went from 3% to 5%.`,
  ])
  expect(anchorTexts({ ...BISECTION, commits, anchors: [{ ...anchor, steps: 0 }] }, ascii)).toEqual([
    `${measured} before the first step, at 2026-11-28 10:09:08 UTC, 2 runs.`,
  ])
})

test('sides: their levels, and the digests to compare', () => {
  const { main, finding } = drawnFigures(BISECTION)
  expect([main?.key, finding?.key]).toEqual(['iops', 'starved.share'])
  const [good] = BISECTION.sides
  if (!main || !good) throw new Error('there is a side with a figure')
  expect(sideLevel(BISECTION, good, main)?.value).toBe(309)
  expect(sideLevel(BISECTION, { side: 'good', digests: [] }, main)).toEqual(main.good)
  expect(sideDigests(BISECTION)).toHaveLength(3)
  const many = { ...good, digests: Array<string>(30).fill('{}') }
  expect(sideDigests({ ...BISECTION, sides: [many, { ...many, side: 'bad' }] })).toHaveLength(20)
  expect(sideDigests({ ...BISECTION, sides: [good, { side: 'bad', digests: [] }] })).toEqual([])
  expect(drawnFigures({ ...BISECTION, commits: [skipped] })).toEqual({})
})

test('the report is plain text, with one row per commit', () => {
  const text = bisectionText(BISECTION)
  expect(text).toMatch(/^[\n\x20-\x7e]*$/)
  expect(text.match(/^\d+ {2,}[0-9a-f]{12} /gm)).toHaveLength(BISECTION.commits.length)
  expect(text).toContain('12 runs, 1 skipped, 2,880 s.')
})
