/**
 * `seekscope compare`: runs compared, or one run explained, as text for mail, JSON, Markdown, JUnit XML or a matrix.
 */
import type {
  CompareDocument,
  CompareQuery,
  Geometry,
  NoiseTable,
  PrintedComparison,
} from '../../../web/engine/protocol'
import type { ReportForm } from '../../commands/shared/options'
import type { DigestSelection } from '../../fleet/digests'
import { groupRuns } from '../../input/groups'
import { type Engine, loadEngine } from '../../input/read/engine'
import { type ComparedTrace, runsOf } from '../../input/runs'
import { UsageError } from '../../program/usage'
import { checkBaseline, type RunArrangement, type TraceInputs } from '../../program/values'
import type { FoundResults } from '../figures/results'
import { type OutputTarget, outputTarget, print } from '../output'
import { complain, say } from '../progress'
import type { ReportedRun } from '../reports/report'

export interface ComparisonOutput {
  readonly format: 'text' | 'json' | 'markdown'
  /** A report in place of `format`. `build`: the build of the kernel, for KCIDB. */
  readonly report?: { readonly form: ReportForm; readonly build?: string }
  /** Keys of the figures of the matrix, none: the main ones; absent: no matrix. */
  readonly matrix?: readonly string[]
  /** `slower` or codes of findings that make the comparison fail. */
  readonly failIf: readonly string[]
  /** File for JUnit XML. */
  readonly junit?: string
}

export interface CompareOptions extends ComparisonOutput {
  /** Number of the stall that is compared with a quiet stretch of the same recording, from 1. */
  readonly moment?: number
  /** Noise between repeats, from `seekscope noise --json`. */
  readonly noise?: NoiseTable
  readonly digests?: DigestSelection
}

/** Maximum number of runs: each is compared with every other one. */
const MAX_RUNS = 100

/** Exit status of a comparison that `--fail-if` applies to. */
export const FAILED = 3

export async function compare(
  inputs: TraceInputs,
  arrangement: RunArrangement,
  options: CompareOptions,
): Promise<void> {
  const tests = options.junit === undefined ? undefined : outputTarget(options.junit)
  try {
    await compareInto(tests, inputs, arrangement, options)
  } catch (error) {
    if (!options.digests) throw error
    await (await import('../../fleet/digests')).blameDigest(error, options.digests)
  } finally {
    tests?.drop()
  }
}

/** The option that judges runs, for messages; absent when the comparison is only printed. */
const judgeOf = ({ failIf, report }: CompareOptions, tests: OutputTarget | undefined): string | undefined =>
  failIf.length > 0 ? '--fail-if' : tests ? '--junit' : report && '--report'

/** Results without at least two traces are printed as they are. */
async function printResults(
  results: FoundResults,
  inputs: TraceInputs,
  judge: string | undefined,
  format: CompareOptions['format'],
): Promise<void> {
  const option = judge ?? (format === 'markdown' ? '--markdown' : undefined)
  if (option) {
    complain(
      inputs.paths.join(' '),
      'needs-traces',
      `Without traces there is nothing that ${option} could judge. Give at least two traces.`,
    )
    return
  }
  const document: PrintedComparison = { schema: 1, runs: [], results: results.document }
  await print(format === 'json' ? `${JSON.stringify(document)}\n` : results.text)
}

/** `tests`: gets JUnit XML. */
async function compareInto(
  tests: OutputTarget | undefined,
  inputs: TraceInputs,
  arrangement: RunArrangement,
  options: CompareOptions,
): Promise<void> {
  const { format, matrix, noise, digests, moment } = options
  const { geometry, labels, groups, device } = arrangement
  if (moment !== undefined) {
    const found = await (await import('./moment')).momentRuns(inputs, geometry, moment)
    if (!found) return
    const runs = found.runs.map(({ group: _, ...run }, i) => ({
      ...run,
      label: labels[i] ?? run.label,
      device: device ?? found.device,
    }))
    return judgeAndPrint({ runs, baseline: 0, ...(noise && { noise }) }, undefined, tests, options)
  }
  const resultsOnly: FoundResults[] = []
  const found = await comparedRuns(inputs, geometry, digests, results => resultsOnly.push(results))
  const [results] = resultsOnly
  const judge = judgeOf(options, tests)
  if (results && found.length < 2) return printResults(results, inputs, judge, format)
  // A single run can be explained, but not judged or laid out as a matrix.
  const needsTwo = judge ?? (matrix ? '--matrix' : undefined)
  if (found.length === 0 || (found.length === 1 && needsTwo)) {
    const why = found.length === 0 ? 'No run found.' : `Only one run found, which ${needsTwo} cannot judge.`
    complain([...(digests?.files ?? []), ...inputs.paths].join(' '), 'one-run', `${why} Give at least two traces.`)
    return
  }
  checkBaseline(arrangement, found.length)
  const baseline = baselineOf(arrangement, found)
  const engine = loadEngine()
  // A matrix has cells instead of groups.
  const grouped = matrix ? [] : groupRuns(engine, found, arrangement).groups
  const runs = found.map(({ group: _, quiet: __, ...run }, i) => {
    const group = grouped[i]
    return { ...run, label: labels[i] ?? run.label, ...(group && { group }), ...(device && { device }) }
  })
  if (matrix) return printMatrix(engine, { runs, groups, labels, baseline, noise }, matrix, format === 'json')
  await judgeAndPrint({ runs, baseline, ...(noise && { noise }) }, results, tests, options)
}

