/** `seekscope compare` for automation: matrix with the test over matched cells, Markdown, JUnit XML. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CompareDocument } from '../../../web/engine/protocol'
import { escapeMarkdown } from '../../program/markdown'
import { run } from '../../testing/run'
import { junit } from './junit'

const [A, B] = ['public/samples/idling/a', 'public/samples/idling/b']
const IDLING = ['--label', 'bfq, slice_idle 0', '--label', 'bfq, slice_idle 8 ms', A, B]
const [DEADLINE, BFQ] = ['tests/fixtures/partitions-deadline-1w', 'tests/fixtures/partitions-bfq-1w']

/** Six workloads of two kernels: the same two recordings each time. */
const SIZES = [4, 8, 16, 32, 64, 128]
const SWEEP = SIZES.flatMap(size => ['--label', `6.1 bs${size}k`, '--label', `6.12 bs${size}k`]).concat(
  SIZES.flatMap(() => [DEADLINE, BFQ]),
)

test('a matrix has the runs by their labels, and the test over matched cells', async () => {
  const { status, stdout, stderr } = await run([
    'compare',
    '--matrix',
    '--figure',
    'iops',
    '--figure',
    'd2c.mean',
    ...SWEEP,
  ])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const line of stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  const [iops = '', d2c = ''] = stdout.split(/\n\n(?=D2C)/)
  expect(iops).toMatch(/^Requests completed, 1\/s\n/)
  expect(iops.replace(/\s+/g, ' ')).toMatch(
    /6 matched cells: [06] larger, [06] smaller, \S+( to \S+)?: (better|worse) \(signed-rank test, p = 0\.0313\)\./,
  )
  expect(d2c).toMatch(/^D2C, mean, /)
})

test('the document of a matrix numbers its cells, and has all figures', async () => {
  const { status, stdout } = await run(['compare', '--matrix', '--json', ...SWEEP])
  expect(status).toBe(0)
  const { runs, rows, columns, cells, pairs, sweeps, base, figures } = JSON.parse(stdout)
  expect(runs).toHaveLength(12)
  expect(rows.length * columns.length).toBe(cells.length)
  expect(cells.flat().toSorted((a: number, b: number) => a - b)).toEqual([...Array(12).keys()])
  expect([pairs.length, sweeps.flat().length, base.at]).toEqual([6, 6, 0])
  const iops = figures.find((f: { key: string }) => f.key === 'iops')
  expect(iops.sweeps[0]).toMatchObject({ cells: 6, p: 0.03125 })
  const [baseCell, other] = pairs[0]
  expect(iops.changes[0].ratio).toBeCloseTo(iops.cells[other].mean / iops.cells[baseCell].mean)
})

test('repeats of a group share a cell', async () => {
  const { stdout } = await run([
    'compare',
    '--matrix',
    '--figure',
    'iops',
    '--group',
    'old',
    '--group',
    'old',
    '--group',
    'new',
    DEADLINE,
    DEADLINE,
    BFQ,
  ])
  expect(stdout).toMatch(/^old \(base\) +[\d.]+ \+-0\.?0* *$/m)
  expect(stdout).toMatch(/^new +[\d.]+ *$/m)
})

test('a figure that no run has is named with those there are', async () => {
  const { status, stdout, stderr } = await run(['compare', '--matrix', '--figure', 'iopz', A, B])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^seekscope: --figure: no run has iopz; use .*iops, /)
  const alone = await run(['compare', '--figure', 'iops', A, B])
  expect([alone.status, alone.stderr.split('\n')[0]]).toEqual([2, 'seekscope: --figure needs --matrix'])
})

test('Markdown has verdict, findings and the figures that differ', async () => {
  const [{ status, stdout, stderr }, json] = await Promise.all([
    run(['compare', '--markdown', ...IDLING]),
    run(['compare', '--json', ...IDLING]),
  ])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const document: CompareDocument = JSON.parse(json.stdout)
  expect(stdout).toContain(`**${escapeMarkdown(document.verdict ?? '')}**`)
  for (const { rank, sentence, code } of document.findings ?? [])
    expect(stdout).toContain(`${rank}. ${escapeMarkdown(sentence)} (\`${code}\``)
  const rows = stdout.split('\n').filter(line => line.startsWith('|'))
  for (const line of rows) expect(line.split(/(?<!\\)\|/)).toHaveLength(8)
  const real = document.figures?.filter(f => f.real).length ?? 0
  // Head and rule; totals that do not differ may be added.
  expect(rows.length - 2).toBeGreaterThanOrEqual(real)
  expect(stdout).toMatch(/\| Run time, first Q to last C \| 4\.03 s \| 7\.77 s \| \+93% \| \+59% to ×2\.34 \| worse \|/)
})

test('Markdown in labels is text', () => {
  expect(escapeMarkdown('a|b <img src=x> [l](u)\n# `c` @all')).toBe(
    'a\\|b \\<img src=x\\> \\[l\\](u) \\# \\`c\\` \\@all',
  )
})

test('JUnit XML has a test per run and name, which --fail-if agrees with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-junit-'))
  try {
    const file = join(folder, 'result.xml')
    const { status } = await run([
      'compare',
      '--junit',
      file,
      '--fail-if',
      'slower,depth-fell,alignment-lost',
      ...IDLING,
    ])
    expect(status).toBe(3)
    const xml = readFileSync(file, 'utf8')
    expect(xml).toContain('<testsuites tests="3" failures="2" skipped="0">')
    expect(xml).toContain('<testcase classname="bfq, slice_idle 8 ms" name="alignment-lost"/>')
    expect(xml).toMatch(/name="slower">\n +<failure message="bfq, slice_idle 8 ms is slower than bfq, slice_idle 0: /)
    const alone = await run(['compare', '--junit', file, ...IDLING])
    expect([alone.status, readFileSync(file, 'utf8').match(/<testcase/g)?.length]).toEqual([0, 1])
    const nowhere = await run(['compare', '--junit', join(folder, 'no/where.xml'), ...IDLING])
    expect([nowhere.status, nowhere.stderr]).toEqual([
      1,
      expect.stringMatching(/^seekscope: cannot write .+no\/where\.xml: no such file or directory\n$/),
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what is unsure is skipped in JUnit XML, and no name breaks it', () => {
  const sides = [
    { label: 'a', runs: [0] },
    { label: '<b> & "c"\u0007\ud800', runs: [1] },
  ]
  const first = {
    side: 1,
    work: { same: true, why: '', parts: [] },
    outcome: 'unsure' as const,
    verdict: 'may be slower',
    verdict_parts: [],
    threshold: 0.1,
    margin: 0.05,
    figures: [],
    findings: [],
  }
  const xml = junit({ schema: 1, runs: [], sides, baseline: 0, ...first }, [])
  expect(xml).toContain(
    'classname="&lt;b&gt; &amp; &quot;c&quot;" name="slower">\n      <skipped message="may be slower"/>',
  )
})

test('options that contradict each other, and results without a trace', async () => {
  for (const [args, words] of [
    [['--matrix', '--fail-if', 'slower'], 'choose --matrix or --fail-if'],
    [['--matrix', '--markdown'], 'choose --matrix or --markdown'],
    [['--json', '--markdown'], 'choose --json or --markdown'],
  ] as const) {
    const { status, stderr } = await run(['compare', ...args, A, B])
    expect([status, stderr.split('\n')[0]]).toEqual([2, `seekscope: ${words}`])
  }
})
