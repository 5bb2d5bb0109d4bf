/** The runs of good, bad and a commit, as the engine's judge takes them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NoiseTable } from '../../web/engine/protocol'
import type { DigestRow } from '../../web/export/digests'
import { rowsOfTraces } from '../fleet/digest'
import { type SelectedRun, selectedRuns } from '../fleet/digests'
import { UsageError } from '../program/usage'
import type { AnchorRow, AnchorSide, Journal, JournalRow } from './journal'

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
export function writeDigests(file: string, name: string, rows: readonly (readonly DigestRow[])[]): void {
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

/** The runs of a side as it was given: digests, and recordings, which are measured now. */
async function readSide(folder: string, side: AnchorSide, paths: readonly string[]): Promise<AnchorRuns> {
  const files = paths.filter(isDigest)
  const recordings = paths.filter(path => !isDigest(path))
  if (recordings.length > 0) {
    const rows = await rowsOfTraces({ paths: recordings, limited: true }, undefined)
    if (rows.length === 0) throw new UsageError(`--${side}: no recording in ${recordings.join(' ')}`)
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `given-${side}.jsonl`)
    writeDigests(file, side, [rows])
    files.push(file)
  }
  const found = await readDigests(files)
  if (found.runs.length === 0) throw new UsageError(`--${side}: no run in ${paths.join(' ')}`)
  return found
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
  const sessions = async (side: AnchorSide): Promise<readonly AnchorRuns[]> => {
    const isOfSide = (row: JournalRow): row is AnchorRow => row.kind === 'anchor' && row.side === side
    const found = [await readSide(journal.folder, side, options[side])]
    for (const { digests } of rows.filter(isOfSide))
      if (digests !== undefined) found.push(await readDigests([join(journal.folder, digests)]))
    return found
  }
  return { good: await sessions('good'), bad: await sessions('bad') }
}
