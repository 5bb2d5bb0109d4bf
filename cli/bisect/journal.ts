/**
 * The log of a bisection: a folder with `log.jsonl`, a row per step and per new measurement of good or bad, and the
 * digests of their runs, a file per row.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANCHOR, type BISECTION_SCHEMA, COMMIT, type JudgedCommit, LOGGED } from '../../web/bisect/document'
import type { BisectAnswer, BisectVerdict } from '../../web/engine/protocol'
import { absentOr, type CompleteChecks, isListOf, isObjectWith, isOneOf, isSound, isText } from '../../web/lib/checks'
import { systemWords } from '../input/find/system'
import { SetupError } from '../program/usage'
import { type BisectBounds, gitPath } from './git'

/** What all rows have. */
interface LoggedRow {
  readonly schema: typeof BISECTION_SCHEMA
  /** When it ended. */
  readonly time: string
  /** How long it took. */
  readonly seconds: number
  /** When the bisection was started that it belongs to; absent outside of one. */
  readonly start?: string
  readonly runs: number
  /** File with the digests of the runs, in the folder; absent without runs. */
  readonly digests?: string
}

export interface StepRow extends LoggedRow, Omit<JudgedCommit, 'verdict'> {
  readonly kind: 'step'
  /** `skip`: it could not be tested. */
  readonly verdict: BisectVerdict | 'skip'
  readonly bounds: BisectBounds
  /** The words after `seekscope`. */
  readonly argv: readonly string[]
}

export interface AnchorRow extends LoggedRow {
  readonly kind: 'anchor'
  readonly side: BisectVerdict
}

export type JournalRow = StepRow | AnchorRow

const BOUNDS: CompleteChecks<BisectBounds> = { bad: absentOr(isText), good: isListOf(isText) }
const STEP: CompleteChecks<StepRow> = {
  ...LOGGED,
  ...COMMIT,
  kind: isOneOf(['step']),
  bounds: isObjectWith(BOUNDS),
  argv: isListOf(isText),
}

/** What a row keeps of an answer. */
export const loggedAnswer = ({ finding, evidence, decided_by, contradicted }: BisectAnswer) => ({
  ...(finding && { finding }),
  evidence: [...evidence],
  ...(decided_by !== undefined && { decided_by }),
  contradicted,
})

export interface Journal {
  readonly folder: string
  readonly rows: readonly JournalRow[]
  /** Path for the digests of the next row. */
  readonly next: string
  /** Path for the digests of a side as the last step was given it. */
  endpointFile(side: BisectVerdict): string
  append(row: JournalRow): void
}

/** The folder of the log. Throws SetupError outside of a repository, unless one was given. */
function folderOf(state: string | undefined): string {
  const folder = state ?? gitPath('seekscope-bisect')
  if (folder === undefined)
    throw new SetupError('this is no git repository: name a directory for the log with --state DIR')
  return folder
}

/** Opens the log. Throws SetupError if it cannot be read or is damaged. */
export function openJournal(state: string | undefined): Journal {
  const folder = folderOf(state)
  const file = join(folder, 'log.jsonl')
  const attempt = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw new SetupError(`${file}: ${systemWords(error)}`)
    }
  }
  const text = attempt(() => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
  const rows = text
    .split('\n')
    .filter(Boolean)
    .map((line, i) => parsedRow(line, `${file}:${i + 1}`))
  return {
    folder,
    rows,
    next: join(folder, `${String(rows.length + 1).padStart(3, '0')}.jsonl`),
    endpointFile: side => join(folder, `given-${side}.jsonl`),
    append: row => {
      attempt(() => {
        mkdirSync(folder, { recursive: true })
        appendFileSync(file, `${JSON.stringify(row)}\n`)
      })
    },
  }
}

function parsedRow(line: string, place: string): JournalRow {
  try {
    const row: unknown = JSON.parse(line)
    if (isSound<StepRow>(row, STEP) || isSound<AnchorRow>(row, ANCHOR)) return row as JournalRow
  } catch {
    // It is no JSON.
  }
  throw new SetupError(`${place} is no row of a bisection: remove it, or name another directory with --state`)
}

/** The rows of one bisection: that which began then. */
export const rowsSince = (rows: readonly JournalRow[], start: string | undefined): readonly JournalRow[] =>
  rows.filter(row => row.start === start)
