/**
 * Journal of a fleet: the rows of each recording, on disk until the table is written. One line of JSON per recording,
 * next to the table (`fleet.parquet.journal`), so that a stopped command resumes from it. It begins with the rows of
 * an earlier table. The last line may be incomplete after a crash; it is discarded.
 */
import { closeSync, constants, existsSync, fstatSync, ftruncateSync, lstatSync, readSync, rmSync } from 'node:fs'
import * as v from 'valibot'
import {
  byOrder,
  DIGESTS_SCHEMA,
  type DigestRow,
  orderOf,
  type RowOrder,
  SOURCE_COLUMNS,
} from '../../web/export/digests'
import { openPlain } from '../input/find/plainFile'
import { systemCode, systemWords } from '../input/find/system'
import { say } from '../output/progress'
import { writeFully } from '../output/write'
import { SetupError } from '../program/usage'
import { columnsOfDigests } from './digest'
import { rowsOfTable, type TableRow } from './tables'

/** A problem of a recording: a row of the table of errors. */
export interface FleetProblem {
  readonly source: string
  readonly file: string
  readonly code: string
  readonly message: string
}

/** The rows and problems of a recording. `sha256` is the result of `hashOf`; empty if it has none. */
export interface ReadRecording {
  readonly source: string
  readonly sha256: string
  readonly rows: readonly DigestRow[]
  readonly problems: readonly FleetProblem[]
}

/** A line of the journal. `made`: what read it, with which options; absent: not known. */
type JournalRecording = ReadRecording & { readonly made?: string }

/** Position of a recording's line, and what is needed to sort its rows without reading them. */
interface JournalLine {
  readonly source: string
  readonly start: number
  readonly length: number
  readonly sha256: string
  readonly made: string | undefined
  readonly orders: readonly RowOrder[]
  readonly runs: number
  readonly problems: readonly FleetProblem[]
}

export interface FleetJournal {
  /** SHA-256 of a recording whose rows are known, and would be the same again. */
  hashOf(source: string): string | undefined
  add(recording: ReadRecording): void
  /** All rows in the order of the table, in groups of `rows`. */
  groups(rows: number): Generator<readonly DigestRow[]>
  /** Problems by recording, with the hash and options that show next time that nothing has changed. */
  problems(): readonly (FleetProblem & { readonly source_sha256: string; readonly made_by: string | undefined })[]
  runs(): number
  close(): void
  /** Removes the journal once the table is written. */
  remove(): void
}

const PIECE = 1 << 20

/** Lines of a file with the byte at which each begins; what follows the last line end is left out. */
function* linesOf(fd: number): Generator<{ readonly start: number; readonly bytes: Buffer }> {
  const piece = Buffer.alloc(PIECE)
  let [rest, start, offset]: [Buffer, number, number] = [Buffer.alloc(0), 0, 0]
  for (let n = readSync(fd, piece, 0, PIECE, offset); n > 0; n = readSync(fd, piece, 0, PIECE, offset)) {
    offset += n
    rest = Buffer.concat([rest, piece.subarray(0, n)])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield { start, bytes: rest.subarray(0, end) }
      start += end + 1
      rest = rest.subarray(end + 1)
    }
  }
}

const PROBLEM = v.object({ source: v.string(), file: v.string(), code: v.string(), message: v.string() })
const RECORDING = v.object({
  source: v.string(),
  sha256: v.string(),
  made: v.optional(v.string()),
  rows: v.array(v.custom<DigestRow>(isDigestRow)),
  problems: v.array(PROBLEM),
})

/** The recording of a line; absent for one that is damaged. */
function recordingOf(bytes: Buffer): JournalRecording | undefined {
  try {
    const read = v.safeParse(RECORDING, JSON.parse(bytes.toString()))
    return read.success ? (read.output as JournalRecording) : undefined
  } catch {
    return undefined
  }
}

const indexed = (
  { source, sha256, made, rows, problems }: JournalRecording,
  start: number,
  length: number,
): JournalLine => ({
  source,
  start,
  length,
  sha256,
  made,
  problems,
  orders: rows.map(orderOf),
  runs: new Set(rows.map(row => `${row.trace}\n${row.run}\n${row.position}`)).size,
})

/** The columns of the table of a fleet. */
export const fleetColumns = () => [...columnsOfDigests(), ...SOURCE_COLUMNS]

const isNumber = (cell: unknown): cell is number => typeof cell === 'number' && Number.isFinite(cell)

/** Whether a cell has the type of its column. */
function isCell(type: string, cell: unknown): boolean {
  if (cell === undefined) return true
  if (type === 'LIST') return Array.isArray(cell) && cell.every(item => item === null || isNumber(item))
  if (type === 'STRING') return typeof cell === 'string'
  if (type === 'BOOLEAN') return typeof cell === 'boolean'
  if (type === 'DOUBLE') return isNumber(cell)
  return isNumber(cell) && (type === 'INT32' ? cell === (cell | 0) : Number.isSafeInteger(cell))
}

/** A row that can be sorted and written. */
export function isDigestRow(row: unknown): row is DigestRow {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return false
  const cells = row as TableRow
  return cells.schema === DIGESTS_SCHEMA && fleetColumns().every(({ name, type }) => isCell(type, cells[name]))
}

const isProblem = (row: TableRow): boolean =>
  ['source', 'file', 'code', 'message'].every(name => typeof row[name] === 'string')

/**
 * Rows of an earlier table by their recording. A table of another version, or one that was not made by `fleet`, gives
 * none.
 */
