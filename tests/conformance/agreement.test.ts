/**
 * The matrix and the table of differences never contradict each other: for every pair of recordings of a set, each
 * figure has the same verdict, ratio and interval in both. `RECORDINGS=folder` adds the recordings of another
 * folder, each of its subfolders as a set.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadEngine } from '../../cli/input/read/engine'
import { runsOf } from '../../cli/input/runs'
import type { CompareDocument, ComparedRun, Comparison, Verdict } from '../../web/engine/protocol'
import { STORIES } from './stories'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { compare, compareMatrix } = loadEngine()

const within = (folder: string) => readdirSync(folder).map(name => join(folder, name))
const RECORDING_SETS: readonly (readonly [name: string, paths: readonly string[]])[] = [
  ['fixtures', [join(ROOT, 'tests/fixtures')]],
  ...within(join(ROOT, 'tests/runs')).map(path => [basename(path), [path]] as const),
  ...STORIES.map(({ cause: known, paths }) => [known, paths.map(path => join(ROOT, path))] as const),
  ...within(join(ROOT, 'public/samples')).map(path => [`sample ${basename(path)}`, [path]] as const),
]
const { RECORDINGS } = process.env
const MORE = RECORDINGS ? within(RECORDINGS).map(path => [basename(path), [path]] as const) : []

type Sides = readonly (readonly number[])[]

/** Number of figures and verdicts that both have, after checking that all agree. `sides` are the runs of each cell. */
function expectAgreement(runs: readonly ComparedRun[], sides: Sides) {
  const pairs = sides.flatMap((_, a) => sides.flatMap((_, b) => (a === b ? [] : [[a, b] as const])))
  const began = performance.now()
  const answer = compareMatrix(JSON.stringify({ runs, cells: sides, pairs, columns: [sides.map((_, i) => i)] }))
  const took = performance.now() - began
  const verdicts: Partial<Record<Verdict, number>> = {}
  for (const [pairIndex, [a, b]] of pairs.entries()) {
    const places = [...(sides[a] ?? []), ...(sides[b] ?? [])]
    const grouped = places.map((run, i) => ({
      ...runs[run],
      label: `run ${i}`,
      group: `side ${i < (sides[a]?.length ?? 0) ? a : b}`,
    }))
    const document = compare(JSON.stringify({ runs: grouped, baseline: 0 })) as CompareDocument & Comparison
    for (const { key, verdict, ratio, ci95, application, unreliable } of document.figures) {
      const cell = answer.figures.find(figure => figure.key === key && figure.application === (application ?? false))
      const { changes = [], unreliable: lost = [] } = cell ?? {}
      const change = changes[pairIndex] ?? undefined
      expect([key, change?.verdict, change?.ratio, change?.ci95]).toEqual([
        key,
        verdict,
        verdict && ratio,
        verdict && ci95,
      ])
      expect(places.flatMap((run, i) => (lost.includes(run) ? [i] : []))).toEqual(unreliable ?? [])
      if (verdict) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
    }
  }
  return { pairs: pairs.length, verdicts, took }
}

/** Runs of folders whose names differ only in a number at the end are repeats. */
const repeats = (names: readonly string[]): Sides => [
  ...names
    .reduce(
      (groups, name, i) =>
        groups.set(name.replace(/[-_.]?(?:run)?\d+$/, ''), [
          ...(groups.get(name.replace(/[-_.]?(?:run)?\d+$/, '')) ?? []),
          i,
        ]),
      new Map<string, number[]>(),
    )
    .values(),
]

describe.each([...RECORDING_SETS, ...MORE])('%s', (name, paths) => {
  it('has the same verdicts in the matrix as in the table of differences', { timeout: 1_200_000 }, async () => {
    const found = await runsOf({ paths: [...paths], limited: true })
    const read = found.filter(run => run.trace.devices.length > 0)
    const { pairs, verdicts, took } = expectAgreement(
      read,
      read.map((_, i) => [i]),
    )
    const groups = repeats(read.map(run => basename(dirname(run.path))))
    const grouped =
      groups.some(group => group.length > 1) && groups.length > 1 ? expectAgreement(read, groups) : undefined
    expect(read.length < 2 || Object.keys(verdicts).length > 0).toBe(true)
    if (RECORDINGS)
      process.stdout.write(
        `${name}: ${read.length} runs, ${pairs} pairs in ${took.toFixed(0)} ms ${JSON.stringify(verdicts)}${grouped ? `; ${groups.length} groups, ${grouped.pairs} pairs ${JSON.stringify(grouped.verdicts)}` : ''}\n`,
      )
  })
})
