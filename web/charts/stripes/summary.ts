/** Places within the stripe in words and as a table. */
import type { Geometry, Range, StripeTime } from '../../engine/protocol'
import { count, counted, sectorSize, share } from '../../lib/format'
import type { Shown } from '../shared/shown'
import type { Table } from '../shared/table'

/** Stripes written whole and in part, over all columns. */
export function stripesOf({ full, partial }: Pick<StripeTime, 'full' | 'partial'>): { readonly full: number; readonly partial: number } {
  const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0)
  return { full: sum(full), partial: sum(partial) }
}

/** `96 of 96 stripes in part`. */
export function partWords(answer: StripeTime, verb = ''): string {
  const { full, partial } = stripesOf(answer)
  return full + partial === 0 ? 'no stripe written' : `${count(partial)} of ${counted(full + partial, 'stripe')} ${verb}in part`
}

export function words(run: Shown, geometry: Geometry | undefined, answer: StripeTime | undefined): string {
  const name = `Place in the stripe of ${run.letter}`
  if (geometry === undefined) return `${name}: no geometry is set.`
  if (answer === undefined) return `${name}: not read yet.`
  if (answer.n === 0) return `${name}: no request in view.`
  const { full, partial } = stripesOf(answer)
  const stripe = `stripes of ${geometry.dataDisks} x ${sectorSize(geometry.unit)}`
  const written = full + partial === 0 ? 'no stripe was written' : `${partWords(answer, 'written ')} (${share(partial / (full + partial))})`
  return `${name}, ${stripe}: ${count(answer.atStart)} of ${counted(answer.n, 'request')} begin where a stripe begins; ${written}.`
}

export interface Asked {
  readonly answer: StripeTime | undefined
  readonly range: Range | undefined
}

/** One row a column of the picture in which something was asked for. */
export function table(shown: readonly Shown[], replies: readonly Asked[]): Table {
  return {
    title: 'Requests and stripes written in part over time, of the requests in view',
    columns: [
      { label: 'run', text: true },
      { label: 'from s' },
      { label: 'requests' },
      { label: 'stripes in full' },
      { label: 'stripes in part' },
      { label: '% in part' },
    ],
    rows: shown.flatMap((run, i) => {
      const { answer, range } = replies[i] ?? {}
      if (answer === undefined || range === undefined) return []
      const bin = (range.t1 - range.t0) / answer.w
      return Array.from({ length: answer.w }, (_, column) => {
        const begun = answer.begins.subarray(column * answer.h, (column + 1) * answer.h).reduce((a, b) => a + b, 0)
        const [full, partial] = [answer.full[column] ?? 0, answer.partial[column] ?? 0]
        return {
          begun,
          row: [run.letter, (range.t0 + column * bin) / 1e9, begun, full, partial, full + partial === 0 ? '' : (partial / (full + partial)) * 100],
        }
      }).flatMap(({ begun, row }) => (begun > 0 ? [row] : []))
    }),
  }
}
