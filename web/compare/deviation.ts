/** The spread of a cell and its source: a spread between runs must not be mistaken for one within a run. */
import { fixed } from '../lib/format'
import type { CellRange, Matrix, MatrixCell } from './matrix/matrix'
import type { CellScale } from './scale'

/**
 * Source of a spread: the runs of the cell, a value that a text prints next to the figure, or values within the run.
 */
export type SpreadSource = 'runs' | 'printed' | 'within'

export interface CellDeviation {
  readonly source: SpreadSource
  readonly sd: number
}

export const DEVIATION_WORDS: Readonly<Record<SpreadSource, string>> = {
  runs: 'standard deviation between the runs',
  printed: 'standard deviation as the text prints it; of how many runs is not in the text, so it decides no verdict',
  within: 'standard deviation within the run, as the text prints it; it says nothing of other runs',
}

type SpreadCell = Pick<MatrixCell, 'n' | 'spread' | 'printed_sd' | 'within' | 'mean'>

export function deviationOf({ n, spread, printed_sd, within }: SpreadCell): CellDeviation | undefined {
  if (spread && n > 1) return { source: 'runs', sd: spread.sd }
  if (printed_sd !== undefined) return { source: 'printed', sd: printed_sd }
  return within?.sd === undefined ? undefined : { source: 'within', sd: within.sd }
}

/** A standard deviation as text, `± 141`, with the decimals of its value. */
export const deviationText = ({ sd }: CellDeviation, { per, decimals }: CellScale): string =>
  `\u00b1 ${fixed(sd / per, decimals)}`

/**
 * Ends of the whisker: minimum and maximum of all values where they are known, else one standard deviation to either
 * side.
 */
export function rangeOfCell(cell: SpreadCell): Required<Pick<CellRange, 'min' | 'max'>> | undefined {
  const { n, spread, within, mean } = cell
  if (spread && n > 1) return { min: spread.least, max: spread.most }
  if (within?.min !== undefined && within.max !== undefined) return { min: within.min, max: within.max }
  const deviation = deviationOf(cell)
  if (deviation === undefined || mean === undefined) return undefined
  return { min: mean - deviation.sd, max: mean + deviation.sd }
}

/** The largest mean or upper end of a spread: the end of a scale that begins at 0. */
export function largestValue({ cells }: Matrix): number {
  let max = 0
  for (const row of cells)
    for (const cell of row) if (cell) max = Math.max(max, cell.mean ?? 0, rangeOfCell(cell)?.max ?? 0)
  return max
}
