/** The spread of a cell, and what it is of: a reader must not take one for the other. */
import { fixed } from '../lib/format'
import type { CellRange, Matrix, MatrixCell } from './matrix/matrix'
import type { CellScale } from './scale'

/**
 * Source of a spread: the runs of the cell, a value that a text prints next to the figure, or values within the run.
 */
export type SpreadOf = 'runs' | 'printed' | 'within'

export interface CellDeviation {
  readonly of: SpreadOf
  readonly sd: number
}

export const DEVIATION_WORDS: Readonly<Record<SpreadOf, string>> = {
  runs: 'standard deviation between the runs',
  printed: 'standard deviation as the text prints it; of how many runs is not in the text, so it decides no verdict',
  within: 'standard deviation within the run, as the text prints it; it says nothing of other runs',
}

type SpreadCell = Pick<MatrixCell, 'n' | 'spread' | 'printed_sd' | 'within' | 'mean'>

export function deviationOf({ n, spread, printed_sd, within }: SpreadCell): CellDeviation | undefined {
  if (spread && n > 1) return { of: 'runs', sd: spread.sd }
  if (printed_sd !== undefined) return { of: 'printed', sd: printed_sd }
  return within?.sd === undefined ? undefined : { of: 'within', sd: within.sd }
}

/** `± 141`, with the decimals of its value. */
export const deviationText = ({ sd }: CellDeviation, { per, decimals }: CellScale): string =>
  `\u00b1 ${fixed(sd / per, decimals)}`

/** The ends of a whisker: of all values where they are known, else one standard deviation to both sides. */
export function rangeOfCell(cell: SpreadCell): Required<Pick<CellRange, 'least' | 'most'>> | undefined {
  const { n, spread, within, mean } = cell
  if (spread && n > 1) return spread
  if (within?.least !== undefined && within.most !== undefined) return { least: within.least, most: within.most }
  const deviation = deviationOf(cell)
  if (deviation === undefined || mean === undefined) return undefined
  return { least: mean - deviation.sd, most: mean + deviation.sd }
}

/** The largest mean, or upper end of a spread, for a scale from 0. */
export function mostOf({ cells }: Matrix): number {
  let most = 0
  for (const row of cells)
    for (const cell of row) if (cell) most = Math.max(most, cell.mean ?? 0, rangeOfCell(cell)?.most ?? 0)
  return most
}
