/** The sides of a table of results: what it compares, in the order of their letters. */
import type { ResultMatrix } from '../../engine/protocol'
import type { MatrixLine } from '../matrix/matrix'

/**
 * Side of a run; absent in tables without sides. In tables with sides, which have `evidence`, it is the first
 * dimension.
 */
export const sideOf = (table: ResultMatrix, run: number): string | undefined =>
  table.evidence === undefined ? undefined : table.runs[run]?.values[0]

/** Side of a row or column; absent where the sides are on the other axis. */
export function sideOfLine(table: ResultMatrix, axis: 'row' | 'column', line: MatrixLine): string | undefined {
  const [side] = table.dimensions
  if (table.evidence === undefined || !side) return undefined
  return line.values[(axis === 'row' ? table.rows : table.columns).indexOf(side.key)]
}

/**
 * Names of the sides, the base first, the others in the order of the table. To be called with the table as it was
 * read: choosing another base must not change letters.
 */
export function sideNames(table: ResultMatrix): readonly string[] {
  const { base } = table
  const names = [...new Set(table.runs.flatMap((_, run) => sideOf(table, run) ?? []))]
  const first = base && sideOfLine(table, base.axis, { key: base.key, values: base.key.split('\u0001') })
  return first === undefined || !names.includes(first) ? names : [first, ...names.filter(side => side !== first)]
}
