/** `seekscope publish`: adds a run to a folder of runs, and brings the index of them up to date. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isEngineError } from '../../web/engine/errors'
import type { CompareQuery, Geometry } from '../../web/engine/protocol'
import type { DigestRow } from '../../web/export/digests'
import { visible, visibleLine } from '../../web/lib/text/visible'
import { runsFromDigests, type StoredRun } from '../fleet/digests'
import { madeBy } from '../fleet/fleet'
import { hashOf } from '../input/find/recordings'
import { systemWords } from '../input/find/system'
import { loadEngine } from '../input/read/engine'
import { FAILED } from '../output/comparison/compare'
import { summaryOutputs } from '../output/figures/figures'
import { complain, say } from '../output/progress'
import { SetupError, UsageError } from '../program/usage'
import type { TraceInputs } from '../program/values'
import { FACT_LABELS, findBaseline, PUBLISHED, type RunLabels, readLabels } from './labels'
import { addedLabels, type MeasuredRecording, measureRecording, writeRows } from './measure'
import { placePage } from './page'
import { filesToPublish, keepRecording } from './recording'
import { writeIndex } from './reindex'
import { type BaselineSide, writeLink, writeReport } from './report'
import {
  beginRun,
  existingRun,
  type NewRunFolder,
  newRun,
  type PublishedRun,
  RUN_FILES,
  readRuns,
  runFolder,
  runNames,
} from './runs'

export interface PublishOptions {
  readonly into: string
  /** Name of the run; absent: that of the recording. */
  readonly run?: string
  /** `KEY=VALUE` each. */
  readonly labels: readonly string[]
  /** Name of a run, or `KEY=VALUE`. */
  readonly baseline?: string
  readonly failIf: readonly string[]
  readonly keepsRecording: boolean
  /** URL of a hosted page; empty: the page is placed beside the runs. */
  readonly base: string
  readonly geometry?: Geometry
}

/** Bytes of a name: file systems take 255, and the name of its archive is longer. */
const MAX_NAME_BYTES = 200
const ENDINGS = /(?:\.(?:tar|tgz|tbz2?|txz|zip|gz|bz2|xz|zst))+$/i

/** The name of a run. Throws UsageError for one that a folder cannot have. */
function nameOf(run: string | undefined, paths: readonly string[]): string {
  const name = run ?? basename(resolve(paths[0] ?? '')).replace(ENDINGS, '')
  const why =
    name === '' || name.startsWith('.')
      ? 'must not be empty or begin with a dot'
      : name.includes('/')
        ? 'must not contain /'
        : visibleLine(name) !== name
          ? 'must not contain control characters'
          : Buffer.byteLength(name) > MAX_NAME_BYTES
            ? `must have at most ${MAX_NAME_BYTES} bytes`
            : undefined
  if (why !== undefined) throw new UsageError(`--run: the name of a run ${why}: ${visibleLine(name)}`)
  return name
}

/** Reads the runs that the new one is compared with. Throws UsageError. */
async function readBaseline(
  { into, baseline }: PublishOptions,
  labels: RunLabels,
): Promise<BaselineSide & { readonly names: readonly string[] }> {
  if (baseline === undefined) return { label: '', runs: [], names: [] }
  const published = readRuns(into, runNames(into)).runs
  const found = findBaseline(baseline, labels, published).filter(({ files }) => files.includes(RUN_FILES.digest))
  if (found.length === 0)
    say(`--baseline: no other run has ${visibleLine(baseline)} and the labels of this one: not compared`)
  const runs: StoredRun[] = []
  const names: string[] = []
  for (const { run } of found) {
    try {
      runs.push(...(await readRun(join(runFolder(into, run), RUN_FILES.digest))))
      names.push(run)
    } catch (error) {
      if (!isEngineError(error) && !(error instanceof UsageError)) throw error
      say(`--baseline: ${visibleLine(run)} is left out: ${error.message}`)
    }
  }
  return { label: baseline, runs, names }
}

/** The runs of a digest that the engine takes. Throws UsageError and EngineError. */
async function readRun(file: string): Promise<readonly StoredRun[]> {
  const runs = await runsFromDigests({ files: [file] })
  for (const run of runs) loadEngine().compare(JSON.stringify({ runs: [run], baseline: 0 } satisfies CompareQuery))
  return runs
}

/** The rows with what only published ones have. */
function publishedRows(
  { rows }: MeasuredRecording,
  labels: RunLabels,
  added: Readonly<Record<string, string>>,
): readonly DigestRow[] {
  const cells = Object.fromEntries(Object.entries(labels).filter(([key]) => !FACT_LABELS.some(fact => fact === key)))
  return rows.map(row => ({ ...row, ...cells, ...added }))
}

