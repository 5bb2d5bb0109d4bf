/** Queries a real DuckDB, and formats its answers. */
import { DuckDBInstance } from '@duckdb/node-api'

export interface Table {
  readonly names: readonly string[]
  /** Integers of any width and decimals as numbers; NULL is null. */
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
}

export interface Database {
  ask(sql: string): Promise<Table>
  close(): void
}

type Json = string | number | boolean | null

/** DuckDB gives wide integers and decimals as text. */
const toNumber = (value: Json, type: string): Json =>
  typeof value === 'string' && /INT|DECIMAL/.test(type) ? Number(value) : value

/** Opens an empty database in memory. */
export async function openDatabase(): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  return {
    async ask(sql) {
      const reader = await connection.runAndReadAll(sql)
      const types = reader.columnTypes().map(String)
      const rows = reader.getRowsJson() as Json[][]
      return {
        names: reader.columnNames(),
        rows: rows.map(row => row.map((value, i) => toNumber(value, types[i] ?? ''))),
      }
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Fixed width: text left, figures right; `-` for NULL. */
export function formatTable({ names, rows }: Table): string {
  const lines = [names, ...rows.map(row => row.map(value => (value === null ? '-' : String(value))))]
  const isFigure = names.map((_, i) => rows.every(row => row[i] === null || typeof row[i] === 'number'))
  const widths = names.map((_, i) => Math.max(...lines.map(line => line[i]?.length ?? 0)))
  const cell = (text: string, i: number) => (isFigure[i] ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0))
  return lines.map(line => line.map(cell).join('  ').trimEnd()).join('\n')
}
