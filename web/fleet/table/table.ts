/** A table of digests from one or more files: Parquet or JSON lines. */

import { count } from '../../lib/format'
import { tableError } from '../errors'
import {
  type Column,
  isColumnName,
  MAX_ROWS,
  numberColumn,
  type StoredColumn,
  type TableCell,
  type TablePart,
  textColumn,
} from './columns'
import { openLines } from './lines'
import { BUILD, MARKED, markIn, markOf } from './marks'
import type { FleetFailure, TableSource } from './outline'
import { openParquet, type TableFile } from './parquet'
import { DIGESTS_SCHEMA, ERROR_COLUMN_NAMES, tableKind } from './schema'

const MAGIC = 'PAR1'

const asFile = ({ name, blob }: TableSource): TableFile => ({
  name,
  byteLength: blob.size,
  slice: (from, to) => blob.slice(from, to).arrayBuffer(),
})

/** Rows apart that are read at once. */
const NEAR = 16

export interface DigestTable {
  readonly rows: number
  readonly columns: readonly StoredColumn[]
  readonly failures: readonly FleetFailure[]
  column(name: string): Promise<Column>
  /** Of single rows. */
  cells(name: string, rows: readonly number[]): Promise<readonly TableCell[]>
}

/**
 * `kernel=6.1/device=sda/part.parquet`: what its folders say of all its rows, written as Hive and `fleet -o FOLDER/`
 * do.
 */
function partitionsIn(path: string): ReadonlyMap<string, string> {
  const pairs = path
    .split('/')
    .slice(0, -1)
    .flatMap(folder => {
      const equals = folder.indexOf('=')
      if (equals < 1 || !isColumnName(folder.slice(0, equals))) return []
      const value = folder.slice(equals + 1)
      if (value === '__HIVE_DEFAULT_PARTITION__') return []
      try {
        return [[folder.slice(0, equals), decodeURIComponent(value)] as const]
      } catch {
        return [[folder.slice(0, equals), value] as const]
      }
    })
  return new Map(pairs)
}

function withPartitions(part: TablePart, path: string): TablePart {
  const columnNames = new Set(part.columns.map(({ name }) => name))
  const added = [...partitionsIn(path)].filter(([name]) => !columnNames.has(name))
  if (added.length === 0) return part
  const values = new Map(added)
  return {
    ...part,
    columns: [...part.columns, ...added.map(([name]) => ({ name, type: 'text' as const }))],
    read: async (name, from, to) =>
      values.has(name) ? new Array<TableCell>(to - from).fill(values.get(name)) : part.read(name, from, to),
  }
}

async function failuresIn(part: TablePart): Promise<readonly FleetFailure[]> {
  const [source, file, code, message] = await Promise.all(ERROR_COLUMN_NAMES.map(name => part.read(name, 0, part.rows)))
  return Array.from({ length: part.rows }, (_, i) => ({
    source: String(source?.[i] ?? ''),
    file: String(file?.[i] ?? ''),
    code: String(code?.[i] ?? ''),
    message: String(message?.[i] ?? ''),
  }))
}

const KINDS = {
  requests: 'is a table of requests (seekscope requests), not of digests.',
  other: 'is a Parquet file without the columns of digests.',
} as const

const MAKE_ONE =
  'Make a table of digests with seekscope digest or seekscope fleet. Tables of requests are for engines such as ' +
  'DuckDB: docs/at-scale.md has examples.'

/** Columns that name builds are labels, also where an engine has made numbers of them. */
const NAMES_BUILDS: readonly string[] = [BUILD, 'version', 'release']

const asLabel = (column: StoredColumn): StoredColumn =>
  column.type === 'number' && NAMES_BUILDS.includes(column.name.toLowerCase()) ? { ...column, type: 'text' } : column

/** Builds named by labels and paths, by row; `undefined` if all rows have the same build. */
async function markedBuilds(parts: readonly TablePart[]): Promise<readonly (string | undefined)[] | undefined> {
  const mark = markOf(BUILD)
  const builds: (string | undefined)[] = []
  for (const part of parts) {
    const texts = await Promise.all(MARKED.map(name => part.read(name, 0, part.rows)))
    for (let row = 0; row < part.rows; row++)
      builds.push(
        markIn(
          mark,
          texts.map(cells => String(cells[row] ?? '')),
        ),
      )
  }
  return new Set(builds).size > 1 ? builds : undefined
}

/** Opens files as one table. Throws an EngineError. */
export async function openTable(sources: readonly TableSource[]): Promise<DigestTable> {
  const parts: TablePart[] = []
  const failures: FleetFailure[] = []
  for (const source of sources) {
    const file = asFile(source)
    const first = String.fromCharCode(...new Uint8Array(await file.slice(0, 4)))
    const part = withPartitions(await (first === MAGIC ? openParquet(file) : openLines(file)), source.path)
    const names = part.columns.map(({ name }) => name)
    const kind = tableKind(names)
    if (kind === 'errors') failures.push(...(await failuresIn(part)))
    else if (kind !== 'digests') throw tableError('not-digests', `${source.name} ${KINDS[kind]}`, MAKE_ONE, source.name)
    else {
      const schemas = await part.read('schema', 0, part.rows)
      const odd = schemas.find(schema => schema !== DIGESTS_SCHEMA)
      if (odd !== undefined || schemas.includes(undefined))
        throw tableError(
          'digests-newer',
          `${source.name} has digests of schema ${odd ?? 'unknown'}; this page reads ${DIGESTS_SCHEMA}.`,
          'Open it with the version of Seekscope that made it, or reload this page for a newer one.',
          source.name,
        )
      parts.push(part)
    }
  }
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  if (rows > MAX_ROWS)
    throw tableError(
      'digests-too-large',
      `The files have ${count(rows)} rows, more than ${count(MAX_ROWS)}.`,
      'Open fewer of them.',
    )
  const stored = [
    ...new Map(parts.flatMap(part => part.columns.map(column => [column.name, asLabel(column)] as const))).values(),
  ]
  const builds = stored.some(({ name }) => name.toLowerCase() === BUILD) ? undefined : await markedBuilds(parts)
  const columns = builds ? [...stored, { name: BUILD, type: 'text' as const }] : stored
  const typeOf = (name: string) => columns.find(column => column.name === name)?.type
  return {
    rows,
    columns,
    failures,
    async column(name) {
      if (builds && name === BUILD) return textColumn(builds)
      const cells: TableCell[] = []
      for (const part of parts) for (const cell of await part.read(name, 0, part.rows)) cells.push(cell)
      return typeOf(name) === 'number' ? numberColumn(cells) : textColumn(cells)
    },
    async cells(name, requested) {
      if (builds && name === BUILD) return requested.map(row => builds[row])
      const found = new Map<number, TableCell>()
      let first = 0
      for (const part of parts) {
        const partRows = requested.filter(row => row >= first && row < first + part.rows).sort((a, b) => a - b)
        // Adjacent rows are read together: they are in the same pages.
        for (let i = 0; i < partRows.length; ) {
          const from = partRows[i] ?? 0
          let to = from
          while (i < partRows.length && (partRows[i] ?? 0) - to <= NEAR) to = partRows[i++] ?? 0
          for (const [offset, cell] of (await part.read(name, from - first, to - first + 1)).entries())
            found.set(from + offset, cell)
        }
        first += part.rows
      }
      return requested.map(row => found.get(row))
    },
  }
}
