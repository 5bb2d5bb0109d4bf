/** Digests as `seekscope digest` prints them: one JSON object per row. */

import { tableError } from '../errors'
import type { StoredColumn, TableCell, TablePart } from './columns'
import { isColumnName, MAX_ROWS } from './columns'
import type { TableFile } from './parquet'

/** Maximum size: the complete file is in memory. About 2,000 rows. */
const MAX_BYTES = 128 << 20
const MAX_COLUMNS = 4096

const typeOf = (cell: unknown): StoredColumn['type'] | undefined => {
  if (typeof cell === 'string') return 'text'
  if (typeof cell === 'number') return 'number'
  if (typeof cell === 'boolean') return 'flag'
  return Array.isArray(cell) ? 'list' : undefined
}

/** Converts a JSON value to a cell; `null` and unknown types are absent. */
function toCell(cell: unknown): TableCell {
  if (Array.isArray(cell)) return cell.map(part => (typeof part === 'number' ? part : null))
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' ? cell : undefined
}

/** Opens a table of JSON lines. Throws an EngineError. */
export async function openLines(file: TableFile): Promise<TablePart> {
  if (file.byteLength > MAX_BYTES)
    throw tableError(
      'digests-too-large',
      `${file.name} has ${Math.round(file.byteLength / 1e6)} MB of JSON lines, more than ${Math.round(MAX_BYTES / 1e6)}.`,
      'Write Parquet instead: seekscope digest ... -o digests.parquet.',
      file.name,
    )
  const lines = new TextDecoder().decode(await file.slice(0, file.byteLength)).split('\n')
  const rows: Readonly<Record<string, unknown>>[] = []
  const columns = new Map<string, StoredColumn>()
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    let row: unknown
    try {
      row = JSON.parse(line)
    } catch {}
    if (typeof row !== 'object' || row === null || Array.isArray(row) || rows.length >= MAX_ROWS)
      throw tableError(
        'digests-damaged',
        `Line ${i + 1} of ${file.name} is not a row of digests.`,
        'Make the file again with seekscope digest.',
        file.name,
      )
    for (const [name, cell] of Object.entries(row)) {
      const type = columns.has(name) || !isColumnName(name) ? undefined : typeOf(cell)
      if (type && columns.size < MAX_COLUMNS) columns.set(name, { name, type })
    }
    rows.push(row as Readonly<Record<string, unknown>>)
  }
  return {
    name: file.name,
    rows: rows.length,
    columns: [...columns.values()],
    read: async (name, from, to) => rows.slice(from, to).map(row => toCell(row[name])),
  }
}
