/**
 * What is known of a fleet: the rows of each recording, on disk until the table is written. One line of JSON per
 * recording, next to the table (`fleet.parquet.journal`), so that a command that was stopped goes on from it; the
 * last line may be cut. Rows of an earlier table begin it.
 */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs'
import { byOrder, DIGESTS_SCHEMA, type DigestRow, orderOf, type RowOrder } from '../web/export/digests'
import { columnsOfDigests } from './digest'
import { systemCode, systemWords } from './system'
import { rowsOfTable, type TableRow } from './tables'
import { SetupError } from './usage'
import { writeFully } from './write'

/** What could not be read; a row of the table of errors. */
export interface FleetProblem {
  readonly source: string
  readonly file: string
  readonly code: string
  readonly message: string
}

/** What was read of a recording. `sha256`: of its bytes, as `hashOf` makes it; empty where they could not be read. */
export interface ReadRecording {
  readonly source: string
  readonly sha256: string
  readonly rows: readonly DigestRow[]
  readonly problems: readonly FleetProblem[]
}

/** A line of the journal. `made`: what read it, with which options; absent: not known. */
type JournalRecording = ReadRecording & { readonly made?: string }

/** Where the line of a recording is, and what is needed to sort its rows. */
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
  /** All rows in the order of the table, so many at once. */
  groups(rows: number): Generator<readonly DigestRow[]>
  /** By recording; what `FleetProblem` says, and what is needed to know next time that nothing has changed. */
  problems(): readonly (FleetProblem & { readonly source_sha256: string; readonly made_by: string | undefined })[]
  runs(): number
  close(): void
  /** Removes it: the table is written. */
  remove(): void
}

const PIECE = 1 << 20

/** Lines of a file with the byte at which each begins; what follows the last line end is left out. */
function* linesOf(fd: number): Generator<{ readonly start: number; readonly bytes: Buffer }> {
  const piece = Buffer.alloc(PIECE)
  let [rest, start, at]: [Buffer, number, number] = [Buffer.alloc(0), 0, 0]
  for (let n = readSync(fd, piece, 0, PIECE, at); n > 0; n = readSync(fd, piece, 0, PIECE, at)) {
    at += n
    rest = Buffer.concat([rest, piece.subarray(0, n)])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield { start, bytes: rest.subarray(0, end) }
      start += end + 1
      rest = rest.subarray(end + 1)
    }
  }
}

function recordingOf(bytes: Buffer): JournalRecording | undefined {
  try {
    const value: JournalRecording = JSON.parse(bytes.toString())
    return Array.isArray(value.rows) && Array.isArray(value.problems) && typeof value.source === 'string'
      ? value
      : undefined
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

const isCell = (type: string, cell: unknown): boolean => {
  if (cell === undefined) return true
  if (type === 'LIST') return Array.isArray(cell)
  return typeof cell === (type === 'STRING' ? 'string' : type === 'BOOLEAN' ? 'boolean' : 'number')
}

const isProblem = (row: TableRow): boolean =>
  ['source', 'file', 'code', 'message'].every(name => typeof row[name] === 'string')

/**
 * Rows of an earlier table by their recording. A table of another version, or one that was not made by `fleet`, gives
 * none.
 */
function recordingsOf(rows: readonly TableRow[], problems: readonly TableRow[]): readonly JournalRecording[] {
  const columns = columnsOfDigests()
  const found = new Map<
    string,
    { sha256: string; made: string | undefined; rows: DigestRow[]; problems: FleetProblem[] }
  >()
  const of = (source: string, { source_sha256: sha256, made_by: made }: TableRow) => {
    const known = found.get(source) ?? { sha256: text(sha256) ?? '', made: text(made), rows: [], problems: [] }
    found.set(source, known)
    return known
  }
  for (const row of rows) {
    if (row.schema !== DIGESTS_SCHEMA || typeof row.source !== 'string') continue
    if (columns.every(({ name, type }) => isCell(type, row[name]))) of(row.source, row).rows.push(row as DigestRow)
  }
  for (const row of problems.filter(isProblem)) {
    const [source, file, code, message] = [row.source, row.file, row.code, row.message].map(
      cell => text(cell) ?? '',
    ) as [string, string, string, string]
    of(source, row).problems.push({ source, file, code, message })
  }
  return [...found].map(([source, { made, ...known }]) => ({ source, ...known, ...(made !== undefined && { made }) }))
}

const text = (cell: unknown): string | undefined => (typeof cell === 'string' && cell !== '' ? cell : undefined)

/** What a journal begins with, where there is none: the tables of an earlier command. */
export interface EarlierTables {
  readonly journal: string
  readonly errors: string
  earlier(): Promise<readonly TableRow[]> | undefined
}

/** As each line begins. */
const BEGIN = '{"source":'

/**
 * Throws SetupError for a file that no command of these has begun: opening a journal cuts what it does not understand.
 */
function checkJournal(path: string, fd: number): void {
  const first = Buffer.alloc(BEGIN.length)
  const length = readSync(fd, first, 0, first.length, 0)
  if (fstatSync(fd).isFile() && BEGIN.startsWith(first.toString('utf8', 0, length))) return
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
  const isNew = !existsSync(path)
  const rows = isNew ? await earlier() : undefined
  let fd: number
  try {
    fd = openSync(path, isNew ? 'wx+' : 'r+')
  } catch (error) {
    throw new SetupError(`cannot write ${path}: ${systemWords(error)}`)
  }
  checkJournal(path, fd)
  const lines = new Map<string, JournalLine>()
  let end = 0
  for (const { start, bytes } of linesOf(fd)) {
    const recording = recordingOf(bytes)
    if (!recording) break
    end = start + bytes.length + 1
    if (sources.has(recording.source)) lines.set(recording.source, indexed(recording, start, bytes.length))
  }
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
    *groups(most) {
      const placed = [...lines.values()].flatMap(line => line.orders.map((order, at) => ({ line, at, order })))
      placed.sort((a, b) => byOrder(a.order, b.order) || a.line.start - b.line.start || a.at - b.at)
      for (let from = 0; from < placed.length; from += most) {
        const read = new Map<JournalLine, readonly DigestRow[]>()
        yield placed.slice(from, from + most).flatMap(({ line, at }): readonly DigestRow[] => {
          const rows = read.get(line) ?? rowsAt(line)
          read.set(line, rows)
          return rows.slice(at, at + 1)
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
