/** What differs between the sides of results: one sentence, and what is known about it. */
import type { MatrixFigure, ResultMatrix, Verdict } from '../../engine/protocol'
import { counted, typographicChanges } from '../../lib/format'
import { deviationOf, deviationText } from '../deviation'
import { rowFigures } from '../figures/rows'
import { comparedLines, type MatrixBase, type MatrixCell, type MatrixLine } from '../matrix/matrix'
import { type MatrixView, meanText, nameOf } from '../matrix/matrixText'
import { isInterval } from '../pictures/intervals'
import { VERDICT_WORDS, VERDICTS } from '../verdicts'
import { viewOf } from './results'
import { sideOfLine } from './tableSides'

/** A row or column, by name and side. */
interface ComparedLine {
  readonly name: string
  /** Side of the line; absent if the line is no side of a text. */
  readonly side: string | undefined
}

/** A part of the sentence: words, or the line that they are about. */
export type VerdictPart = string | ComparedLine

interface LineChange {
  readonly line: ComparedLine
  /** The change as text: `−92%`, `×2.8`. */
  readonly text: string
  readonly verdict: Verdict
  readonly ratio: number
}

export interface ResultVerdict {
  readonly sentence: readonly VerdictPart[]
  /** The change of the sentence; absent where nothing can be compared. */
  readonly change?: LineChange
  readonly otherLines: readonly LineChange[]
  /** How the figures of the same two lines differ: `9 figures: 2 better, 7 unsure`. */
  readonly counts?: string
  /** `one run per cell: the spread between runs is unknown`. */
  readonly repeats: string
}

const lineAt = (table: ResultMatrix, view: MatrixView, base: MatrixBase, index: number): ComparedLine => {
  const lines: readonly MatrixLine[] = base.axis === 'row' ? view.matrix.rows : view.matrix.columns
  const line = lines[index] ?? { key: '', values: [] }
  return {
    name: nameOf(line, base.axis === 'row' ? view.axes.rows : view.axes.columns),
    side: sideOfLine(table, base.axis, line),
  }
}

/** Cells of a line with a change against the base. */
function changedCells({ matrix }: MatrixView, { axis }: MatrixBase, index: number): readonly MatrixCell[] {
  const cells = axis === 'row' ? (matrix.cells[index] ?? []) : matrix.cells.map(row => row[index])
  return cells.filter(cell => cell?.change !== undefined) as readonly MatrixCell[]
}

interface Difference {
  readonly text: string
  readonly verdict: Verdict
  /** Ratio of the cell; with several cells, the one farthest from 1. */
  readonly ratio: number
  /** The cell, where it is the only one. */
  readonly cell?: MatrixCell
  /** `5 matched cells; 4 larger, 1 smaller`. */
  readonly cells?: string
}

/**
 * The change of a line: of a single cell its change, of several cells the range of their changes, because cells are
 * different work and have no mean.
 */
function differenceOf(view: MatrixView, base: MatrixBase, index: number): Difference | undefined {
  const cells = changedCells(view, base, index)
  const [cell] = cells
  if (cells.length === 1 && cell?.change) {
    const { text, verdict, ratio = 1 } = cell.change
    return { text, verdict, ratio, cell }
  }
  const sweep = view.figure.sweeps?.[comparedLines(view.matrix, base).indexOf(index)]
  if (!sweep) return undefined
  const { lowest, highest, changes, verdict, more, less } = sweep
  const ratio = sizeOf({ ratio: lowest }) > sizeOf({ ratio: highest }) ? lowest : highest
  const cellCounts = `${sweep.cells} matched cells; ${more} larger, ${less} smaller`
  return { text: typographicChanges(changes), verdict, ratio, cells: cellCounts }
}

/** `9 figures: 2 better, 7 unsure`, of all figures of a table. */
function countsOf(table: ResultMatrix, index: number): string | undefined {
  const verdicts = rowFigures(table).flatMap(figure => {
    const view = viewOf(table, figure)
    return view.base ? (differenceOf(view, view.base, index)?.verdict ?? []) : []
  })
  if (verdicts.length < 2) return undefined
  const parts = VERDICTS.flatMap(verdict => {
    const count = verdicts.filter(candidate => candidate === verdict).length
    return count > 0 ? [`${count} ${VERDICT_WORDS[verdict]}`] : []
  })
  return `${counted(verdicts.length, 'figure')}: ${parts.join(', ')}`
}

