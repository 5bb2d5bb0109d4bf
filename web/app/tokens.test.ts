/**
 * Colours by meaning: amber is starved, marks and words stand out from the ground, members of a set from each other.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  coloursIn,
  contrast,
  hueOf,
  leastDistance,
  over,
  THEMES,
  type Theme,
  tokensIn,
  VISIONS,
  type Vision,
} from '../../tests/colours'
import { ALIGNMENT_TOKENS, OBJECT_TOKENS, OP_TOKENS, PROCESS_TOKENS, SYNC_TOKENS } from '../charts/shared/paint/palette'

const MIN_MARK = 3
const MIN_TEXT = 4.5
const MIN_DISTANCE = 10

const RUNS = 'abcdefghijkl'.split('').map(letter => `run-${letter}`)
const STAGES = ['st-q2g', 'st-g2i', 'st-i2d', 'st-d2c']
/** Requests of other processes are told from the five by being grey. */
const PROCESSES = PROCESS_TOKENS.filter(token => token !== 'proc-other')

/** What is unknown is told from the others by being grey. */
const OBJECTS = OBJECT_TOKENS.filter(token => token !== 'ob-none')

/** Sets of which several members stand beside each other in one chart. */
const SETS = {
  processes: PROCESSES,
  operations: OP_TOKENS,
  stages: STAGES,
  sync: SYNC_TOKENS,
  alignment: ALIGNMENT_TOKENS,
  objects: OBJECTS,
}

/** Lines and shapes on the ground. Fills whose outline has the contrast are not in it, but their outlines are. */
const MARKS = [
  ...PROCESS_TOKENS,
  ...OP_TOKENS,
  ...ALIGNMENT_TOKENS,
  ...OBJECT_TOKENS,
  ...RUNS,
  ...['in-flight', 'waiting', 'held', 'starved-line', 'axis', 'st-i2d', 'st-d2c', 'diff-less', 'diff-more'],
  ...['accent', 'good', 'bad', 'warn'],
]

/** Words and what they stand on. */
const TEXTS = [
  ...['surface', 'page', 'sunken', 'raised'].flatMap(ground =>
    ['ink', 'ink-2', 'ink-3', 'accent', 'good', 'bad', 'warn'].map(text => [text, ground] as const),
  ),
  ...([
    ['accent-ink', 'accent'],
    ['ink', 'accent-soft'],
    ['warn', 'warn-soft'],
    ['bad', 'bad-soft'],
    ['st-ink', 'st-i2d'],
    ['st-ink', 'st-d2c'],
    ['ink', 'st-q2g'],
  ] as const),
]

const AMBER = { from: 60, to: 95, chroma: 0.08 }
const STARVED = ['starved', 'starved-line', 'starved-wash']

const valueIn = (theme: Theme) => {
  const colours = coloursIn(theme)
  return (token: string): string => {
    const value = colours.get(token)
    if (value === undefined) throw new Error(`no colour ${token}`)
    return value
  }
}

describe.each(THEMES)('%s', theme => {
  const value = valueIn(theme)

  test('amber is starved and nothing else', () => {
    const amber = [...coloursIn(theme)].filter(([, colour]) => {
      const { chroma, hue } = hueOf(colour)
      return chroma > AMBER.chroma && hue >= AMBER.from && hue <= AMBER.to
    })
    expect(amber.map(([name]) => name)).toEqual(STARVED)
  })

  test('marks stand out from the ground', () => {
    const faint = MARKS.filter(token => contrast(value(token), value('surface')) < MIN_MARK)
    expect(faint).toEqual([])
  })

  test('the waiting line stands out from the strongest wash', () => {
    expect(contrast(value('waiting'), over(value('starved-wash'), value('surface')))).toBeGreaterThan(MIN_MARK)
  })

  test('words can be read', () => {
    const faint = TEXTS.filter(([text, ground]) => contrast(value(text), value(ground)) < MIN_TEXT)
    expect(faint).toEqual([])
    // Names in the bar of this stage are dark in both themes.
    expect(contrast(value(theme === 'light' ? 'ink' : 'st-ink'), value('st-g2i'))).toBeGreaterThan(MIN_TEXT)
  })

  test.each(Object.entries(SETS))('%s are told apart, also without one kind of cones', (_, tokens) => {
    for (const vision of Object.keys(VISIONS) as Vision[])
      expect(leastDistance(tokens.map(value), vision), vision).toBeGreaterThanOrEqual(MIN_DISTANCE)
  })
})

/** Tokens with a name that is put together where it is used. */
const COMPOSED = /^(run-[a-t](-dash)?|tail-.*)$/

test('every token is used', () => {
  const root = join(import.meta.dirname, '../..')
  const sources = ['web', 'cli'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => /\.(tsx?|css|html)$/.test(file) && !/\.test\.|node_modules|generated/.test(file))
      .map(file => readFileSync(join(root, folder, file), 'utf8')),
  )
  const text = sources.join('\n')
  const unused = [...tokensIn('light').keys()].filter(
    name => !(COMPOSED.test(name) || new RegExp(`var\\(--${name}\\)|['"]-*${name}['"]`).test(text)),
  )
  expect(unused).toEqual([])
})