/** The first run unless another one was named; the only quiet recording where an armed recorder made one. */
function baselineOf({ baseline, isBaselineChosen }: RunArrangement, runs: readonly ComparedTrace[]): number {
  const quiet = runs.flatMap((run, i) => (run.quiet ? [i] : []))
  return isBaselineChosen || quiet.length !== 1 ? baseline : (quiet[0] ?? baseline)
}

/** Compares, writes the tests, sets the exit code, and prints the comparison. */
async function judgeAndPrint(
  query: CompareQuery & { readonly runs: readonly ReportedRun[] },
  results: FoundResults | undefined,
  tests: OutputTarget | undefined,
  { format, failIf, report }: CompareOptions,
): Promise<void> {
  const ask = JSON.stringify(query)
  const engine = loadEngine()
  const printText = () => print(`${engine.compareText(ask)}${results ? `\n${results.text}` : ''}`)
  // The text does not need the document: to compare 100 runs takes a second.
  if (format === 'text' && !report && !tests && failIf.length === 0) return printText()
  const answer: CompareDocument = engine.compare(ask)
  if (tests) {
    await tests.write(Buffer.from((await import('./junit')).junit(answer, failIf)))
    tests.keep()
  }
  // Reported before the answer is printed: `head` may end the command after the first lines.
  const met = reasonsToFail(answer, failIf)
  for (const reason of met) say(`--fail-if: ${reason}`)
  if (met.length > 0) process.exitCode = FAILED
  if (report) {
    const { writeReport } = await import('../reports/report')
    const source = { document: answer, text: engine.compareText(ask), runs: query.runs }
    await print(await writeReport(source, report.form, report.build))
  } else if (format === 'json') {
    const document: PrintedComparison = { ...answer, ...(results && { results: results.document }) }
    await print(`${JSON.stringify(document)}\n`)
  } else if (format === 'markdown') await print((await import('../../program/markdown')).markdown(answer))
  else await printText()
}

/** Runs of digests first, then those of traces. */
async function comparedRuns(
  inputs: TraceInputs,
  geometry: Geometry | undefined,
  digests: DigestSelection | undefined,
  results: (found: FoundResults) => void,
): Promise<readonly ComparedTrace[]> {
  const storedRuns = digests ? await (await import('../../fleet/digests')).runsFromDigests(digests) : []
  if (storedRuns.length > MAX_RUNS)
    complain(
      digests?.files.join(' ') ?? '',
      'too-many-runs',
      `Only the first ${MAX_RUNS} are included. Select fewer with --where.`,
    )
  const room = Math.max(0, MAX_RUNS - storedRuns.length)
  const read =
    inputs.paths.length > 0 ? await runsOf({ ...inputs, most: room }, { ...(geometry && { geometry }), results }) : []
  return [...storedRuns.slice(0, MAX_RUNS), ...read]
}

interface MatrixRuns {
  readonly runs: readonly ComparedTrace[]
  readonly groups: readonly string[]
  readonly labels: readonly string[]
  readonly baseline: number
  readonly noise: NoiseTable | undefined
}

/** A group or label that was given is all that the run's place is guessed from. */
async function printMatrix(
  engine: Engine,
  { runs, groups, labels, baseline, noise }: MatrixRuns,
  keys: readonly string[],
  json: boolean,
) {
  const { chosenFigures, matrixDocument, matrixOf, matrixText } = await import('./matrix')
  const labelled = runs.map((run, i): ComparedTrace => {
    const name = groups[i] || labels[i]
    return name ? { ...run, labelSource: { label: name, folder: '' } } : run
  })
  const matrix = matrixOf(engine, labelled, baseline, noise)
  const { chosen, unknown } = chosenFigures(matrix, keys)
  if (unknown.length > 0) {
    throw new UsageError(
      `--figure: no run has ${unknown.join(', ')}; use ${matrix.figures.map(({ key }) => key).join(', ')}`,
    )
  }
  await print(
    json
      ? `${JSON.stringify({ ...matrixDocument(matrix, labelled), ...(keys.length > 0 && { figures: chosen }) })}\n`
      : matrixText(matrix, chosen),
  )
}

/** Reasons to fail: findings and verdicts that `--fail-if` names. */
export function reasonsToFail(
  { sides, more = [], ...first }: CompareDocument,
  failIf: readonly string[],
): readonly string[] {
  return [first, ...more].flatMap(({ side = 0, outcome, findings = [] }) => {
    const name = sides[side]?.label ?? ''
    const slower = outcome === 'slower' && failIf.includes('slower')
    return [
      ...(slower ? [`${name} is slower`] : []),
      ...findings.filter(f => failIf.includes(f.code)).map(f => `${name}: ${f.code}`),
    ]
  })
}
