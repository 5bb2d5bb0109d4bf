/** One unit for several values of a figure: that of the largest. */
import type { Notation } from '../engine/protocol'

export interface Scale {
  readonly per: number
  readonly unit: string
}

/** A scale with the decimals that all values have. */
export interface CellScale extends Scale {
  readonly decimals: number
}

/** The scale that the engine chose for the cells of a figure, with `µ` for its ASCII `u`. */
export const scaleIn = ({ per, unit, decimals }: Notation): CellScale => ({
  per,
  unit: unit === 'us' ? '\u00b5s' : unit,
  decimals,
})

const TIMES = [
  { per: 1e9, unit: 's', from: 2e9 },
  { per: 1e6, unit: 'ms', from: 1e5 },
  { per: 1e3, unit: '\u00b5s', from: 0 },
]
const SIZES = [
  { per: 2 ** 30, unit: 'GiB', from: 2 ** 31 },
  { per: 2 ** 20, unit: 'MiB', from: 2 ** 20 },
  { per: 2 ** 10, unit: 'KiB', from: 2 ** 10 },
  { per: 1, unit: 'B', from: 0 },
]

/**
 * By the unit of a figure in the engine's documents, and its largest value. The engine chooses units in the same way
 * (`compare/src/tables/written.rs`): both pass `notation.cases.json`.
 */
export function scaleOf(unit: string, max: number): Scale {
  switch (unit) {
    case 'ns':
      return TIMES.find(t => max >= t.from) ?? { per: 1, unit: 'ns' }
    case 'bytes':
      return SIZES.find(s => max >= s.from) ?? { per: 1, unit: 'B' }
    case 'bytes/s':
      return { per: 1e6, unit: 'MB/s' }
    case 'share':
      return { per: 0.01, unit: '%' }
    case 'count':
    case 'number':
      return { per: 1, unit: '' }
    default:
      return { per: 1, unit }
  }
}
