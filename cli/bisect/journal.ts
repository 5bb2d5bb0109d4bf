/**
 * The log of a bisection: a folder with `log.jsonl`, a row per step and per new measurement of good or bad, and the
 * digests of their runs, a file per row.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { BisectAnswer } from '../../web/engine/protocol'
import { BISECT_PLACES, BISECT_VERDICTS } from '../../web/engine/protocol'
import { systemWords } from '../input/find/system'
import { SetupError } from '../program/usage'
import { gitPath } from './git'

const ENDS = v.pipe(v.tuple([v.number(), v.number()]), v.readonly())
const LEVEL = v.object({ runs: v.number(), value: v.number(), ci95: ENDS })
const EVIDENCE = v.object({
  key: v.string(),
  label: v.string(),
  unit: v.string(),
  of_finding: v.boolean(),
  good: LEVEL,
  bad: LEVEL,
  expected_runs: v.optional(v.number()),
  commit: v.optional(LEVEL),
  verdict: v.optional(v.picklist(BISECT_VERDICTS)),
  error: v.optional(v.number()),
  more_runs: v.optional(v.number()),
  place: v.optional(v.picklist(BISECT_PLACES)),
})
const COMMON = {
  schema: v.literal(1),
  /** When it ended. */
  time: v.string(),
  /** How long it took. */
  seconds: v.number(),
  /** When the bisection was started that it belongs to; absent outside of one. */
  start: v.optional(v.string()),
  runs: v.number(),
  /** File with the digests of the runs, in the folder; absent without runs. */
  digests: v.optional(v.string()),
}
const STEP = v.object({
  ...COMMON,
  kind: v.literal('step'),
  commit: v.optional(v.string()),
  subject: v.optional(v.string()),
  /** `skip`: it could not be tested. */
  verdict: v.picklist([...BISECT_VERDICTS, 'skip']),
  /** The line that was printed. */
  reason: v.string(),
  finding: v.optional(v.object({ code: v.string(), present: v.optional(v.boolean()) })),
  evidence: v.array(EVIDENCE),
  decided_by: v.optional(v.number()),
  contradicted: v.boolean(),
  bounds: v.object({ bad: v.optional(v.string()), good: v.array(v.string()) }),
  /** The words after `seekscope`. */
  argv: v.array(v.string()),
})
const ANCHOR = v.object({ ...COMMON, kind: v.literal('anchor'), side: v.picklist(BISECT_VERDICTS) })
const ROW = v.variant('kind', [STEP, ANCHOR])

export type StepRow = v.InferOutput<typeof STEP>
export type AnchorRow = v.InferOutput<typeof ANCHOR>
export type JournalRow = StepRow | AnchorRow
export type LoggedEvidence = StepRow['evidence'][number]
export type AnchorSide = AnchorRow['side']

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
    return v.parse(ROW, JSON.parse(line))
  } catch {
    throw new SetupError(`${place} is no row of a bisection: remove it, or name another directory with --state`)
  }
}

/** The rows of one bisection: that which began then. */
export const rowsSince = (rows: readonly JournalRow[], start: string | undefined): readonly JournalRow[] =>
  rows.filter(row => row.start === start)
