/**
 * All texts about inputs in one file, `texts.txt`: errors, warnings, findings and link problems with their codes,
 * and the mail about one run. Other tests look for the codes. After a change of words: `npm run golden`, then read
 * the difference.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { loadEngine } from '../../cli/input/read/engine'
import { runsOf } from '../../cli/input/runs'
import type { CompareDocument, Comparison, Warning } from '../../web/engine/protocol'
import type { SummaryTrace } from '../../web/engine/summary'
import { decodeLink } from '../../web/link/link'
import { headline, partOf } from '../../web/link/words'
import { type BadInput, TABLE } from '../bad-inputs/table'
import { STORIES } from '../conformance/stories'
import { DAMAGED } from '../links'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-bad-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Every input in a separate folder, all of them given to one run of the command. */
const paths = TABLE.map(({ name, make }, i) => {
  const folder = join(scratch, `n${i}-`)
  mkdirSync(folder)
  writeFileSync(join(folder, name), make())
  return join(folder, name)
})
const command = (...args: readonly string[]) =>
  spawnSync(process.execPath, [pathOf('../../cli/seekscope.mjs'), ...args], { encoding: 'utf8', maxBuffer: 1 << 30 })
const summarise = (inputPaths: readonly string[]) => command('summary', '--json', ...inputPaths)
const isReadByItself = ({ byItself: alone, range }: BadInput) => alone || range !== undefined
const { status, stdout, stderr } = summarise(
  paths.filter((_, i) => !TABLE.some((input, index) => index === i && isReadByItself(input))),
)
const traces = (JSON.parse(stdout) as { traces: SummaryTrace[] }).traces
const byThemselves = TABLE.flatMap(({ byItself: alone, range }, i) => {
  const path = paths[i] ?? ''
  if (range !== undefined) return command('blkparse', '--range', range, path).stderr.trimEnd()
  return alone ? summarise([path]).stderr.trimEnd() : []
})
const lines = [...byThemselves.filter(line => line !== ''), ...stderr.split('\n')]

/**
 * What the command reports of one input: its line on stderr, and the warnings of its trace. Traces come in the order of
 * their files.
 */
function reported(i: number) {
  const before = TABLE.slice(0, i).filter(input => input.events !== undefined).length
  const inputTraces = TABLE[i]?.events === undefined ? [] : traces.slice(before, before + 1)
  const printed = lines.filter(line => line.includes(`/n${i}-/`))
  return { inputTraces, printed, warnings: inputTraces.flatMap(trace => trace.quality.warnings) }
}

test('the command reports what it could not read, and ends', () => {
  expect(status).toBe(1)
  expect(TABLE.length).toBeGreaterThan(60)
  expect(traces.length).toBe(TABLE.filter(({ events }) => events !== undefined).length)
  expect(new Set(TABLE.map(({ fault }) => fault)).size).toBe(TABLE.length)
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^seekscope: \S.*: [a-z-]+: .{20}/)
})

const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((a, b) => a + b, 0)

describe('bad input', () => {
  test.each(TABLE.map((input, i) => ({ ...input, i })))('$fault', ({ i, codes, events }) => {
    const { inputTraces, printed, warnings } = reported(i)
    for (const code of codes) {
      expect(
        printed.some(line => line.includes(`: ${code}: `)) || warnings.some(w => w.code === code),
        `${code}: ${printed.join('\n')}`,
      ).toBe(true)
    }
    if (codes.length === 0) expect(printed).toEqual([])
    if (events)
      expect(inputTraces.flatMap(trace => trace.devices).reduce((n, device) => n + sum(device.events), 0)).toBe(events)
  })
})

const warningText = ({ code, message, kept, remedy }: Warning): string[] => [
  `  warning ${code}: ${message}`,
  ...(kept === undefined ? [] : [`    kept: ${kept}`]),
  ...(remedy === undefined ? [] : [`    fix: ${remedy}`]),
]

const inputTexts = () =>
  TABLE.flatMap(({ fault }, i) => {
    const { printed, warnings } = reported(i)
    const texts = [
      ...printed.map(line => `  ${line.replaceAll(`${scratch}/n${i}-/`, '')}`),
      ...warnings.flatMap(warningText),
    ]
    return texts.length === 0 ? [] : [fault, ...texts]
  })

/** One pair of each set of findings. */
async function findingTexts() {
  const { compare } = loadEngine()
  const covered = new Set<string>()
  const texts: string[] = []
  for (const story of STORIES) {
    const pairs = story.pairs.filter(([, , codes]) => !covered.has(codes.join()))
    if (pairs.length === 0) continue
    const read = await runsOf({ paths: story.paths.map(path => pathOf(`../../${path}`)), limited: true })
    const all = read.map(run => ({ ...run, label: basename(dirname(run.path)) }))
    for (const [a, b, codes] of pairs) {
      if (covered.has(codes.join())) continue
      covered.add(codes.join())
      const runs = (name: string) => {
        const exact = all.filter(run => run.label === name)
        return exact.length > 0
          ? exact
          : all.filter(run => run.label.startsWith(`${name}-`)).map(run => ({ ...run, group: name }))
      }
      const document = compare(JSON.stringify({ runs: [...runs(a), ...runs(b)], baseline: 0 })) as CompareDocument &
        Comparison
      texts.push(`${a} and ${b}: ${document.verdict}`, `  same work: ${document.work.same}: ${document.work.why}`)
      for (const { code, sentence, rule } of document.findings)
        texts.push(`  ${code}: ${sentence}`, `    rule: ${rule}`)
    }
  }
  return texts
}

/** The text for mail about a single run. */
async function runText() {
  const [run] = await runsOf({ paths: [pathOf('../alone/requests-4.tar.xz')], limited: true })
  return [
    loadEngine()
      .compareText(JSON.stringify({ runs: [run], baseline: 0 }))
      .trimEnd(),
  ]
}

const linkTexts = () => {
  const problems = DAMAGED.flatMap(({ fragment }) => decodeLink(fragment).problems)
  const texts = problems.map(
    problem => `${problem.key} (${partOf(problem.key)}): ${problem.why ?? headline([problem])}`,
  )
  return [...new Set(texts)].sort()
}

test('texts are those of texts.txt; `npm run golden` writes them anew', async () => {
  const parts = {
    'BAD INPUTS': inputTexts(),
    FINDINGS: await findingTexts(),
    'ONE RUN': await runText(),
    LINKS: linkTexts(),
  }
  const text = Object.entries(parts).map(([title, list]) => `${title}\n\n${list.join('\n')}\n`)
  await expect(text.join('\n')).toMatchFileSnapshot('texts.txt')
})
