/** Documents from outside: complete ones are read, all others are refused with what is wrong and what to do. */
import { describe, expect, test } from 'vitest'
import { documentKind, isDocument } from '../lib/documentKind'
import { BISECTION } from './bisection.testing'
import { bisectionTooLarge, MAX_BISECTION_BYTES, readBisection } from './document'

const read = (value: unknown) => readBisection(JSON.stringify(value), 'bisection.json')

/** The value with another one at a place. */
function changed(value: unknown, [key = '', ...rest]: readonly string[], replacement: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = rest.length > 0 ? changed(copy[key], rest, replacement) : replacement
  return copy
}

const refused = (code: string) => expect.objectContaining({ code, at: { file: 'bisection.json' } })

test('a complete document is read as it was written', () => {
  expect(read(BISECTION)).toEqual(BISECTION)
  expect(readBisection(JSON.stringify(BISECTION, undefined, 2), 'bisection.json')).toEqual(BISECTION)
})

test('text that moves the cursor or turns text around is made visible', () => {
  const { commits } = read(changed(BISECTION, ['commits', '0', 'subject'], 'a\u202eb\u001b[2J'))
  expect(commits[0]?.subject).toBe('a\\u202eb\\u001b[2J')
})

describe('a field of another type', () => {
  const level = ['commits', '0', 'evidence', '0', 'commit']
  test.each([
    [['commits'], {}],
    [['commits', '0'], null],
    [['commits', '0', 'step'], -1],
    [['commits', '0', 'runs'], 1.5],
    [['commits', '0', 'verdict'], 'ugly'],
    [['commits', '0', 'evidence'], [null]],
    [[...level, 'value'], null],
    [[...level, 'ci95'], [1]],
    [
      [...level, 'ci95'],
      [1, 2, 3],
    ],
    [
      [...level, 'ci95'],
      ['1', '2'],
    ],
    [['endpoints', '0', 'commits'], 'HEAD'],
    [['sides', '0', 'digests'], [{}]],
    [['sides'], [BISECTION.sides[0], BISECTION.sides[0], BISECTION.sides[0]]],
    [['first_bad'], 7],
    [['seconds'], '2880'],
    [['next'], [1]],
    [['mail'], Array(17).fill('')],
    [['remaining'], { length: 3 }],
    [['anchors'], [{}]],
    [['commits', '0', 'subject'], 'x'.repeat(70_000)],
  ])('%j is refused', (place, replacement) => {
    expect(() => read(changed(BISECTION, place, replacement))).toThrow(refused('bisection-damaged'))
  })

  test('a number that no double holds is refused', () => {
    const text = JSON.stringify(BISECTION).replace('"seconds":2880', '"seconds":1e999')
    expect(() => readBisection(text, 'bisection.json')).toThrow(refused('bisection-damaged'))
  })
})

test('fields that no report has are nested as deeply as they like', () => {
  const depth = 2_000_000
  const deep = JSON.stringify(BISECTION).replace('"steps"', `"more":${'['.repeat(depth)}${']'.repeat(depth)},"steps"`)
  expect(() => readBisection(deep, 'bisection.json')).toThrow(refused('bisection-damaged'))
})

test('another version, a log, a cut file and too many steps are named', () => {
  expect(() => read({ ...BISECTION, schema: 2 })).toThrow(refused('bisection-newer'))
  expect(() => readBisection(`${JSON.stringify(BISECTION).slice(0, -9)}`, 'bisection.json')).toThrow(
    refused('bisection-damaged'),
  )
  const log = `{"schema":1,"kind":"step"}\n{"schema":1,"kind":"anchor"}\n`
  expect(() => readBisection(log, 'bisection.json')).toThrow(refused('bisection-log'))
  const commits = Array(1001).fill(BISECTION.commits[0])
  expect(() => read({ ...BISECTION, commits })).toThrow(refused('bisection-too-large'))
  expect(bisectionTooLarge('bisection.json', MAX_BISECTION_BYTES + 1)).toMatchObject({ code: 'bisection-too-large' })
})

test('documents are told by their first bytes', () => {
  const text = JSON.stringify(BISECTION, undefined, 2)
  for (const head of ['{"schema":1,"kind":"bisection","', '{"schema":1,"kind":"step","time":', text.slice(0, 99)])
    expect([isDocument(head), documentKind(head)]).toEqual([true, 'bisection'])
  for (const head of ['PAR1\u0015\u0004', '{"schema":1,"run":"a"'])
    expect([isDocument(head), documentKind(head)]).toEqual([true, 'table'])
  for (const head of ['', '{}', '{"kind":"bisection"', '  8,0    3        1     0.000000000']) {
    expect(isDocument(head)).toBe(false)
  }
})
