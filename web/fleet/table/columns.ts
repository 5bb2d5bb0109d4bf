/** A table as columns. */

/** Maximum number of rows; larger tables need a database engine. */
export const MAX_ROWS = 200_000

export type TableCell = string | number | boolean | readonly (number | null)[] | undefined

type ColumnType = 'text' | 'number' | 'flag' | 'list'

export interface StoredColumn {
  readonly name: string
  readonly type: ColumnType
}

/**
 * Columns are looked up in objects, which have names of their own, such as `constructor`: a column with such a name is
 * left out.
 */
export const isColumnName = (name: string): boolean => !(name in {})

/** One file of a table. */
export interface TablePart {
  readonly name: string
  readonly rows: number
  readonly columns: readonly StoredColumn[]
  /** The cells of rows `from` to before `to`. Throws an EngineError. */
  read(name: string, from: number, to: number): Promise<readonly TableCell[]>
}

/** Texts as numbers of the different ones, so that they are filtered and counted as numbers; -1 is absent. */
export interface TextColumn {
  readonly type: 'text'
  readonly words: readonly string[]
  readonly codes: Int32Array
}

/** A column of numbers; NaN: absent. */
export interface NumberColumn {
  readonly type: 'number'
  readonly values: Float64Array
}

export type Column = TextColumn | NumberColumn

export function textColumn(cells: readonly TableCell[]): TextColumn {
  const numbers = new Map<string, number>()
  const codes = new Int32Array(cells.length)
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (cell === undefined || cell === '') codes[i] = -1
    else {
      const word = String(cell)
      const code = numbers.get(word) ?? numbers.size
      if (code === numbers.size) numbers.set(word, code)
      codes[i] = code
    }
  }
  return { type: 'text', words: [...numbers.keys()], codes }
}

export function numberColumn(cells: readonly TableCell[]): NumberColumn {
  const values = new Float64Array(cells.length)
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    values[i] = typeof cell === 'number' ? cell : Number.NaN
  }
  return { type: 'number', values }
}

/** The word of a row in a column of texts or flags. */
export const wordAt = (column: TextColumn, row: number): string | undefined => column.words[column.codes[row] ?? -1]

/** The cell of a row as conditions compare it. */
export function cellAt(column: Column | undefined, row: number): string | number | undefined {
  if (column === undefined) return undefined
  if (column.type === 'text') return wordAt(column, row)
  const value = column.values[row]
  return value === undefined || Number.isNaN(value) ? undefined : value
}