/** How far a ratio is from 1, in either direction; all of nothing is the farthest. */
const sizeOf = ({ ratio }: { readonly ratio: number }): number =>
  ratio > 0 ? Math.abs(Math.log(ratio)) : Number.POSITIVE_INFINITY

function sentenceOf(
  view: MatrixView,
  label: string,
  [line, base]: readonly [ComparedLine, ComparedLine],
  { cell, text, cells }: Difference,
): readonly VerdictPart[] {
  if (!cell) return [line, ` ${label} ${text} against `, base, ` in ${cells}.`]
  const unit = unitOf(view)
  const [first] = cell.base?.runs ?? []
  const baseCell = view.matrix.cells.flat().find(candidate => candidate?.runs[0]?.id === first?.id)
  return [
    line,
    ` ${label} ${printed(cell, view)}${unit}; `,
    base,
    ` ${baseCell ? printed(baseCell, view) : ''}${unit}.`,
  ]
}

/** A cell's value with the deviation that a text prints beside it. */
function printed(cell: MatrixCell, { scale }: MatrixView): string {
  const deviation = deviationOf(cell)
  return `${meanText(cell, scale)}${deviation?.source === 'printed' ? ` ${deviationText(deviation, scale)}` : ''}`
}

/** The sentence when nothing can be compared: the only value, or why there is no verdict. */
function aloneWords(table: ResultMatrix, { label }: MatrixFigure, view: MatrixView): string {
  const cells = view.matrix.cells.flat()
  const [cell] = cells
  if (cells.length > 1) return table.base ? 'No cell has one of the baseline to compare with.' : 'Nothing is compared.'
  const unit = unitOf(view)
  return `${label} ${meanText(cell, view.scale)}${unit}: nothing to compare with yet.`
}

/** The unit with a blank before it; empty for rates of things, which are clear without one. */
const unitOf = ({ scale: { unit } }: MatrixView): string => (unit === '' || unit === '1/s' ? '' : ` ${unit}`)

/** What is known about repeats, judged by the cell with the most runs. */
function repeatsOf(table: ResultMatrix, { matrix }: MatrixView): string {
  const cells = matrix.cells.flat()
  const count = cells.reduce((max, cell) => Math.max(max, cell?.n ?? 0), 0)
  if (cells.some(cell => cell?.printed_sd !== undefined))
    return '\u00b1 as printed, of an unknown number of runs: it decides nothing'
  if (count <= 1) return 'one run per cell: the spread between runs is unknown'
  if (table.runs.some(isInterval)) return `up to ${count} intervals per cell, which are no repeats`
  return `up to ${count} runs per cell`
}

/** What the chosen metric says about the line that differs most from the base. */
export function resultVerdict(table: ResultMatrix, figure: MatrixFigure, view: MatrixView): ResultVerdict {
  const { base, matrix } = view
  const repeats = repeatsOf(table, view)
  const lines = base?.axis === 'column' ? matrix.columns : matrix.rows
  const baseAt = lines.findIndex(line => line.key === base?.key)
  const differences = base
    ? comparedLines(matrix, base).flatMap(index => {
        const difference = differenceOf(view, base, index)
        return difference ? [{ index, difference, line: lineAt(table, view, base, index) }] : []
      })
    : []
  const [largest, ...rest] = differences.toSorted((a, b) => sizeOf(b.difference) - sizeOf(a.difference))
  if (!base || !largest) {
    return { sentence: [aloneWords(table, figure, view)], otherLines: [], repeats }
  }
  const changeOf = ({ line, difference: { text, verdict, ratio } }: typeof largest): LineChange => ({
    line,
    text,
    verdict,
    ratio,
  })
  const counts = countsOf(table, largest.index)
  return {
    sentence: sentenceOf(view, figure.label, [largest.line, lineAt(table, view, base, baseAt)], largest.difference),
    change: changeOf(largest),
    otherLines: rest.map(changeOf),
    ...(counts !== undefined && { counts }),
    repeats,
  }
}
