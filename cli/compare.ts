/** Traces as the runs of a comparison. */
import type { BenchFigure, CompareDocument, CompareQuery, Digest, Geometry, NoiseTable, Setting, TraceNote } from '../web/engine/protocol'
import { formatGeometry } from '../web/lib/geometry'
import { sector } from '../web/lib/units'
import { loadEngine } from './engine'
import { complain, say } from './progress'
import type { FoundResults } from './results'
import { type LoadedTrace, ofEachTrace } from './traces'
import { checkBaseline, type RunArrangement, type TraceInputs } from './values'

/** A trace as a run of a comparison. */
export interface ComparedTrace {
  readonly label: string
  readonly kernel?: string
  /** Of its first file. */
  readonly path: string
  readonly bench: readonly BenchFigure[]
  readonly settings: readonly Setting[]
  readonly trace: Digest
}

/** Runs in the order of the paths. Without `geometry` the array is used that texts next to a trace describe. */
export async function runsOf(inputs: TraceInputs, geometry?: Geometry, results?: (found: FoundResults) => void): Promise<readonly ComparedTrace[]> {
  const use = ({ trace, notes, bench, settings, label, kernel, path }: LoadedTrace): ComparedTrace => {
    const own = geometry ?? arrayOf(notes)
    return { label, ...(kernel && { kernel }), path, bench, settings, trace: trace.query('digest', own ? { geometry: own } : {}) }
  }
  const runs = await ofEachTrace(inputs, use, results ? { results } : {})
  if (!geometry) for (const { path, trace } of runs) suggestGeometry(path, trace)
  return runs
}

/** Names a geometry that the requests of a trace suggest, unless a text next to it has one. It is never applied by itself. */
export function suggestGeometry(path: string, { devices }: Digest): void {
  for (const { dev, name, array, suggestion } of devices) {
    if (array || !suggestion?.disks) continue
    const spec = formatGeometry({
      unit: sector(suggestion.unit_sectors),
      dataDisks: suggestion.disks,
      start: sector(suggestion.start_sector),
      level: 'none',
    }).replace('level=none', 'level=...')
    say(`${path}: ${name || dev} looks striped (${Math.floor(suggestion.agreement * 100)}% agreement). To use it: --stripe ${spec}`)
  }
}

export interface CompareOptions {
  readonly json: boolean
  /** `slower` or codes of findings that make the comparison fail. */
  readonly failIf: readonly string[]
  /** What repeats differ by, from `seekscope noise --json`. */
  readonly noise?: NoiseTable
}

/** Exit status of a comparison that `--fail-if` applies to. */
const FAILED = 3

export async function compare(inputs: TraceInputs, arrangement: RunArrangement, { json, failIf, noise }: CompareOptions): Promise<void> {
  const { geometry, labels, groups, baseline, device } = arrangement
  const without: FoundResults[] = []
  const found = await runsOf(inputs, geometry, results => without.push(results))
  const [results] = without
  if (results && found.length < 2) {
    if (failIf.length > 0) {
      complain(
        inputs.paths.join(' '),
        'fail-if-needs-traces',
        'Without traces there is nothing that --fail-if could judge. Give at least two traces.',
      )
      return
    }
    process.stdout.write(json ? `${JSON.stringify({ schema: 1, runs: [], results: results.document })}\n` : results.text)
    return
  }
  if (found.length < 2) {
    complain(inputs.paths.join(' '), 'one-run', `${found.length === 1 ? 'Only one run' : 'No run'} found. Give at least two traces.`)
    return
  }
  checkBaseline(arrangement, found.length)
  const runs = found.map((run, i) => ({ ...run, label: labels[i] ?? run.label, ...(groups[i] && { group: groups[i] }), ...(device && { device }) }))
  const engine = loadEngine()
  const ask = JSON.stringify({ runs, baseline, ...(noise && { noise }) } satisfies CompareQuery)
  const answer: CompareDocument = engine.compare(ask)
  const document = { ...answer, ...(results && { results: results.document }) }
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${engine.compareText(ask)}${results ? `\n${results.text}` : ''}`)
  const met = reasonsToFail(answer, failIf)
  for (const reason of met) say(`--fail-if: ${reason}`)
  if (met.length > 0) process.exitCode = FAILED
}

/** What `--fail-if` names and a comparison shows. */
function reasonsToFail({ sides, more = [], ...first }: CompareDocument, failIf: readonly string[]): readonly string[] {
  return [first, ...more].flatMap(({ side = 0, outcome, findings = [] }) => {
    const name = sides[side]?.label ?? ''
    const slower = outcome === 'slower' && failIf.includes('slower')
    return [...(slower ? [`${name} is slower`] : []), ...findings.filter(f => failIf.includes(f.code)).map(f => `${name}: ${f.code}`)]
  })
}

/** Stripe geometry of the only array that texts next to a trace describe completely. */
export function arrayOf(notes: readonly TraceNote[]): Geometry | undefined {
  const arrays = notes.flatMap(note => note.arrays ?? [])
  const [only] = arrays
  if (!only?.level || !only.disks || arrays.some(a => JSON.stringify(a) !== JSON.stringify(only))) return undefined
  return { level: only.level, unit: sector(only.unit_sectors), dataDisks: only.disks, start: sector(0) }
}