/** Writes the files of a run. Returns the facts about it, and the reasons to fail. */
async function writeRun(
  folder: NewRunFolder,
  name: string,
  inputs: TraceInputs,
  labels: RunLabels,
  options: PublishOptions,
): Promise<{ readonly facts: PublishedRun; readonly failures: readonly string[] } | undefined> {
  const { into, keepsRecording, base, geometry, failIf } = options
  const baseline = await readBaseline(options, labels)
  const found = filesToPublish(inputs.paths, into)
  if (found.length === 0) return undefined
  const measured = await measureRecording(inputs, { name, labels, ...(geometry && { geometry }) })
  try {
    const write = (file: string, text: string) => {
      try {
        writeFileSync(join(folder.path, file), visible(text))
      } catch (error) {
        throw new SetupError(`cannot write ${join(runFolder(into, name), file)}: ${systemWords(error)}`)
      }
      return file
    }
    const { text, tests, failures, outcome, sentence } = writeReport(name, measured, baseline, failIf)
    const { opened, summaries, results, problems } = measured
    if (opened.length === 0 && problems.length === 0)
      complain(inputs.paths.join(' '), 'no-trace', 'No trace found. The run has no figures.')
    const files = [
      write(RUN_FILES.report, text),
      write(RUN_FILES.tests, tests),
      write(RUN_FILES.summary, summaryOutputs(summaries, { results }).json),
    ]
    if (opened.length > 0) {
      const { url, tooLong } = await writeLink(name, measured, baseline, { base, ...(geometry && { geometry }) })
      if (tooLong === undefined) files.push(write(RUN_FILES.link, `${url}\n`))
      else say(`${name}: no ${RUN_FILES.link}: ${tooLong}`)
    }
    const published = new Date().toISOString()
    const source = keepsRecording ? await keepRecording(inputs.paths, found, folder.path, name) : undefined
    const sum = source === undefined ? undefined : hashOf(join(folder.path, source))
    const added = {
      [PUBLISHED]: published,
      ...(source !== undefined && { source }),
      ...(sum !== undefined && { source_sha256: sum }),
      made_by: madeBy({ limited: inputs.limited, ...(geometry && { geometry }) }),
    }
    if (opened.length > 0) {
      const rows = publishedRows(measured, labels, added)
      await writeRows(join(folder.path, RUN_FILES.digest), rows, addedLabels([{ labels }]))
      files.push(RUN_FILES.digest)
    }
    if (source !== undefined) files.push(source)
    const facts = newRun({
      run: name,
      published,
      labels,
      baseline: baseline.names,
      ...(outcome !== undefined && { outcome }),
      ...(sentence !== undefined && { sentence }),
      files,
      problems: [...problems],
    })
    return { facts, failures }
  } finally {
    measured.free()
  }
}

/** Adds a run. Throws UsageError and SetupError. */
export async function publish(inputs: TraceInputs, options: PublishOptions): Promise<void> {
  const { into, base } = options
  const name = nameOf(options.run, inputs.paths)
  const labels = readLabels(options.labels)
  if (runNames(into).includes(name)) throw existingRun(into, name)
  makeFolder(into)
  if (base === '') placePage(into)
  const folder = beginRun(into, name)
  let failures: readonly string[] = []
  try {
    const written = await writeRun(folder, name, inputs, labels, options)
    if (!written) return
    folder.keep(written.facts)
    failures = written.failures
  } finally {
    folder.drop()
  }
  await reindexed(options, false)
  for (const reason of failures) say(`--fail-if: ${reason}`)
  if (failures.length > 0) process.exitCode = FAILED
}

/** Makes the index of all runs again. Throws SetupError. */
export async function reindex(options: Pick<PublishOptions, 'into' | 'base'>): Promise<void> {
  makeFolder(options.into)
  if (options.base === '') placePage(options.into)
  await reindexed(options, true)
}

function makeFolder(into: string): void {
  try {
    mkdirSync(into, { recursive: true })
  } catch (error) {
    throw new SetupError(`cannot write ${into}: ${systemWords(error)}`)
  }
}

async function reindexed({ into, base }: Pick<PublishOptions, 'into' | 'base'>, rebuild: boolean): Promise<void> {
  const { path, runs, broken } = await writeIndex(into, { rebuild, ...(base !== '' && { base }) })
  const also = broken > 0 ? `; ${broken} incomplete: see fleet.errors.parquet` : ''
  say(`${runs} ${runs === 1 ? 'run' : 'runs'} in ${path}${also}`)
}
