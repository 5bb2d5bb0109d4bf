/** `seekscope builds`: change points of figures over a series of builds, from files of digests. */
import type { MatrixAnswer, MatrixQuery } from '../../web/engine/protocol'
import {
  type BuildsReport,
  type FleetFigure,
  type OverBuilds,
  reportOverBuilds,
} from '../../web/fleet/changes/overBuilds'
import { inVersionOrder } from '../../web/fleet/changes/versions'
import { columnsOfDigests } from '../fleet/digest'
import { blameDigest, type DigestSelection, type StoredRun, selectedRuns } from '../fleet/digests'
import type { TableRow } from '../fleet/tables'
import { loadEngine, readyStatistics } from '../input/read/engine'
import { complain, say } from '../output/progress'
import { UsageError } from '../program/usage'
import type { BuildsAnswer } from './answer'
import { causesOf, type KnownRun } from './causes'
import { type LabelDimensionValues, type LabelReader, labelReader, restOfLabel, seriesBy } from './labels'
import { printBuilds } from './output'
import type { BuildsOptions } from './values'

/** Number of runs per query of the engine. */
const AT_ONCE = 100
/** Maximum number of runs: the figures of each stay in memory. */
const MAX_RUNS = 50_000
/** Exit status of changes that `--fail-if` applies to. */
const FAILED = 3

/** Figures that are tested unless others are named; those of benchmarks are, too. */
const MAIN = [
  'bps',
  'read_bps',
  'write_bps',
  'iops',
  'depth.mean',
  'waiting.mean',
  'starved.share',
  'states.nobody',
  'q2c.mean',
  'q2c.p50',
  'q2c.p99',
  'd2c.mean',
  'd2c.p50',
  'd2c.p99',
  'q2d.mean',
  'q2d.p99',
  'size.issued.mean',
  'merges.q_per_d',
  'seek.issued.sequential_share',
  'seek.issued.mean_abs',
  'flush.busy',
  'sync',
]

/** The figures of all runs: the engine's, in batches. */
function createFigures() {
  const engine = loadEngine()
  const figures = new Map<
    string,
    Omit<FleetFigure, 'values'> & { readonly application: boolean; readonly values: (number | undefined)[] }
  >()
  let [batch, from, unreliable]: [StoredRun[], number, number] = [[], 0, 0]
  const flush = () => {
    const query: MatrixQuery = { runs: batch, cells: [], pairs: [], columns: [] }
    const answer: MatrixAnswer = engine.compareMatrix(JSON.stringify(query))
    for (const { key, label, unit, good, application, values, unreliable: odd } of answer.figures) {
      const figure = figures.get(key) ?? { key, label, unit, ...(good && { good }), application, values: [] }
      figures.set(key, figure)
      const left = new Set(odd)
      unreliable += odd.length
      for (const [i, value] of values.entries()) if (value !== null && !left.has(i)) figure.values[from + i] = value
    }
    from += batch.length
    batch = []
  }
  return {
    add(run: StoredRun) {
      if (batch.push(run) === AT_ONCE) flush()
    },
    finish() {
      if (batch.length > 0) flush()
      const all = [...figures.values()].map(figure => ({
        ...figure,
        values: Array.from({ length: from }, (_, i) => figure.values[i]),
      }))
      return { figures: all, unreliable }
    },
  }
}

function chosenFigures(
  all: readonly (FleetFigure & { readonly application: boolean })[],
  keys: readonly string[] | undefined,
): readonly FleetFigure[] {
  if (keys) {
    const odd = keys.filter(key => !all.some(figure => figure.key === key))
    if (odd.length > 0)
      throw new UsageError(`--figure: no run has ${odd.join(', ')}; use ${all.map(({ key }) => key).join(', ')}`)
    return keys.flatMap(key => all.find(figure => figure.key === key) ?? [])
  }
  const chosen = [
    ...all.filter(({ application }) => application),
    ...MAIN.flatMap(key => all.find(figure => figure.key === key) ?? []),
  ]
  // Figures with equal values are shown once: in runs that only read, throughput and read throughput are equal.
  const seenValues = new Set<string>()
  return chosen.filter(({ values }) => {
    const text = JSON.stringify(values)
    return !seenValues.has(text) && seenValues.add(text)
  })
}

/** Dimensions by which runs may be split into series, if the user names none. */
function candidatesOf(
  runs: readonly KnownRun[],
  columns: ReadonlyMap<string, string>,
  buildReader: LabelReader,
): readonly LabelDimensionValues[] {
  const column = (name: string): LabelDimensionValues => ({
    name,
    values: runs.map(({ row }) => labelReader(name, columns).labelOf(row)),
  })
  const model = column('model')
  const device = model.values.every(value => value !== '') ? model : column('device')
  const rest = {
    name: 'label',
    values: runs.map(({ row, build }) => restOfLabel(String(row.run ?? ''), build, buildReader)),
  }
  return [column('scheduler'), column('workload'), device, column('kernel'), rest].filter(
    ({ name }) => name !== buildReader.column,
  )
}

/** Checks the dimensions that the user named. Throws UsageError. */
function checkSeries(
  names: readonly string[] | undefined,
  runs: readonly KnownRun[],
  columns: ReadonlyMap<string, string>,
): void {
  const odd = names?.find(name => runs.every(({ row }) => labelReader(name, columns).labelOf(row) === ''))
  if (odd !== undefined)
    throw new UsageError(
      `--series: no run has ${odd}: it is neither a column nor in a label as ${odd}=NAME or ${odd}-NUMBER`,
    )
}

