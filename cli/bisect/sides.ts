/** The runs of good, bad and a commit, as the engine's judge takes them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BisectVerdict, NoiseTable } from '../../web/engine/protocol'
import { rowsOfTraces } from '../fleet/digest'
import { type SelectedRun, selectedRuns } from '../fleet/digests'
import type { TableRow } from '../fleet/tables'
import { UsageError } from '../program/usage'
import type { AnchorRow, Journal, JournalRow } from './journal'

/** What good and bad are, and by what they are told apart. */
export interface JudgeOptions {
  /** Digests, or recordings. */
  readonly good: readonly string[]
  readonly bad: readonly string[]
  readonly figure?: string
  readonly finding?: string
  readonly device?: string
  readonly noise?: NoiseTable
}

type JudgedRun = SelectedRun['run']

/** Runs, and the checksums of their recordings. */
export interface AnchorRuns {
  readonly runs: readonly JudgedRun[]
  readonly checksums: readonly string[]
}

const isDigest = (path: string): boolean => /\.(parquet|jsonl)$/i.test(path)

/** Writes digests as `seekscope digest` does, each run with a name and a place of its own. */
export function writeDigests(file: string, name: string, rows: readonly (readonly TableRow[])[]): void {
  const lines = rows.flatMap((ofRun, i) =>
    ofRun.map(row => JSON.stringify({ ...row, run: `${name} ${i + 1}`, position: i * 1000 + Number(row.position) })),
  )
  writeFileSync(file, lines.map(line => `${line}\n`).join(''))
}

/** The runs in files of digests. Throws UsageError. */
export async function readDigests(files: readonly string[]): Promise<AnchorRuns> {
  const [runs, checksums]: [JudgedRun[], string[]] = [[], []]
  for await (const { run, rows } of selectedRuns({ files })) {
    runs.push(run)
    checksums.push(...new Set(rows.map(row => String(row.sha256))))
  }
  return { runs, checksums }
}

/**
 * The runs of a side as it was given: digests, and recordings, which are measured now. All of them go into the log, so
 * that its report can compare them.
 */
async function readSide(journal: Journal, side: BisectVerdict, paths: readonly string[]): Promise<AnchorRuns> {
  const recordings = paths.filter(path => !isDigest(path))
  const measured = recordings.length > 0 ? await rowsOfTraces({ paths: recordings, limited: true }, undefined) : []
  if (recordings.length > 0 && measured.length === 0)
    throw new UsageError(`--${side}: no recording in ${recordings.join(' ')}`)
  const runs: (readonly TableRow[])[] = measured.length > 0 ? [measured] : []
  const files = paths.filter(isDigest)
  for await (const { rows } of selectedRuns({ files })) runs.push(rows)
  if (runs.length === 0) throw new UsageError(`--${side}: no run in ${paths.join(' ')}`)
  mkdirSync(journal.folder, { recursive: true })
  writeDigests(journal.endpointFile(side), side, runs)
  return readDigests([journal.endpointFile(side)])
}

/** Sessions of good and bad, the newest last. */
export interface Anchors {
  readonly good: readonly AnchorRuns[]
  readonly bad: readonly AnchorRuns[]
}

/** Reads good and bad as they were given, and as they were measured again. Throws UsageError. */
export async function readAnchors(
  journal: Journal,
  rows: readonly JournalRow[],
  options: Pick<JudgeOptions, 'good' | 'bad'>,
): Promise<Anchors> {
  const sessions = async (side: BisectVerdict): Promise<readonly AnchorRuns[]> => {
    const isOfSide = (row: JournalRow): row is AnchorRow => row.kind === 'anchor' && row.side === side
    const found = [await readSide(journal, side, options[side])]
    for (const { digests } of rows.filter(isOfSide))
      if (digests !== undefined) found.push(await readDigests([join(journal.folder, digests)]))
    return found
  }
  return { good: await sessions('good'), bad: await sessions('bad') }
}
