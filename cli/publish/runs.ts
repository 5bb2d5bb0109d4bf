/**
 * The folder of published runs. A run is complete when its folder has its name: it is filled under a hidden name first,
 * so an interrupted command leaves nothing that others read.
 *
 *     index.html  fleet.parquet  fleet.errors.parquet  page/
 *     runs/NAME/run.json  report.txt  summary.json  junit.xml  link.txt  digest.parquet  recording/FILE
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { visibleLine } from '../../web/lib/text/visible'
import type { FleetProblem } from '../fleet/journal'
import { readPlainText } from '../input/find/plainFile'
import { systemCode, systemWords } from '../input/find/system'
import { unfinishedFolder } from '../output/output'
import { SetupError } from '../program/usage'

/** Files of a run, by their contents, in the order in which the index lists them. */
export const RUN_FILES = {
  report: 'report.txt',
  link: 'link.txt',
  tests: 'junit.xml',
  summary: 'summary.json',
  digest: 'digest.parquet',
} as const

const FACTS = 'run.json'
/** Folder of the recording in that of a run. */
export const RECORDING = 'recording'
const RUNS = 'runs'

/** Version of `run.json`. Adding fields does not change it. */
const RUN_SCHEMA = 1
/** Bytes of `run.json`: labels, a sentence, and problems. */
const MAX_FACTS_BYTES = 4 << 20

const TEXTS = v.pipe(v.array(v.string()), v.readonly())

const RUN = v.object({
  schema: v.literal(RUN_SCHEMA),
  run: v.string(),
  /** When the run was published, ISO 8601 in UTC. Rows of the table with another time are of an earlier run. */
  published: v.pipe(v.string(), v.isoTimestamp()),
  labels: v.record(v.string(), v.string()),
  /** Runs that it was compared with. */
  baseline: TEXTS,
  /** Outcome of the comparison. */
  outcome: v.optional(v.string()),
  /** The verdict, or what the run shows by itself. */
  sentence: v.optional(v.string()),
  /** Paths in the folder of the run. */
  files: TEXTS,
  problems: v.array(v.object({ file: v.string(), code: v.string(), message: v.string() })),
})

/** Facts about a run that the index shows: `run.json`. */
export type PublishedRun = Readonly<v.InferOutput<typeof RUN>>

export const newRun = (facts: Omit<PublishedRun, 'schema'>): PublishedRun => ({ schema: RUN_SCHEMA, ...facts })

const runsFolder = (into: string): string => join(into, RUNS)
export const runFolder = (into: string, name: string): string => join(into, RUNS, name)
/** Path of a file of a run in the folder of all, with `/`. */
export const runPath = (name: string, file = ''): string => [RUNS, name, file].filter(Boolean).join('/')

/** Names of the runs in a folder, complete or not, in order. Throws SetupError. */
export function runNames(into: string): readonly string[] {
  try {
    return readdirSync(runsFolder(into), { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw new SetupError(`cannot read ${runsFolder(into)}: ${systemWords(error)}`)
  }
}

/** Reads the facts about a run. Throws an Error that says why it cannot. */
function readFacts(into: string, name: string): PublishedRun {
  let facts: unknown
  try {
    facts = JSON.parse(readPlainText(join(runFolder(into, name), FACTS), MAX_FACTS_BYTES, 'larger than 4 MiB'))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new Error(`It has no ${FACTS}.`)
    throw new Error(`${FACTS} cannot be read: ${systemWords(error)}.`)
  }
  const read = v.safeParse(RUN, facts)
  if (!read.success) throw new Error(`${FACTS} is not one of this version of Seekscope.`)
  // The folder may have been renamed.
  return { ...read.output, run: name }
}

export interface ListedRuns {
  /** In the order in which they were published. */
  readonly runs: readonly PublishedRun[]
  readonly broken: readonly FleetProblem[]
}

/** A folder that is not a complete run, for the table of errors. */
export const brokenRun = (name: string, why: string): FleetProblem => ({
  source: visibleLine(runPath(name)),
  file: visibleLine(runPath(name)),
  code: 'incomplete-run',
  message: visibleLine(`${why} Remove the folder, or publish the run again.`),
})

/** The runs with these names. */
export function readRuns(into: string, names: readonly string[]): ListedRuns {
  const runs: PublishedRun[] = []
  const broken: FleetProblem[] = []
  for (const name of names) {
    try {
      runs.push(readFacts(into, name))
    } catch (error) {
      broken.push(brokenRun(name, error instanceof Error ? error.message : String(error)))
    }
  }
  runs.sort((a, b) => (a.published === b.published ? (a.run < b.run ? -1 : 1) : a.published < b.published ? -1 : 1))
  return { runs, broken }
}

/** A run that is being written. */
export interface NewRunFolder {
  /** Its present path. */
  readonly path: string
  /** Gives it its name. Throws SetupError when there is a run of this name. */
  keep(facts: PublishedRun): void
  /** Removes it, unless it was kept. */
  drop(): void
}

/** Older unfinished folders are of commands that were killed: no recording takes a week to write. */
const MAX_UNFINISHED_MS = 7 * 24 * 3_600_000
const UNFINISHED = /^\..*\.part$/s

/** Removes what killed commands left. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder).filter(entry => UNFINISHED.test(entry))) {
    const path = join(folder, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats && Date.now() - stats.mtimeMs > MAX_UNFINISHED_MS) rmSync(path, { recursive: true, force: true })
  }
}

/** The hidden name under which something is written before it gets its name. */
export const unfinishedName = (name: string): string => `.${name}.${randomBytes(6).toString('hex')}.part`

/** Begins a run. Throws SetupError. */
export function beginRun(into: string, name: string): NewRunFolder {
  const path = join(runsFolder(into), unfinishedName(name))
  const refused = (error: unknown) => new SetupError(`cannot write ${runFolder(into, name)}: ${systemWords(error)}`)
  try {
    mkdirSync(runsFolder(into), { recursive: true })
    for (const folder of [into, runsFolder(into)]) removeUnfinished(folder)
  } catch (error) {
    throw refused(error)
  }
  const drop = unfinishedFolder(path)
  try {
    mkdirSync(path)
  } catch (error) {
    drop()
    throw refused(error)
  }
  return {
    path,
    keep(facts) {
      try {
        writeFileSync(join(path, FACTS), `${JSON.stringify(facts, undefined, 2)}\n`)
        renameSync(path, runFolder(into, name))
      } catch (error) {
        if (['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw existingRun(into, name)
        throw refused(error)
      }
    },
    drop,
  }
}

export const existingRun = (into: string, name: string): SetupError =>
  new SetupError(
    `${runFolder(into, name)} exists. Choose another name with --run, or remove that folder to replace the run`,
  )
