/** Rows that are shown of a fleet, and their order. Rows are numbers of rows in the table. */

import { inVersionOrder } from '../changes/versions'
import { type Column, cellAt, type TextColumn } from '../table/columns'
import { codesIn } from '../table/schema'
import type { FleetSort } from './view'
import type { Condition } from './where'

export type ColumnsByName = ReadonlyMap<string, Column>

/** The label whose texts are lists: a row has several of its words. */
export const LISTED = 'findings'

/** Word of a row without the label. */
export const NONE = ''

/** The words of each code of a label, and of its absence at index -1 + length. */
const wordsOf = (name: string, column: TextColumn): readonly (readonly string[])[] =>
  column.words.map(word => (name === LISTED ? codesIn(word) : [word]))

/** Whether a row has one of the words that are kept. */
function createTest(name: string, column: Column | undefined, words: readonly string[]): (row: number) => boolean {
  const chosen = new Set(words)
  if (column?.type !== 'text') return () => true
  const keptCodes = wordsOf(name, column).map(codeWords => codeWords.some(word => chosen.has(word)))
  const keepsUnlabelled = chosen.has(NONE)
  return row => {
    const code = column.codes[row] ?? -1
    return code < 0 ? keepsUnlabelled : (keptCodes[code] ?? false)
  }
}

/** The words of a row: `NONE` without the label. */
export function wordsIn(name: string, column: TextColumn): (row: number) => readonly string[] {
  const words = wordsOf(name, column)
  const unlabelled = [NONE]
  return row => words[column.codes[row] ?? -1] ?? unlabelled
}

export interface Selection {
  readonly rows: number
  readonly columns: ColumnsByName
  readonly filters: Readonly<Record<string, readonly string[]>>
  readonly condition?: Condition
}

/** The rows that fulfil the condition and have a kept word of each label; `except`: of each label but this one. */
export function rowsShown({ rows, columns, filters, condition }: Selection, except?: string): Uint32Array {
  const tests = Object.entries(filters).flatMap(([name, words]) =>
    name === except || words.length === 0 ? [] : [createTest(name, columns.get(name), words)],
  )
  const conditionColumns = condition?.columns.map(name => [name, columns.get(name)] as const) ?? []
  const fulfils = (row: number): boolean => {
    if (!condition) return true
    const cells: Record<string, unknown> = {}
    for (const [name, column] of conditionColumns) cells[name] = cellAt(column, row)
    return condition.test(cells) === true
  }
  const found = new Uint32Array(rows)
  let n = 0
  for (let row = 0; row < rows; row++) if (tests.every(test => test(row)) && fulfils(row)) found[n++] = row
  return found.slice(0, n)
}

/** Rank of each code in the order of the words. */
function ranksOf({ words }: TextColumn): Uint32Array {
  const places = new Map(inVersionOrder(words).map((word, rank) => [word, rank]))
  return Uint32Array.from(words, word => places.get(word) ?? 0)
}

const ranks = new WeakMap<TextColumn, Uint32Array>()
function cachedRanks(column: TextColumn): Uint32Array {
  const cached = ranks.get(column) ?? ranksOf(column)
  ranks.set(column, cached)
  return cached
}

/** Rows in the order of a column; absent cells are last in both directions, equal ones in the order of the table. */
export function sorted(rows: Uint32Array, column: Column | undefined, sort: FleetSort | undefined): Uint32Array {
  if (!sort || !column) return rows
  const keys = new Float64Array(rows.length)
  const rank = column.type === 'text' ? cachedRanks(column) : undefined
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0
    if (column.type === 'number') keys[i] = column.values[row] ?? Number.NaN
    else {
      const code = column.codes[row] ?? -1
      keys[i] = code < 0 ? Number.NaN : (rank?.[code] ?? 0)
    }
  }
  const direction = sort.descending ? -1 : 1
  const order = Uint32Array.from(rows, (_, i) => i).sort((a, b) => {
    const [x, y] = [keys[a] ?? Number.NaN, keys[b] ?? Number.NaN]
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b
    return (x - y) * direction || a - b
  })
  return order.map(i => rows[i] ?? 0)
}

export interface FacetWord {
  /** A word of the label; `NONE` for rows without it. */
  readonly word: string
  readonly n: number
}

/** The words of a label among rows, in natural order, and how many rows have each; those without it last. */
export function facetOf(name: string, column: TextColumn, rows: Uint32Array): readonly FacetWord[] {
  const counts = new Uint32Array(column.words.length)
  let unlabelled = 0
  for (const row of rows) {
    const code = column.codes[row] ?? -1
    if (code < 0) unlabelled++
    else counts[code] = (counts[code] ?? 0) + 1
  }
  const byWord = new Map<string, number>()
  for (const [code, words] of wordsOf(name, column).entries())
    for (const word of words) byWord.set(word, (byWord.get(word) ?? 0) + (counts[code] ?? 0))
  const found = inVersionOrder([...byWord.keys()]).map(word => ({ word, n: byWord.get(word) ?? 0 }))
  return unlabelled > 0 ? [...found, { word: NONE, n: unlabelled }] : found
}
