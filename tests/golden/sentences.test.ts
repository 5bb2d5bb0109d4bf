/**
 * Every finding of every recording of the tests, alone and in pairs, is a sentence: with words, without values that are
 * none, and with nothing left over where an optional part was left out.
 */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadEngine } from '../../cli/input/read/engine'
import { runsOf } from '../../cli/input/runs'
import type { CompareDocument, Comparison } from '../../web/engine/protocol'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Archives and folders of runs that are compared with each other. */
const SETS = ['tests/stories', 'tests/alone', 'tests/texts', 'tests/masks', 'tests/zones', 'public/samples'].flatMap(
  folder => readdirSync(join(root, folder)).map(name => join(root, folder, name)),
)
/** Recordings of separate things: only neighbours are compared. */
const SEPARATE = ['tests/fixtures', 'tests/tracepoints', 'tests/drivers', 'tests/found'].map(name => join(root, name))

const FAULTS: readonly (readonly [string, RegExp])[] = [
  ['is empty', /^\s*$/],
  ['has no end', /[^.]$/],
  ['has a placeholder', /[{}]/],
  ['has no number', /NaN|Infinity|undefined|null/],
  ['counts nothing of nothing', /\b0 of 0\b/],
  ['has an empty pair of brackets', /\(\s*\)/],
  ['has punctuation behind a gap', / [,.;:)]|\( /],
  ['has punctuation twice', /[,;:]\s*[,.;:)]|\.\.(?!\.)/],
  ['begins with punctuation', /^[\s,.;:)]/],
  ['has two spaces', / {2}/],
]

/** Faults of sentences, each with the recordings that the sentence is about. */
const faultsOf = (source: string, sentences: readonly string[]): readonly string[] =>
  sentences.flatMap(sentence =>
    FAULTS.filter(([, fault]) => fault.test(sentence)).map(([fault]) => `${source}: ${fault}: ${sentence}`),
  )

function sentencesOf(document: CompareDocument & Partial<Comparison>): readonly string[] {
  const { findings = [], verdict, work, alone: aloneFindings = [] } = document
  const both = [...findings, ...aloneFindings.flatMap(run => run.findings)]
  return [
    ...(verdict === undefined ? [] : [verdict]),
    ...(work === undefined ? [] : [`The work: ${work.why}.`]),
    ...both.map(({ sentence }) => sentence),
  ]
}

test('faults are found', () => {
  const faulty = [
    '',
    'Half a sentence',
    'The {name}.',
    'It took NaN.',
    '0 of 0 stripes.',
    'It (), too.',
    'A , b.',
    'A;.',
  ]
  for (const sentence of faulty) expect(faultsOf('it', [sentence]), sentence).not.toEqual([])
  expect(faultsOf('it', ['a is slower than b: 1.5 MB/s against 2 MB/s (-25%).'])).toEqual([])
})

test('every finding of every recording is a sentence', async () => {
  const { compare } = loadEngine()
  const faults: string[] = []
  let count = 0
  const check = (source: string, query: unknown) => {
    const sentences = sentencesOf(compare(JSON.stringify(query)) as CompareDocument & Partial<Comparison>)
    count += sentences.length
    faults.push(...faultsOf(source, sentences))
  }
  const read = (path: string) => runsOf({ paths: [path], limited: true }).catch(() => [])
  for (const path of [...SETS, ...SEPARATE]) {
    const runs = await read(path)
    const name = relative(root, path)
    for (const run of runs) check(`${name} ${run.label}`, { runs: [run], baseline: 0 })
    const pairs = runs.flatMap((a, i) => runs.slice(i + 1).map((b, j) => [a, b, j] as const))
    for (const [a, b] of pairs.filter(([, , distance]) => distance === 0 || SETS.includes(path))) {
      check(`${name} ${a.label} and ${b.label}`, { runs: [a, b], baseline: 0 })
      check(`${name} ${b.label} and ${a.label}`, { runs: [b, a], baseline: 0 })
    }
  }
  expect(faults).toEqual([])
  expect(count).toBeGreaterThan(500)
}, 600_000)
