/** The sides of a table of results: what it compares, in the order of their letters. */
import type { ResultMatrix } from '../../engine/protocol'
import type { MatrixLine } from '../matrix/matrix'

/** Side of a run. Tables with sides have their dimension first. */
export const sideOf = (table: ResultMatrix, run: number): string | undefined =>
  table.evidence === undefined ? undefined : table.runs[run]?.values[0]

/** Side of a row or column; absent where the sides are on the other axis. */
export function sideOfLine(table: ResultMatrix, axis: 'row' | 'column', line: MatrixLine): string | undefined {
  const [side] = table.dimensions
  if (table.evidence === undefined || !side) return undefined
  return line.values[(axis === 'row' ? table.rows : table.columns).indexOf(side.key)]
}

/** The base first, the others as they come. Of the table as it was read: another base changes no letter. */
export function sideNames(table: ResultMatrix): readonly string[] {
  const { base } = table
  const all = [...new Set(table.runs.flatMap((_, run) => sideOf(table, run) ?? []))]
  const first = base && sideOfLine(table, base.axis, { key: base.key, values: base.key.split('\u0001') })
  return first === undefined || !all.includes(first) ? all : [first, ...all.filter(side => side !== first)]
}
