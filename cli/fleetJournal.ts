/**
 * What is known of a fleet: the rows of each recording, on disk until the table is written. One line of JSON per recording, next to the table
 * (`fleet.parquet.journal`), so that a command that was stopped goes on from it; the last line may be cut. Rows of an earlier table begin it.
 */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs'
import { byOrder, DIGESTS_SCHEMA, type DigestRow, ERROR_COLUMNS, orderOf, type RowOrder } from '../web/export/digests'
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

/** Where the line of a recording is, and what is needed to sort its rows. */
interface JournalLine {
  readonly start: number
  readonly length: number
  readonly sha256: string
  readonly orders: readonly RowOrder[]
  readonly runs: number
  readonly problems: readonly FleetProblem[]
}

export interface FleetJournal {
  /** SHA-256 of a recording whose rows are known. */
  hashOf(source: string): string | undefined
  add(recording: ReadRecording): void
  /** All rows in the order of the table, so many at once. */
  groups(rows: number): Generator<readonly DigestRow[]>
  problems(): readonly FleetProblem[]
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

function recordingOf(bytes: Buffer): ReadRecording | undefined {
  try {
    const value: ReadRecording = JSON.parse(bytes.toString())
    return Array.isArray(value.rows) && Array.isArray(value.problems) && typeof value.source === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

const indexed = ({ sha256, rows, problems }: ReadRecording, start: number, length: number): JournalLine => ({
  start,
  length,
  sha256,
  problems,
  orders: rows.map(orderOf),
  runs: new Set(rows.map(row => `${row.trace}\n${row.run}\n${row.position}`)).size,
})

const isCell = (type: string, cell: unknown): boolean => {
  if (cell === undefined) return true
  if (type === 'LIST') return Array.isArray(cell)
  return typeof cell === (type === 'STRING' ? 'string' : type === 'BOOLEAN' ? 'boolean' : 'number')
}

const isProblem = (row: TableRow): boolean => ERROR_COLUMNS.every(({ name }) => typeof row[name] === 'string')

/** Rows of an earlier table by their recording. A table of another version, or one that was not made by `fleet`, gives none. */
function recordingsOf(rows: readonly TableRow[], problems: readonly FleetProblem[]): readonly ReadRecording[] {
  const columns = columnsOfDigests()
  const found = new Map<string, { sha256: string; rows: DigestRow[] }>()
  for (const row of rows) {
    if (row.schema !== DIGESTS_SCHEMA || typeof row.source !== 'string') continue
    if (columns.some(({ name, type }) => !isCell(type, row[name]))) continue
    const known = found.get(row.source)
    if (known) known.rows.push(row as DigestRow)
    else found.set(row.source, { sha256: String(row.source_sha256), rows: [row as DigestRow] })
  }
  return [...found].map(([source, { sha256, rows }]) => ({ source, sha256, rows, problems: problems.filter(problem => problem.source === source) }))
}

/** What a journal begins with, where there is none: the tables of an earlier command. */
export interface EarlierTables {
  readonly journal: string
  readonly errors: string
  earlier(): Promise<readonly TableRow[]> | undefined
}

/** As each line begins. */
const BEGIN = '{"source":'

/** Throws SetupError for a file that no command of these has begun: opening a journal cuts what it does not understand. */
function checkJournal(path: string, fd: number): void {
  const first = Buffer.alloc(BEGIN.length)
  const length = readSync(fd, first, 0, first.length, 0)
  if (fstatSync(fd).isFile() && BEGIN.startsWith(first.toString('utf8', 0, length))) return
  closeSync(fd)
  throw new SetupError(`cannot write ${path}: it is a file of others. Move it away, or write to another folder`)
}

/** Opens the journal of a table. `sources`: the recordings that there are; others are forgotten. Throws SetupError. */
export async function openJournal({ journal: path, errors, earlier }: EarlierTables, sources: ReadonlySet<string>): Promise<FleetJournal> {
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
  const add = (recording: ReadRecording) => {
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
    const problems = existsSync(errors) ? ((await rowsOfTable(errors)).filter(isProblem) as unknown as readonly FleetProblem[]) : []
    for (const recording of recordingsOf(rows, problems)) if (sources.has(recording.source)) add(recording)
  }

  const rowsAt = ({ start, length }: JournalLine): readonly DigestRow[] => {
    const bytes = Buffer.alloc(length)
    readSync(fd, bytes, 0, length, start)
    return recordingOf(bytes)?.rows ?? []
  }
  return {
    hashOf: source => lines.get(source)?.sha256 || undefined,
    add,
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
    problems: () => [...lines.values()].flatMap(({ problems }) => problems),
    runs: () => [...lines.values()].reduce((sum, { runs }) => sum + runs, 0),
    close: () => closeSync(fd),
    remove: () => rmSync(path, { force: true }),
  }
}
