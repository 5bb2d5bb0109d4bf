/** Positions within the stripe in words and as a table. */
import type { Geometry, Range, StripeTime } from '../../engine/protocol'
import { count, counted, share } from '../../lib/format'
import { stripeWords } from '../shared/answers/names'
import type { Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { FULL_STRIPES, noRequestWords, notReadWords, PARTIAL_STRIPES } from '../shared/answers/words'

export const TITLE = 'Position in stripe'

/** Stripes written completely and partially, over all columns. */
function stripesOf({ full, partial }: Pick<StripeTime, 'full' | 'partial'>): {
  readonly full: number
  readonly partial: number
} {
  const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0)
  return { full: sum(full), partial: sum(partial) }
}

/** `96 of 96 stripes partial`; with `written`: `96 of 96 stripes written partially`. */
export function partWords(answer: StripeTime, written = false): string {
  const { full, partial } = stripesOf(answer)
  return full + partial === 0
    ? 'no stripes written'
    : `${count(partial)} of ${counted(full + partial, 'stripe')} ${written ? 'written partially' : 'partial'}`
}

export function words(run: Shown, geometry: Geometry | undefined, answer: StripeTime | undefined): string {
  const name = `${TITLE} of ${run.letter}`
  if (geometry === undefined) return `${name}: no geometry is set.`
  if (answer === undefined) return notReadWords(name)
  if (answer.n === 0) return noRequestWords(name)
  const { full, partial } = stripesOf(answer)
  const written =
    full + partial === 0
      ? 'no stripes were written'
      : `${partWords(answer, true)} (${share(partial / (full + partial))})`
  return `${name}, ${stripeWords(geometry)}: ${count(answer.atStart)} of ${counted(answer.n, 'request')} start at a stripe boundary; ${written}.`
}

export interface StripeReply {
  readonly answer: StripeTime | undefined
  readonly range: Range | undefined
}

/** One row per column in which a request starts. */
export function table(shown: readonly Shown[], replies: readonly StripeReply[]): Table {
  return {
    title: 'Visible requests and partially written stripes over time',
    columns: [
      { label: 'run', text: true },
      { label: 'from, s' },
      { label: 'requests' },
      { label: FULL_STRIPES },
      { label: PARTIAL_STRIPES },
      { label: '% partial' },
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
          row: [
            run.letter,
            (range.t0 + column * bin) / 1e9,
            begun,
            full,
            partial,
            full + partial === 0 ? '' : (partial / (full + partial)) * 100,
          ],
        }
      }).flatMap(({ begun, row }) => (begun > 0 ? [row] : []))
    }),
  }
}
