/** The cells of the difference map and the failed requests of both runs, for CSV. */
import type { FailureMarks, Query } from '../../engine/protocol'
import type { Table } from '../shared/answers/table'
import { FROM_SECTOR, PER_CELL, TO_SECTOR } from '../shared/answers/words'
import type { Pair } from './pair'
import { mapTitle } from './spec'
import type { GridDifference } from './subtract'

export function differenceData(
  pair: Pair,
  found: { readonly ask: Query<'seekMap'>; readonly difference: GridDifference } | undefined,
  failures: readonly (FailureMarks | undefined)[],
): Table {
  const { base, other, name } = pair
  const failed = [base, other].flatMap((_, i) => failureRows(i, failures[i]))
  const letters = [base.letter, other.letter]
  const ofFailures = failed.length > 0 ? [...letters.map(letter => `failed ${letter}`), 'errno'] : []
  const labels = ['from, s', 'to, s', FROM_SECTOR, TO_SECTOR, ...letters, name, ...ofFailures]
  const cells = found === undefined ? [] : cellRows(found)
  return {
    title: `${mapTitle(pair)}: ${PER_CELL}`,
    columns: labels.map(label => ({ label })),
    rows: [...cells.map(row => [...row, ...ofFailures.map(() => '')]), ...failed],
  }
}

/** The first one of each mark, with their number. */
const failureRows = (index: number, marks: FailureMarks | undefined): readonly (readonly (string | number)[])[] =>
  Array.from({ length: marks?.at.length ?? 0 }, (_, i) => {
    const [time, from] = [(marks?.at[i] ?? 0) / 1e9, marks?.sector[i] ?? Number.NaN]
    const place = Number.isNaN(from) ? ['', ''] : [from, from + (marks?.sectors[i] ?? 0)]
    const counts = [0, 1].map(run => (run === index ? (marks?.count[i] ?? 0) : ''))
    return [time, time, ...place, '', '', '', ...counts, marks?.errno[i] ?? 0]
  })

function cellRows({
  ask,
  difference: grid,
}: {
  readonly ask: Query<'seekMap'>
  readonly difference: GridDifference
}): readonly (readonly number[])[] {
  const bin = (ask.range.t1 - ask.range.t0) / grid.w
  return ask.bands.flatMap(band => {
    const step = (band.lba1 - band.lba0) / (band.y1 - band.y0)
    const cells: (readonly number[])[] = []
    for (let x = 0; x < grid.w; x += 1) {
      for (let y = band.y0; y < Math.min(grid.h, band.y1); y += 1) {
        const [sum, change] = [grid.sum[x * grid.h + y] ?? 0, grid.changes[x * grid.h + y] ?? 0]
        if (sum === 0) continue
        const [from, top] = [ask.range.t0 + x * bin, band.lba1 - (y - band.y0) * step]
        cells.push([from / 1e9, (from + bin) / 1e9, top - step, top, (sum - change) / 2, (sum + change) / 2, change])
      }
    }
    return cells
  })
}
