/**
 * Digests of builds that were made from those of real recordings: changes are where they were put, and nowhere else.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { normal, seeded } from '../../web/fleet/changes/series.testing'
import { rowsOfTable } from '../fleet/tables'
import { ROOT, run } from '../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-builds-'))
const file = (name: string) => join(scratch, name)
afterAll(() => rmSync(scratch, { recursive: true }))

interface StoredRow {
  readonly run: string
  readonly digest: string
  readonly [column: string]: unknown
}
/** A run that requests went through unhindered, and one in which the scheduler held them back. */
let free: StoredRow
let held: StoredRow

beforeAll(async () => {
  const { stdout, status } = await run(['digest', join(ROOT, 'tests/stories/held.tar.xz')])
  expect(status).toBe(0)
  const rows: readonly StoredRow[] = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  free = rows.find(row => row.run === 'kyber-free') as StoredRow
  held = rows.find(row => row.run === 'kyber-held') as StoredRow
})

interface MadeRun {
  readonly from: StoredRow
  readonly label: string
  /** Other columns. */
  readonly columns?: Readonly<Record<string, unknown>>
  /** Factors of figures. */
  readonly factors?: Readonly<Record<string, number>>
}

/** Figures that are the same in all runs of a job. */
const FIXED = /^(?:events|bytes|merges|size|seek|interleaving|flush)/

/** A line of digests with 1 % of noise in each figure. */
function madeLine(random: () => number, index: number, { from, label, columns = {}, factors = {} }: MadeRun): string {
  const { digest, ...row } = from
  const { trace, labelSource, ...rest } = JSON.parse(digest)
  const devices = trace.devices.map((device: { figures: Record<string, number> }) => ({
    ...device,
    figures: Object.fromEntries(
      Object.entries(device.figures).map(([key, value]) => [
        key,
        value * (factors[key] ?? 1) * (FIXED.test(key) ? 1 : Math.exp(0.01 * normal(random))),
      ]),
    ),
  }))
  const made = { ...rest, label, labelSource: { ...labelSource, label }, trace: { ...trace, devices } }
  const plainColumns = Object.fromEntries(Object.entries(row).filter(([name]) => !/_(?:bins|low|high)$/.test(name)))
  const sha256 = index.toString(16).padStart(64, '0')
  return `${JSON.stringify({ ...plainColumns, ...columns, run: label, sha256, position: 0, digest: JSON.stringify(made) })}\n`
}

function write(name: string, runs: readonly MadeRun[]): string {
  const random = seeded(20)
  writeFileSync(file(name), runs.map((made, index) => madeLine(random, index, made)).join(''))
  return file(name)
}

const builds = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const REPEATS = [1, 2, 3]

interface FoundDocument {
  readonly builds: readonly string[]
  readonly dimensions: readonly string[]
  readonly tested: number
  readonly short_series: readonly number[]
  readonly runs_without_build: number
  readonly events: readonly {
    readonly previous_build: string
    readonly build: string
    readonly changes: readonly {
      readonly figure: string
      readonly ratio?: number
      readonly series: readonly {
        readonly verdict: string
        readonly ratio_low: number
        readonly ratio_high: number
        readonly fdr: number
      }[]
      readonly unchanged_series: readonly number[]
      readonly where: readonly {
        readonly dimension: string
        readonly value: string
        readonly changed: number
        readonly tested: number
      }[]
    }[]
    readonly cause?: {
      readonly findings: readonly { readonly code: string }[]
      readonly begins: readonly string[]
      readonly command: readonly string[]
    }
  }[]
}

async function found(args: readonly string[]): Promise<FoundDocument> {
  const { status, stdout, stderr } = await run(['builds', '--json', ...args])
  expect(status, stderr).toBe(0)
  return JSON.parse(stdout)
}

test('changes of 8 % and 3 % among 60 builds are found, and nothing else in any figure', async () => {
  const level = (build: number) => (build < 20 ? 1 : build < 42 ? 1.08 : 1.08 * 1.03)
  const runs = builds(60).flatMap(build =>
    REPEATS.map(repeat => ({
      from: free,
      label: `build-${build}-r${repeat}`,
      factors: { iops: level(build), 'q2c.p50': 1 / level(build) },
    })),
  )
  // Files are in no order.
  const {
    events,
    tested,
    dimensions,
    builds: names,
  } = await found(['--digests', write('two.jsonl', runs.toReversed()), '--by', 'build'])
  expect(names).toEqual(builds(60).map(String))
  expect(dimensions).toEqual([])
  expect(tested).toBeGreaterThan(12)
  const seen = events.map(({ previous_build, build, changes }) => [
    previous_build,
    build,
    changes.map(({ figure }) => figure).sort(),
  ])
  expect(seen).toEqual([
    ['19', '20', ['iops', 'q2c.p50']],
    ['41', '42', ['iops', 'q2c.p50']],
  ])
  for (const [i, ratio] of [1.08, 1.03].entries()) {
    const change = events[i]?.changes.find(({ figure }) => figure === 'iops')
    expect(change?.series[0]?.ratio_low).toBeLessThan(ratio)
    expect(change?.series[0]?.ratio_high).toBeGreaterThan(ratio)
    expect(change?.series[0]?.verdict).toBe('better')
  }
})

