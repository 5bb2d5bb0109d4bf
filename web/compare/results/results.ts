/** Results of benchmarks without a trace, in the form that the matrix draws. */
import { ascii, wrap } from '../../charts/shared/answers/table'
import type { MatrixFigure, ResultMatrix, SweepTest } from '../../engine/protocol'
import { typographicChanges } from '../../lib/format'
import {
  type CellRange,
  fillCells,
  type MatrixArrangement,
  type MatrixBase,
  type MatrixCell,
  type MatrixLine,
} from '../matrix/matrix'
import { asText, type MatrixView, nameOfBase, sweepLines } from '../matrix/matrixText'
import { scaleIn } from '../scale'
import { VERDICT_WORDS } from '../verdicts'

const lineOf = (values: readonly string[]): MatrixLine => ({ key: values.join('\u0001'), values })

/** What other figures of a cell with one run say of the values within it. */
function rangeWithin(
  { figures }: ResultMatrix,
  { beside = {}, cells }: MatrixFigure,
  index: number,
): CellRange | undefined {
  const findFigure = (key: string | undefined) =>
    key === undefined ? undefined : figures.find(figure => figure.key === key)
  const [sd, minFigure, maxFigure] = [findFigure(beside.sd), findFigure(beside.least), findFigure(beside.most)]
  const sdMean = sd?.cells[index]?.mean
  const range: CellRange = {
    ...(sdMean !== undefined && { sd: sd?.unit === 'share' ? sdMean * (cells[index]?.mean ?? 0) : sdMean }),
    ...(minFigure?.cells[index]?.mean !== undefined && { min: minFigure.cells[index].mean }),
    ...(maxFigure?.cells[index]?.mean !== undefined && { max: maxFigure.cells[index].mean }),
  }
  return Object.keys(range).length > 0 ? range : undefined
}

/** One metric of a table. The engine has placed the runs in cells and compared them. */
export function viewOf(table: ResultMatrix, figure: MatrixFigure): MatrixView {
  const { row_values, column_values, cells, pairs, dimensions } = table
  const placedRun = (index: number) => {
    const { label = '', file = '', line } = table.runs[index] ?? {}
    const place = `${file}${line === undefined ? '' : `, line ${line}`}`
    return { id: String(index), letter: String(index + 1), label: `${label} (${place})`, row: [], column: [] }
  }
  const columns = column_values.length
  const arrangement: MatrixArrangement = {
    rows: row_values.map(lineOf),
    columns: column_values.map(lineOf),
    cells: row_values.map((_, r) => column_values.map((_, c) => (cells[r * columns + c] ?? []).map(placedRun))),
  }
  const base: MatrixBase | undefined = table.base
  const measured = fillCells(
    { arrangement, query: { cells, pairs, columns: [] }, ids: table.runs.map((_, index) => String(index)) },
    figure,
  )
  const addRange = (cell: MatrixCell | undefined, index: number) => {
    const range = cell?.n === 1 ? rangeWithin(table, figure, index) : undefined
    return cell && range ? { ...cell, within: range } : cell
  }
  const matrix = figure.beside
    ? { ...measured, cells: measured.cells.map((row, r) => row.map((cell, c) => addRange(cell, r * columns + c))) }
    : measured
  const axes = (keys: readonly string[]) => keys.flatMap(key => dimensions.find(d => d.key === key) ?? [])
  return {
    matrix,
    axes: {
      rows: axes(table.rows),
      columns: axes(table.columns),
      averaged: dimensions.filter(({ key }) => !table.rows.includes(key) && !table.columns.includes(key)),
    },
    figure,
    scale: scaleIn(figure.notation),
    base,
  }
}

/** Minimum number of cells for which the engine computes a p-value. */
const MIN_CELLS = 6

/** The test of a line as a sentence: `noop against cfq, 5 matched cells: 4 larger, 1 smaller, −4% to ×2.68.` */
export function sweepInWords(
  line: string,
  base: string,
  { cells, more, less, changes, p, verdict }: SweepTest,
): string {
  const different = more + less === 0 ? 'none different' : typographicChanges(changes)
  const counts = `${line} against ${base}, ${cells} matched cells: ${more} larger, ${less} smaller, ${different}`
  if (p === undefined) return `${counts}. A test needs at least ${MIN_CELLS} cells.`
  return `${counts}: ${VERDICT_WORDS[verdict]} (signed-rank test, p ${p < 1e-4 ? '< 0.0001' : `= ${p.toFixed(4)}`}).`
}

/** The matrix as text, with the test of each line over its matched cells. */
export function withSweeps(view: MatrixView): string {
  const { base } = view
  const lines = base ? sweepLines(view, base) : []
  const tests = lines.flatMap(([line, test]) =>
    base && test ? [`${wrap(ascii(sweepInWords(line, nameOfBase(view, base), test)))}\n`] : [],
  )
  return [asText(view), ...(tests.length > 0 ? ['\n', ...tests] : [])].join('')
}
