/** What is written about a run: its summary or its comparison, tests, and a link. */
import type { CompareDocument, CompareQuery, Geometry } from '../../web/engine/protocol'
import { answerOfHeld } from '../../web/fleet/shared'
import { snapshotOf } from '../../web/fleet/stored'
import { pageOfTraces, type ReadTrace, withComparison } from '../../web/share/traces'
import { comparisonsOf } from '../../web/state/comparing/comparing'
import type { StoredRun } from '../fleet/digests'
import { loadEngine } from '../input/read/engine'
import type { ComparedTrace } from '../input/runs'
import { reasonsToFail } from '../output/comparison/compare'
import { type JunitCase, junit, junitSuite } from '../output/comparison/junit'
import { summaryOutputs } from '../output/figures/figures'
import { linkOf } from '../sharing/share'
import type { MeasuredRecording } from './measure'

/** The runs that a run is compared with. */
export interface BaselineSide {
  /** Name of the side where it has several runs. */
  readonly label: string
  readonly runs: readonly StoredRun[]
}

export interface WrittenReport {
  readonly text: string
  /** JUnit XML. */
  readonly tests: string
  readonly outcome?: string
  /** The verdict, or what the run shows by itself. */
  readonly sentence?: string
  /** Reasons to fail, of those that were asked for. */
  readonly failures: readonly string[]
}

/** Findings about a single run that make one of its tests fail: what was recorded is wrong or incomplete. */
const ERROR_FINDINGS = ['requests-failed', 'events-missing'] as const

/** One side: several traces of it are repeats. The groups that recorders noted may be the same on both sides. */
const sideOf = <T extends ComparedTrace>(runs: readonly T[], label: string) =>
  runs.map(({ group: _, quiet: __, ...run }) => (runs.length > 1 ? { ...run, group: label } : run))

/** Tests of a run alone: was it read, and is what was recorded without errors. */
function testsAlone(name: string, document: CompareDocument | undefined, problems: MeasuredRecording['problems']) {
  const findings = document?.alone?.flatMap(({ findings }) => findings) ?? []
  const messages = problems.map(({ file, code, message }) => `${file}: ${code}: ${message}`)
  const cases: readonly JunitCase[] = [
    { side: name, name: 'recording', ...(messages.length > 0 && { failure: messages.join('\n') }) },
    ...ERROR_FINDINGS.map(code => {
      const sentences = findings.filter(finding => finding.code === code).map(({ sentence }) => sentence)
      return { side: name, name: code, ...(sentences.length > 0 && { failure: sentences.join('\n') }) }
    }),
  ]
  return junitSuite('seekscope publish', cases)
}

/** Throws an EngineError. */
export function writeReport(
  name: string,
  { compared, summaries, results, problems }: MeasuredRecording,
  baseline: BaselineSide,
  failIf: readonly string[],
): WrittenReport {
  const engine = loadEngine()
  const isCompared = baseline.runs.length > 0 && compared.length > 0
  if (!isCompared) {
    const [first] = compared
    const query = first && ({ runs: [first], baseline: 0 } satisfies CompareQuery)
    const document: CompareDocument | undefined = query && engine.compare(JSON.stringify(query))
    const sentence = document?.alone?.[0]?.findings[0]?.sentence
    return {
      text: summaryOutputs(summaries, { results }).text,
      tests: testsAlone(name, document, problems),
      ...(sentence !== undefined && { sentence }),
      failures: [],
    }
  }
  const runs = [...sideOf(baseline.runs, baseline.label), ...sideOf(compared, name)]
  const ask = JSON.stringify({ runs, baseline: 0 } satisfies CompareQuery)
  const document: CompareDocument = engine.compare(ask)
  const [first] = comparisonsOf(document)
  return {
    text: engine.compareText(ask),
    tests: junit(document, failIf),
    ...(first && { outcome: first.outcome, sentence: first.verdict }),
    failures: reasonsToFail(document, failIf),
  }
}

/** A run of a table of digests as the page takes it. Throws where its digest is damaged. */
function readStored({ labelSource, path, ...run }: StoredRun): ReadTrace & { free(): void } {
  const engine = loadEngine()
  const contents = { ...run, labelSource, path }
  const snapshot = snapshotOf(contents)
  const shot = new engine.Shot(JSON.stringify(snapshot))
  const device = engine.comparedDevice(JSON.stringify(run.trace))
  const { label, kernel, bench, settings } = run
  return {
    client: { query: async (kind, query) => answerOfHeld(engine, { run: contents, shot }, kind, query) as never },
    info: snapshot.info,
    label,
    ...(kernel !== undefined && { kernel }),
    bench,
    settings,
    ...(device !== undefined && { device }),
    free: () => shot.free(),
  }
}

/**
 * The smallest link of the run, compared with its baseline where it has one: size XS, or S where that is too long. The
 * baseline has what digests have. Rejects with an EngineError.
 */
export async function writeLink(
  name: string,
  { opened, compared }: MeasuredRecording,
  baseline: BaselineSide,
  { base, geometry }: { readonly base: string; readonly geometry?: Geometry },
): ReturnType<typeof linkOf> {
  const stored = baseline.runs.map(readStored)
  try {
    const side = (traces: readonly ReadTrace[], label: string) =>
      traces.length > 1 ? traces.map(trace => ({ ...trace, group: label })) : traces
    const fresh = opened.map(({ run: { group: _, ...run } }, i): ReadTrace => {
      const kernel = compared[i]?.kernel
      return { ...run, ...(kernel !== undefined && { kernel }) }
    })
    const traces = [...side(stored, baseline.label), ...side(fresh, name)]
    const page = await withComparison({ ...pageOfTraces(traces, 0), ...(geometry && { geometry }) })
    const options = { base, names: false, files: false }
    const brief = await linkOf(page, { size: 'XS', ...options })
    return brief.tooLong === undefined ? brief : await linkOf(page, { size: 'S', ...options })
  } finally {
    for (const run of stored) run.free()
  }
}
