/** Values over time as bars: of characters in thirds of a row, or of braille dots. */
import {
  createDots,
  createGrid,
  DOTS_ACROSS,
  DOTS_DOWN,
  glyphs,
  type Hue,
  type Screen,
  type StyledLine,
} from './screen'

export interface BarLane {
  /** Per column, or with braille per half of one; `undefined` or NaN: none. */
  readonly values: ArrayLike<number>
  /** The most within the same time, as a mark above. */
  readonly most?: ArrayLike<number>
  /** Value at the upper edge. */
  readonly top: number
  readonly rows: number
  /** What bars consist of in ASCII. */
  readonly letter?: string
  readonly hue?: Hue
}

/** Bins per column. */
export const binsPerColumn = ({ ascii }: Pick<Screen, 'ascii'>): number => (ascii ? 1 : DOTS_ACROSS)

export function barRows(screen: Screen, columns: number, lane: BarLane): readonly StyledLine[] {
  return screen.ascii ? asciiBars(columns, lane) : dotBars(columns, lane)
}

const THIRDS = ['.', ':'] as const
export const MAXIMUM_MARK = '-'

function asciiBars(columns: number, { values, most, top, rows, letter = '#', hue }: BarLane): readonly StyledLine[] {
  const grid = createGrid(columns, rows)
  for (let x = 0; x < columns; x += 1) {
    const value = values[x] ?? Number.NaN
    const high = most?.[x] ?? Number.NaN
    // A mark is in the row whose upper edge is not below its value.
    if (high > 0) grid.put(x, Math.max(0, rows - Math.ceil((high / top) * rows - 1e-9)), MAXIMUM_MARK, hue)
    if (!(value > 0)) continue
    const thirds = Math.max(1, Math.round((value / top) * rows * 3))
    const full = Math.floor(thirds / 3)
    for (let row = 0; row < full; row += 1) grid.put(x, rows - 1 - row, letter, hue)
    const rest = thirds % 3
    if (rest > 0) grid.put(x, rows - 1 - full, THIRDS[rest - 1] ?? '.', hue)
  }
  return grid.rows()
}

function dotBars(columns: number, { values, most, top, rows, hue }: BarLane): readonly StyledLine[] {
  const grid = createGrid(columns, rows)
  const dots = createDots(columns, rows)
  const tall = rows * DOTS_DOWN
  for (let x = 0; x < columns * DOTS_ACROSS; x += 1) {
    const value = values[x] ?? Number.NaN
    const high = most?.[x] ?? Number.NaN
    if (high > 0) dots.set(x, Math.max(0, tall - Math.max(1, Math.round((high / top) * tall))), hue)
    if (!(value > 0)) continue
    const full = Math.max(1, Math.round((value / top) * tall))
    for (let up = 0; up < full; up += 1) dots.set(x, tall - 1 - up, hue)
  }
  dots.onto(grid)
  return grid.rows()
}

/** Shares 0..1 in one row: tenths as digits, or eighths as blocks. */
export function shareRow(screen: Screen, columns: number, shares: ArrayLike<number>, hue?: Hue): StyledLine {
  const { levels } = glyphs(screen)
  const grid = createGrid(columns, 1)
  for (let x = 0; x < columns; x += 1) {
    const share = shares[x] ?? 0
    if (!(share > 0)) continue
    // In ASCII the digit is the number of complete tenths.
    const level = screen.ascii ? Math.floor(share * 10 + 1e-9) : Math.ceil(share * levels.length - 1e-9) - 1
    grid.put(x, 0, levels[Math.min(levels.length - 1, Math.max(0, level))] ?? '', hue)
  }
  return grid.rows()[0] ?? []
}

/** The mean of both halves of each column. */
export function perColumn(screen: Screen, columns: number, values: ArrayLike<number>): readonly number[] {
  const per = binsPerColumn(screen)
  return Array.from({ length: columns }, (_, x) => {
    let sum = 0
    for (let i = 0; i < per; i += 1) sum += values[x * per + i] ?? 0
    return sum / per
  })
}