function recordingsOf(rows: readonly TableRow[], problems: readonly TableRow[]): readonly JournalRecording[] {
  const found = new Map<
    string,
    { sha256: string; made: string | undefined; rows: DigestRow[]; problems: FleetProblem[] }
  >()
  const recordingFor = (source: string, { source_sha256: sha256, made_by: made }: TableRow) => {
    const recording = found.get(source) ?? { sha256: text(sha256) ?? '', made: text(made), rows: [], problems: [] }
    found.set(source, recording)
    return recording
  }
  for (const row of rows) {
    if (typeof row.source === 'string' && isDigestRow(row)) recordingFor(row.source, row).rows.push(row)
  }
  for (const row of problems.filter(isProblem)) {
    const [source, file, code, message] = [row.source, row.file, row.code, row.message].map(
      cell => text(cell) ?? '',
    ) as [string, string, string, string]
    recordingFor(source, row).problems.push({ source, file, code, message })
  }
  return [...found].map(([source, { made, ...recording }]) => ({
    source,
    ...recording,
    ...(made !== undefined && { made }),
  }))
}

const text = (cell: unknown): string | undefined => (typeof cell === 'string' && cell !== '' ? cell : undefined)

/** Tables of an earlier command, with which a new journal begins. */
export interface EarlierTables {
  readonly journal: string
  readonly errors: string
  earlier(): Promise<readonly TableRow[]> | undefined
}

/** Begin of each line. */
const BEGIN = '{"source":'
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants

/**
 * Opens a journal that there is, or makes one. Throws SetupError, also for a file that no command of these has begun:
 * what a journal does not understand is cut off.
 */
function openExclusively(path: string, isNew: boolean): number {
  let fd: number
  try {
    fd = openPlain(path, isNew ? O_RDWR | O_CREAT | O_EXCL : O_RDWR | O_NOFOLLOW)
  } catch (error) {
    const why = systemCode(error) === 'ELOOP' ? 'it is a file of others (a symbolic link)' : systemWords(error)
    throw new SetupError(`cannot write ${path}: ${why}. Move it away, or write to another folder`)
  }
  const first = Buffer.alloc(BEGIN.length)
  const length = readSync(fd, first, 0, first.length, 0)
  if (BEGIN.startsWith(first.toString('utf8', 0, length))) return fd
  closeSync(fd)
  throw new SetupError(`cannot write ${path}: it is a file of others. Move it away, or write to another folder`)
}

/**
 * Opens the journal of a table. `sources`: the recordings that there are; others are forgotten. `made`: what reads
 * them now. Throws SetupError.
 */
export async function openJournal(
  { journal: path, errors, earlier }: EarlierTables,
  sources: ReadonlySet<string>,
  made: string,
): Promise<FleetJournal> {
  const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined
  const rows = isNew ? await earlier() : undefined
  const fd = openExclusively(path, isNew)
  const lines = new Map<string, JournalLine>()
  let [end, damaged] = [0, 0]
  for (const { start, bytes } of linesOf(fd)) {
    const recording = recordingOf(bytes)
    end = start + bytes.length + 1
    if (!recording) damaged += 1
    else if (sources.has(recording.source)) lines.set(recording.source, indexed(recording, start, bytes.length))
  }
  if (damaged > 0)
    say(`${path}: ${damaged} damaged ${damaged === 1 ? 'line' : 'lines'}: what they were about is read again`)
  if (fstatSync(fd).size > end) ftruncateSync(fd, end)
  const add = (recording: JournalRecording) => {
    const bytes = Buffer.from(JSON.stringify(recording))
    try {
      writeFully(fd, Buffer.concat([bytes, Buffer.from('\n')]), end)
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      throw new SetupError(`cannot write ${path}: ${systemWords(error)}`)
    }
    lines.set(recording.source, indexed(recording, end, bytes.length))
    end += bytes.length + 1
  }
  if (rows) {
    const problems = existsSync(errors) ? await rowsOfTable(errors) : []
    for (const recording of recordingsOf(rows, problems)) if (sources.has(recording.source)) add(recording)
  }

  const rowsAt = ({ source, start, length, orders }: JournalLine): readonly DigestRow[] => {
    const bytes = Buffer.alloc(length)
    readSync(fd, bytes, 0, length, start)
    const found = recordingOf(bytes)
    if (found?.source !== source || found.rows.length !== orders.length)
      throw new SetupError(
        `${path} has changed: does another command write the same table? Remove it, and run one command`,
      )
    return found.rows
  }
  return {
    hashOf(source) {
      const line = lines.get(source)
      return line?.made === made ? line.sha256 || undefined : undefined
    },
    add: recording => add({ ...recording, made }),
    *groups(maxRows) {
      const placed = [...lines.values()].flatMap(line =>
        line.orders.map((order, orderIndex) => ({ line, orderIndex, order })),
      )
      placed.sort((a, b) => byOrder(a.order, b.order) || a.line.start - b.line.start || a.orderIndex - b.orderIndex)
      for (let from = 0; from < placed.length; from += maxRows) {
        const read = new Map<JournalLine, readonly DigestRow[]>()
        yield placed.slice(from, from + maxRows).flatMap(({ line, orderIndex }): readonly DigestRow[] => {
          const rows = read.get(line) ?? rowsAt(line)
          read.set(line, rows)
          return rows.slice(orderIndex, orderIndex + 1)
        })
      }
    },
    problems: () =>
      [...lines.values()]
        .sort((a, b) => (a.source < b.source ? -1 : 1))
        .flatMap(({ problems, sha256, made }) =>
          problems.map(problem => ({ ...problem, source_sha256: sha256, made_by: made })),
        ),
    runs: () => [...lines.values()].reduce((sum, { runs }) => sum + runs, 0),
    close: () => closeSync(fd),
    remove: () => rmSync(path, { force: true }),
  }
}
