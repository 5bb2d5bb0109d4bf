/** The cells of the difference map, for CSV. */
import type { Query } from '../../engine/protocol'
import type { Table } from '../shared/table'
import type { Pair } from './pair'
import type { GridDifference } from './subtract'

export function differenceData(
  { base, other, name }: Pair,
  found: { readonly ask: Query<'seekMap'>; readonly by: GridDifference } | undefined,
): Table {
  const columns = ['from, s', 'to, s', 'from sector', 'to sector', base.letter, other.letter, name].map(label => ({
    label,
  }))
  const title = `Seek map, ${name}: requests per cell`
  if (found === undefined) return { title, columns, rows: [] }
  const { ask, by } = found
  const bin = (ask.range.t1 - ask.range.t0) / by.w
  const rows = ask.bands.flatMap(band => {
    const step = (band.lba1 - band.lba0) / (band.y1 - band.y0)
    const cells: (readonly number[])[] = []
    for (let x = 0; x < by.w; x += 1) {
      for (let y = band.y0; y < Math.min(by.h, band.y1); y += 1) {
        const [sum, less] = [by.sum[x * by.h + y] ?? 0, by.by[x * by.h + y] ?? 0]
        if (sum === 0) continue
        const [from, top] = [ask.range.t0 + x * bin, band.lba1 - (y - band.y0) * step]
        cells.push([from / 1e9, (from + bin) / 1e9, top - step, top, (sum - less) / 2, (sum + less) / 2, less])
      }
    }
    return cells
  })
  return { title, columns, rows }
}
