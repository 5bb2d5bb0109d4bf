/** What differs between the sides of results: one sentence, and what is known about it. */
import type { MatrixFigure, ResultMatrix, Verdict } from '../../engine/protocol'
import { counted, typographicChanges } from '../../lib/format'
import { deviationOf, deviationText } from '../deviation'
import { rowFigures } from '../figures/rows'
import { comparedLines, type MatrixBase, type MatrixCell, type MatrixLine } from '../matrix/matrix'
import { type MatrixView, nameOf, written } from '../matrix/matrixText'
import { isInterval } from '../pictures/intervals'
import { VERDICT_WORDS, VERDICTS } from '../verdicts'
import { viewOf } from './results'
import { sideOfLine } from './tableSides'

/** What a row or column compares. */
interface ComparedLine {
  readonly name: string
  /** Absent where the line is no side of a text. */
  readonly side: string | undefined
}

/** A part of the sentence: words, or what they are of. */
export type VerdictPart = string | ComparedLine

interface LineChange {
  readonly line: ComparedLine
  /** `−92%`, `×2.8`. */
  readonly text: string
  readonly verdict: Verdict
  readonly ratio: number
}

export interface ResultVerdict {
  readonly sentence: readonly VerdictPart[]
  /** The change of the sentence; absent where nothing can be compared. */
  readonly change?: LineChange
  /** Of the other lines. */
  readonly others: readonly LineChange[]
  /** How the figures of the same two lines differ: `9 figures: 2 better, 7 unsure`. */
  readonly counts?: string
  /** `one run per cell: the spread between runs is unknown`. */
  readonly repeats: string
}

const lineAt = (table: ResultMatrix, view: MatrixView, base: MatrixBase, at: number): ComparedLine => {
  const lines: readonly MatrixLine[] = base.axis === 'row' ? view.matrix.rows : view.matrix.columns
  const line = lines[at] ?? { key: '', values: [] }
  return {
    name: nameOf(line, base.axis === 'row' ? view.axes.rows : view.axes.columns),
    side: sideOfLine(table, base.axis, line),
  }
}

/** Cells of a line with a change against the base. */
function changedCells({ matrix }: MatrixView, { axis }: MatrixBase, at: number): readonly MatrixCell[] {
  const cells = axis === 'row' ? (matrix.cells[at] ?? []) : matrix.cells.map(row => row[at])
  return cells.filter(cell => cell?.change !== undefined) as readonly MatrixCell[]
}

interface Difference {
  readonly text: string
  readonly verdict: Verdict
  /** Of several cells the one that is farthest from 1. */
  readonly ratio: number
  /** The cell, where it is the only one. */
  readonly cell?: MatrixCell
  /** `5 matched cells; 4 larger, 1 smaller`. */
  readonly cells?: string
}

/** Of one cell its change, of several the range of their changes: they are different work. */
function differenceOf(view: MatrixView, base: MatrixBase, at: number): Difference | undefined {
  const cells = changedCells(view, base, at)
  const [cell] = cells
  if (cells.length === 1 && cell?.change) {
    const { text, verdict, ratio = 1 } = cell.change
    return { text, verdict, ratio, cell }
  }
  const sweep = view.figure.sweeps?.[comparedLines(view.matrix, base).indexOf(at)]
  if (!sweep) return undefined
  const { lowest, highest, changes, verdict, more, less } = sweep
  const ratio = sizeOf({ ratio: lowest }) > sizeOf({ ratio: highest }) ? lowest : highest
  const cellCounts = `${sweep.cells} matched cells; ${more} larger, ${less} smaller`
  return { text: typographicChanges(changes), verdict, ratio, cells: cellCounts }
}

/** `9 figures: 2 better, 7 unsure`, of all figures of a table. */
function countsOf(table: ResultMatrix, at: number): string | undefined {
  const verdicts = rowFigures(table).flatMap(figure => {
    const view = viewOf(table, figure)
    return view.base ? (differenceOf(view, view.base, at)?.verdict ?? []) : []
  })
  if (verdicts.length < 2) return undefined
  const parts = VERDICTS.flatMap(verdict => {
    const count = verdicts.filter(one => one === verdict).length
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
  const other = view.matrix.cells.flat().find(one => one?.runs[0]?.id === first?.id)
  return [line, ` ${label} ${printed(cell, view)}${unit}; `, base, ` ${other ? printed(other, view) : ''}${unit}.`]
}

/** With the deviation that a text prints beside it. */
function printed(cell: MatrixCell, { scale }: MatrixView): string {
  const deviation = deviationOf(cell)
  return `${written(cell, scale)}${deviation?.of === 'printed' ? ` ${deviationText(deviation, scale)}` : ''}`
}

/** Without anything to compare: the only value, or why there is no verdict. */
function aloneWords(table: ResultMatrix, { label }: MatrixFigure, view: MatrixView): string {
  const cells = view.matrix.cells.flat()
  const [cell] = cells
  if (cells.length > 1) return table.base ? 'No cell has one of the base to compare with.' : 'Nothing is compared.'
  const unit = unitOf(view)
  return `${label} ${written(cell, view.scale)}${unit}: nothing to compare with yet.`
}

/** With a blank before it; a rate of things needs none. */
const unitOf = ({ scale: { unit } }: MatrixView): string => (unit === '' || unit === '1/s' ? '' : ` ${unit}`)

/** Of the largest cell: what it can tell about repeats. */
function repeatsOf(table: ResultMatrix, { matrix }: MatrixView): string {
  const cells = matrix.cells.flat()
  const count = cells.reduce((most, cell) => Math.max(most, cell?.n ?? 0), 0)
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
  const found = base
    ? comparedLines(matrix, base).flatMap(at => {
        const difference = differenceOf(view, base, at)
        return difference ? [{ at, difference, line: lineAt(table, view, base, at) }] : []
      })
    : []
  const [most, ...rest] = found.toSorted((a, b) => sizeOf(b.difference) - sizeOf(a.difference))
  if (!base || !most) {
    return { sentence: [aloneWords(table, figure, view)], others: [], repeats }
  }
  const changeOf = ({ line, difference: { text, verdict, ratio } }: typeof most): LineChange => ({
    line,
    text,
    verdict,
    ratio,
  })
  const counts = countsOf(table, most.at)
  return {
    sentence: sentenceOf(view, figure.label, [most.line, lineAt(table, view, base, baseAt)], most.difference),
    change: changeOf(most),
    others: rest.map(changeOf),
    ...(counts !== undefined && { counts }),
    repeats,
  }
}