function placedRuns(runs: readonly KnownRun[], dimensions: readonly LabelDimensionValues[]) {
  const builds = inVersionOrder([...new Set(runs.map(({ build }) => build))])
  const places = new Map(builds.map((build, i) => [build, i]))
  const keys = new Map<string, number>()
  const series: (readonly string[])[] = []
  const placed = runs.map(({ build }, i) => {
    const values = dimensions.map(({ values }) => values[i] ?? '')
    const key = JSON.stringify(values)
    const seriesIndex = keys.get(key) ?? series.push(values) - 1
    keys.set(key, seriesIndex)
    return { build: places.get(build) ?? 0, series: seriesIndex }
  })
  return { builds, series, runs: placed }
}

/** Throws UsageError for what is neither a word of `--fail-if` nor a figure. */
function checkFailIf(names: readonly string[], figures: readonly FleetFigure[]): void {
  const odd = names.find(name => name !== 'worse' && name !== 'changed' && !figures.some(({ key }) => key === name))
  if (odd !== undefined)
    throw new UsageError(`--fail-if: unknown figure ${odd || "''"}; use worse, changed or keys of compare --json`)
}

/** Reasons to fail: changes that `--fail-if` names. */
function reasonsToFail({ labelName, input, report }: BuildsAnswer, failIf: readonly string[]): readonly string[] {
  return report.events.flatMap(event =>
    event.changes.flatMap(({ figure, found: [first] }) => {
      const { key = '', label = '', good } = input.figures[figure] ?? {}
      const worse = first && good !== undefined && first.after > first.before === (good === 'less')
      const applies = failIf.includes(key) || failIf.includes('changed') || (worse && failIf.includes('worse'))
      return applies ? [`${label} ${worse ? 'is worse' : 'changed'} at ${labelName} ${input.builds[event.index]}`] : []
    }),
  )
}

/** Drops events at or before a build. */
function eventsSince(report: BuildsReport, builds: readonly string[], since: string | undefined): BuildsReport {
  if (since === undefined) return report
  const from = builds.indexOf(since)
  if (from < 0)
    throw new UsageError(`--since: there is no build ${since}; the last ones are ${builds.slice(-5).join(', ')}`)
  return { ...report, events: report.events.filter(({ index }) => index > from) }
}

export async function builds(selection: DigestSelection, options: BuildsOptions): Promise<void> {
  try {
    await printedBuilds(selection, options)
  } catch (error) {
    await blameDigest(error, selection)
  }
}

async function printedBuilds(selection: DigestSelection, options: BuildsOptions): Promise<void> {
  const figures = createFigures()
  const rows: TableRow[] = []
  const columns = new Map(columnsOfDigests().map(({ name }) => [name.toLowerCase(), name]))
  for await (const { rows: runRows, run } of selectedRuns(selection)) {
    if (rows.length === MAX_RUNS) {
      complain(
        selection.files.join(' '),
        'too-many-runs',
        `Only the first ${MAX_RUNS} are included. Select fewer with --where.`,
      )
      break
    }
    const first: TableRow = runRows[0] ?? {}
    for (const name of Object.keys(first)) columns.set(name.toLowerCase(), name)
    // The digest is most of the row's size, and is not needed again.
    const { digest: _, settings: __, bench: ___, sizes: ____, ...row } = first
    rows.push(row)
    figures.add(run)
  }
  const measured = figures.finish()
  checkFailIf(options.failIf, measured.figures)
  const buildReader = labelReader(options.by, columns)
  const placed = rows.map(row => buildReader.labelOf(row))
  const knownRuns = rows.flatMap((row, i): readonly KnownRun[] => (placed[i] ? [{ row, build: placed[i] }] : []))
  if (knownRuns.length === 0 && rows.length > 0)
    throw new UsageError(
      `--by: no run has ${options.by}: it is no column (kernel, run, folder, ...), and no label has ${options.by}=NAME or ${options.by}-NUMBER`,
    )
  checkSeries(options.series, knownRuns, columns)
  const statistics = readyStatistics()
  const minBuilds = statistics.minBuilds()
  const dimensions = options.series
    ? options.series.map(name => ({
        name,
        values: knownRuns.map(({ row }) => labelReader(name, columns).labelOf(row)),
      }))
    : seriesBy(
        knownRuns.map(({ build }) => build),
        candidatesOf(knownRuns, columns, buildReader),
        minBuilds,
      )
  const isPlaced = placed.map(build => build !== '')
  const input: OverBuilds = {
    ...placedRuns(knownRuns, dimensions),
    dimensions: dimensions.map(({ name }) => name),
    figures: chosenFigures(measured.figures, options.figures).map(({ key, label, unit, good, values }) => ({
      key,
      label,
      unit,
      ...(good && { good }),
      values: values.filter((_, i) => isPlaced[i]),
    })),
  }
  if (input.builds.length < minBuilds) {
    const found = input.builds.length === 0 ? 'No runs' : `Only ${input.builds.length} builds by ${options.by}`
    complain(
      selection.files.join(' '),
      'few-builds',
      `${found} found. Change points need ${minBuilds} builds; for fewer, use compare.`,
    )
    return
  }
  const report = eventsSince(reportOverBuilds(statistics, input), input.builds, options.since)
  const seriesColumns = input.dimensions.flatMap(name => columns.get(name.toLowerCase()) ?? [])
  const causes = await causesOf(report, input, knownRuns, selection, buildReader, seriesColumns)
  const answer: BuildsAnswer = {
    labelName: options.by,
    input,
    report,
    causes,
    unplaced: rows.length - knownRuns.length,
    unreliable: measured.unreliable,
  }
  const met = reasonsToFail(answer, options.failIf)
  for (const reason of met) say(`--fail-if: ${reason}`)
  if (met.length > 0) process.exitCode = FAILED
  await printBuilds(answer, options)
}