/** Seven machines; from build 13 of 24 on, a scheduler holds requests back on all that use bfq. */
const MACHINES = [
  ['bfq', 'ST8000'],
  ['bfq', 'ST4000'],
  ['bfq', 'SAM870'],
  ['none', 'P5800'],
  ['none', 'SN850'],
] as const
const fleetRuns = (): readonly MadeRun[] =>
  builds(24).flatMap(build =>
    MACHINES.flatMap(([scheduler, model]) =>
      REPEATS.map(repeat => ({
        from: scheduler === 'bfq' && build >= 13 ? held : free,
        label: `${model}-r${repeat}`,
        columns: { scheduler, model, build: `6.13-rc${build}`, source: `build-${build}/${model}-${repeat}.tar.xz` },
      })),
    ),
  )

test('a change of several machines is one, with those that have it, its cause and the command that compares', async () => {
  const table = write('fleet.jsonl', fleetRuns())
  const { events, dimensions, builds: names } = await found(['--digests', table, '--by', 'build'])
  expect(names.slice(8, 11)).toEqual(['6.13-rc9', '6.13-rc10', '6.13-rc11'])
  expect(dimensions).toEqual(['scheduler', 'model'])
  expect(events.map(({ build }) => build)).toEqual(['6.13-rc13'])
  const starved = events[0]?.changes.find(({ figure }) => figure === 'starved.share')
  expect(starved?.series).toHaveLength(3)
  expect(starved?.unchanged_series).toHaveLength(2)
  expect(starved?.ratio).toBeGreaterThan(30)
  expect(starved?.where).toEqual([
    { dimension: 'scheduler', value: 'bfq', changed: 3, tested: 3 },
    { dimension: 'scheduler', value: 'none', changed: 0, tested: 2 },
  ])
  const cause = events[0]?.cause
  expect(cause?.findings[0]?.code).toBe('starved-while-waiting')
  expect(cause?.begins).toContain('waiting-before-issue')
  expect(cause?.command.at(cause.command.indexOf('--where') + 1)).toMatch(
    /^build in \('6\.13-rc12', '6\.13-rc13'\) and scheduler = 'bfq' and model = '\w+'$/,
  )
  const compared = await run([...(cause?.command ?? []), '--json'])
  const document = JSON.parse(compared.stdout)
  expect(
    document.sides.map(({ label, runs }: { label: string; runs: readonly number[] }) => [label, runs.length]),
  ).toEqual([
    ['6.13-rc12', 3],
    ['6.13-rc13', 3],
  ])
  expect(document.findings[0].code).toBe('starved-while-waiting')

  const { stdout } = await run(['builds', '--digests', table, '--by', 'build'])
  for (const line of stdout.split('\n')) {
    expect(line).toMatch(/^[\x20-\x7e]*$/)
    if (!line.includes('seekscope compare')) expect(line.length).toBeLessThanOrEqual(72)
  }
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'Between build 6.13-rc12 and 6.13-rc13 on all of scheduler bfq (3 of 3), not on scheduler none (0 of 2):',
  )
  expect(stdout).toMatch(/Starved time rose x4\d\.\d, from 1\.\d+% to 5\d\.\d%, worse/)
  const markdown = await run(['builds', '--markdown', '--digests', table, '--by', 'build'])
  expect(markdown.stdout).toMatch(/^\| Starved time \| 1\.\d+% \| 5\d\.\d% \| x4\d\.\d \|/m)
})

