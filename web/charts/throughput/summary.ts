/** Throughput and IOPS in words and as a table. */
import type { Range, RateSeries } from '../../engine/protocol'
import { counted, figure, rate, size } from '../../lib/format'
import type { Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { NOT_RECORDED, stillReadingWords } from '../shared/answers/words'

export const TITLE = 'Throughput'

export const KINDS = ['read', 'write', 'discard'] as const
export type RateOp = (typeof KINDS)[number]
export type RateUnit = 'bytes' | 'ios'

export const seriesOf = (series: RateSeries, kind: RateOp, unit: RateUnit): Float64Array =>
  unit === 'bytes'
    ? { read: series.readBytes, write: series.writeBytes, discard: series.discardBytes }[kind]
    : { read: series.readIos, write: series.writeIos, discard: series.discardIos }[kind]

export function words(run: Shown): string {
  const f = run.figures
  const subject = `${TITLE} of ${run.letter}`
  if (f === undefined) return stillReadingWords(subject)
  const { bytes, throughput } = f
  if (bytes === undefined || throughput === undefined) return `${subject}: ${f.absent?.throughput ?? NOT_RECORDED}.`
  const parts = [
    bytes.read > 0 && `reads ${rate(throughput.read_bps)} (${size(bytes.read)})`,
    bytes.write > 0 && `writes ${rate(throughput.write_bps)} (${size(bytes.write)})`,
    bytes.discard > 0 && `discards ${size(bytes.discard)} in total`,
  ].filter(Boolean)
  return `${subject}: ${parts.length > 0 ? parts.join(', ') : 'nothing completed'}, mean from the first queued bio to the last completion; ${figure(throughput.iops)} completions per second.`
}

type Replies = readonly ({ readonly range: Range; readonly series: RateSeries } | undefined)[]

const rows = (shown: readonly Shown[], replies: Replies, per: number): Table['rows'] =>
  shown.flatMap((run, r) => {
    const reply = replies[r]
    if (reply === undefined) return []
    const n = reply.series.readBytes.length
    const bin = (reply.range.t1 - reply.range.t0) / n
    const last = Math.max(0, Math.min(n, Math.ceil((run.end - reply.range.t0) / bin)))
    const from = Math.max(0, Math.floor((run.begin - reply.range.t0) / bin))
    const within = Array.from({ length: Math.max(0, last - from) }, (_, i) => from + i)
    return within.map(i => [
      run.letter,
      (reply.range.t0 + i * bin) / 1e9,
      ...KINDS.map(kind => (seriesOf(reply.series, kind, 'bytes')[i] ?? 0) / per),
      ...KINDS.map(kind => seriesOf(reply.series, kind, 'ios')[i] ?? 0),
    ])
  })

const columns = (bytes: string, requests: string): Table['columns'] => [
  { label: 'run', text: true },
  { label: 'from, s' },
  ...KINDS.map(kind => ({ label: `${kind}, ${bytes}` })),
  ...KINDS.map(kind => ({ label: `${kind}s${requests}` })),
]

const TABLE_TITLE = 'Completed per bin'

export const table = (shown: readonly Shown[], replies: Replies): Table => ({
  title: `${TABLE_TITLE}: MB (10^6 bytes) and requests`,
  columns: columns('MB', ''),
  rows: rows(shown, replies, 1e6),
})

/** Bytes instead of MB, so that a spreadsheet can sum them. */
export const data = (shown: readonly Shown[], replies: Replies): Table => ({
  title: TABLE_TITLE,
  columns: columns('bytes', ', requests'),
  rows: rows(shown, replies, 1),
})

/** `writes only`, `reads and writes`. */
export function kindsInWords(kinds: readonly RateOp[]): string {
  if (kinds.length === 1) return `${kinds[0]}s only`
  return kinds.map(kind => counted(2, kind).replace(/^2 /, '')).join(' and ')
}
