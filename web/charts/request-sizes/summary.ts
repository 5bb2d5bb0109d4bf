/** Request sizes in words, as a table, and as a table for email. */
import type { Sizes } from '../../engine/protocol'
import type { SummaryDevice } from '../../engine/summary'
import { count, counted, sectorSize, share } from '../../lib/format'
import { SIZES_AT, type SizesAt } from '../../state/types'
import { listed, type Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { inRunsWords, noRequestWords, notReadWords } from '../shared/answers/words'
import { totalOf } from './draw'

/** What sentences call the chart. */
export const NOUN = 'Request sizes'

const requestsIn = (sizes: Sizes): number => sizes.sectors.reduce((sum, _, i) => sum + totalOf(sizes, i), 0)

/** Rows without sectors (flushes) are no sizes. */
export function withSectors(sizes: Sizes): Sizes {
  const keep = [...sizes.sectors.keys()].filter(i => (sizes.sectors[i] ?? 0) > 0)
  const pick = (list: Float64Array) => Float64Array.from(keep, i => list[i] ?? 0)
  return {
    sectors: pick(sizes.sectors),
    reads: pick(sizes.reads),
    writes: pick(sizes.writes),
    discards: pick(sizes.discards),
  }
}

/** The one size of all requests of all runs, when there is only one. */
export function onlySize(all: readonly (Sizes | undefined)[]): number | undefined {
  const withRequests = all.flatMap(s => (s === undefined || s.sectors.length === 0 ? [] : [s]))
  const first = withRequests[0]?.sectors[0]
  return withRequests.length > 0 && withRequests.every(s => s.sectors.length === 1 && s.sectors[0] === first)
    ? first
    : undefined
}

const only = (rows: readonly { readonly sectors: number }[], size: number): boolean =>
  rows.filter(r => r.sectors > 0).every(r => r.sectors === size)

/** `All 1,280 requests are 4 KiB in both runs, as issued.` */
export function onlySizeWords(
  shown: readonly Shown[],
  sizes: readonly (Sizes | undefined)[],
  size: number,
  event: SizesAt,
): string {
  const totals = sizes.map(s => (s === undefined ? 0 : requestsIn(s)))
  const same = totals.every(n => n === totals[0])
  const who = same
    ? `All ${counted(totals[0] ?? 0, 'request')}`
    : `All requests (${listed(shown.map((run, i) => `${run.letter} ${count(totals[i] ?? 0)}`))})`
  const figures = shown.map(run => run.figures)
  const whole = figures.every(
    (f): f is SummaryDevice => f !== undefined && SIZES_AT.every(when => only(f.sizes[when] ?? [], size)),
  )
  const seen = whole ? SIZES_AT.filter(when => figures.some(f => f.sizes[when]?.some(row => row.sectors > 0))) : [event]
  const merges = figures.every(f => f?.merges.back === 0 && f.merges.front === 0) ? ' No merges.' : ''
  return `${who} are ${sectorSize(size)}${inRunsWords(shown)}, as ${listed(seen)}.${merges}`
}

export function words(run: Shown, sizes: Sizes | undefined, event: SizesAt): string {
  if (sizes === undefined) return notReadWords(`${NOUN} of ${run.letter}`)
  const total = requestsIn(sizes)
  if (total === 0) return noRequestWords(`${NOUN} of ${run.letter}`)
  const order = [...sizes.sectors.keys()].sort((a, b) => totalOf(sizes, b) - totalOf(sizes, a)).slice(0, 3)
  const top = order.map(i => `${sectorSize(sizes.sectors[i] ?? 0)} ${share(totalOf(sizes, i) / total)}`)
  return `${NOUN} of ${run.letter} as ${event}: ${counted(total, 'request')} in ${counted(sizes.sectors.length, 'size')}; most frequent: ${top.join(', ')}.`
}

export function table(shown: readonly Shown[], sizes: readonly (Sizes | undefined)[], event: SizesAt): Table {
  return {
    title: `${NOUN} as ${event}`,
    columns: [
      { label: 'run', text: true },
      { label: 'sectors' },
      { label: 'KiB' },
      { label: 'reads' },
      { label: 'writes' },
      { label: 'discards' },
    ],
    rows: shown.flatMap((run, r) => {
      const s = sizes[r]
      return s === undefined
        ? []
        : Array.from(s.sectors, (sectors, i) => [
            run.letter,
            sectors,
            sectors / 2,
            s.reads[i] ?? 0,
            s.writes[i] ?? 0,
            s.discards[i] ?? 0,
          ])
    }),
  }
}

/** The mail table: how many requests of how many sectors, most first; `most` limits the rows of each run. */
export function mailTable(
  shown: readonly Shown[],
  sizes: readonly (Sizes | undefined)[],
  most = Number.POSITIVE_INFINITY,
): string {
  const lines = [`${'nr'.padStart(7)}${'size'.padStart(8)}`]
  shown.forEach((run, r) => {
    const s = sizes[r]
    if (s === undefined) return
    const order = [...s.sectors.keys()].sort(
      (a, b) => totalOf(s, b) - totalOf(s, a) || (s.sectors[a] ?? 0) - (s.sectors[b] ?? 0),
    )
    for (const i of order.slice(0, most))
      lines.push(
        `${String(totalOf(s, i)).padStart(7)}${String(s.sectors[i] ?? 0).padStart(8)}${run.letter.padStart(4)}`,
      )
    if (order.length > most)
      lines.push(`${'...'.padStart(7)}${`${order.length - most} more`.padStart(8)}${run.letter.padStart(4)}`)
  })
  return `${lines.join('\n')}\n`
}