test('series are by what is asked for, and marks in paths name builds', async () => {
  // Without the column: from `build-13/...` in the path of the recording.
  const runs = fleetRuns().map(made => ({ ...made, columns: { ...made.columns, build: undefined } }))
  const table = write('marks.jsonl', runs)
  const {
    dimensions,
    builds: names,
    events,
  } = await found(['--digests', table, '--by', 'build', '--series', 'scheduler', '--figure', 'starved.share'])
  expect(dimensions).toEqual(['scheduler'])
  expect(names).toEqual(builds(24).map(String))
  expect(events.map(({ build, changes }) => [build, changes.length])).toEqual([['13', 1]])
  const command = events[0]?.cause?.command ?? []
  expect(command.at(command.indexOf('--where') + 1)).toBe("build in ('12', '13') and scheduler = 'bfq'")
  expect(
    JSON.parse((await run([...command, '--json'])).stdout).sides.map(({ label }: { label: string }) => label),
  ).toEqual(['12', '13'])
  const some = await found(['--digests', table, '--by', 'build', '--where', "scheduler = 'none'"])
  expect(some.events).toEqual([])
  expect(some.dimensions).toEqual(['model'])
})

test('rows as Parquet, JSON lines and CSV are the changes of --json', async () => {
  const table = write('rows.jsonl', fleetRuns())
  const { events } = await found(['--digests', table, '--by', 'build', '-o', file('rows.parquet')])
  const parquet = await rowsOfTable(file('rows.parquet'))
  expect(parquet).toHaveLength(events.flatMap(({ changes }) => changes.flatMap(({ series }) => series)).length)
  expect(parquet[0]).toMatchObject({
    previous_build: '6.13-rc12',
    build: '6.13-rc13',
    scheduler: 'bfq',
    event: 0,
    kind: 'step',
  })
  expect((await run(['builds', '--digests', table, '--by', 'build', '-o', file('rows.out.jsonl')])).status).toBe(0)
  const lines = readFileSync(file('rows.out.jsonl'), 'utf8').trim().split('\n')
  expect(lines.map(line => JSON.parse(line))).toEqual(parquet)
  expect((await run(['builds', '--digests', table, '--by', 'build', '-o', file('rows.csv')])).status).toBe(0)
  const csv = readFileSync(file('rows.csv'), 'utf8').trim().split('\r\n')
  expect(csv[0]).toContain('figure,label,unit,kind,verdict,previous_build,build,')
  expect(csv).toHaveLength(parquet.length + 1)
})

test('--since leaves earlier changes out, --fail-if makes the others fail', async () => {
  const table = write('since.jsonl', fleetRuns())
  const options = ['--digests', table, '--by', 'build']
  expect((await found([...options, '--since', '6.13-rc13'])).events).toEqual([])
  const after = await run(['builds', ...options, '--since', '6.13-rc13', '--fail-if', 'worse'])
  expect(after.status, after.stderr).toBe(0)
  expect(after.stdout).toContain('No change point found.')
  const before = await run(['builds', ...options, '--since', '6.13-rc12', '--fail-if', 'worse'])
  expect(before.status).toBe(3)
  expect(before.stderr).toContain('--fail-if: Starved time is worse at build 6.13-rc13')
  expect((await run(['builds', ...options, '--fail-if', 'iops'])).status).toBe(3)
  expect(
    (await run(['builds', ...options, '--fail-if', 'flush.busy', '--figure', 'iops', '--figure', 'flush.busy'])).status,
  ).toBe(0)
})

test('what is missing is one line', async () => {
  const few = write('few.jsonl', fleetRuns().slice(0, 45))
  for (const [args, status, word] of [
    [[], 2, '--digests FILE'],
    [['--digests', few, '--by', 'nothing'], 2, '--by: no run has nothing'],
    [['--digests', few, '--by', 'build', '--series', 'nothing'], 2, '--series: no run has nothing'],
    [['--digests', few, '--by', 'build', '--figure', 'nothing'], 2, '--figure: no run has nothing'],
    [['--digests', few, '--by', 'build'], 1, 'few-builds'],
    [['--digests', few, '--by', 'build', '--where', "run = 'absent'"], 1, 'few-builds'],
    [['--digests', few, '--by', 'build', '-o', 'x.txt'], 2, '.parquet, .jsonl or .csv'],
    [['--digests', few, '--by', 'build', '--fail-if', 'slow'], 2, '--fail-if: unknown figure slow'],
    [['--digests', few, '-o', few], 2, 'is an input'],
    [['--digests', file('absent.parquet')], 2, 'no such file'],
    [['--json', '--markdown', '--digests', few], 2, 'choose --json or --markdown'],
  ] as const) {
    const finished = await run(['builds', ...args])
    expect(finished.status, finished.stderr).toBe(status)
    expect(finished.stderr).toContain(word)
    expect(finished.stderr).not.toMatch(/\n\s+at /)
  }
  const all = write('all.jsonl', fleetRuns())
  const late = await run(['builds', '--digests', all, '--by', 'build', '--since', '7.0'])
  expect([late.status, late.stderr]).toEqual([2, expect.stringContaining('--since: there is no build 7.0')])
})
