/** Where a figure is drawn and where it is defined: what a click on its name leads to. */
import { splitAtTerms, type Term, termOf } from '../charts/shared/term/terms'
import type { Defined } from '../lib/docs'
import type { SightChart } from '../state/page'

export interface FigureLead {
  /** The chart that shows it; absent where none does. */
  readonly chart?: SightChart
  /** Its row or section in `docs/measures.md`. */
  readonly section: Defined
  /** The term of `docs/terms.md` that says in a sentence what it is. */
  readonly term: string
}

const place = (chart: SightChart | undefined, section: Defined, term: string): FigureLead => ({
  ...(chart && { chart }),
  section,
  term,
})

/** By the beginning of a key, in whole words; a longer beginning counts before a shorter one. */
const PLACES: Readonly<Record<string, FigureLead>> = {
  span: place('seek-map', 'run-time', 'run time'),
  read_bps: place('throughput', 'throughput', 'throughput'),
  write_bps: place('throughput', 'throughput', 'throughput'),
  bps: place('throughput', 'throughput', 'throughput'),
  queued_bps: place('throughput', 'throughput', 'bytes queued'),
  issued_bps: place('throughput', 'throughput', 'bytes queued'),
  iops: place('throughput', 'iops', 'IOPS'),
  bytes: place('throughput', 'bytes', 'bytes read'),
  failed: place('latency', 'failed-requests', 'failed requests'),
  depth: place('queue-depth', 'queue-depth', 'queue depth'),
  waiting: place('queue-depth', 'waiting', 'waiting'),
  starved: place('queue-depth', 'starved', 'starved'),
  states: place('queue-depth', 'time-states', 'busy'),
  'states.nobody': place('queue-depth', 'time-states', 'idle'),
  q2c: place('percentiles', 'latency', 'Q2C'),
  d2c: place('percentiles', 'latency', 'D2C'),
  q2d: place('percentiles', 'latency', 'Q2D'),
  q2g: place('stages', 'latency', 'Q2G'),
  g2i: place('stages', 'latency', 'G2I'),
  i2d: place('stages', 'latency', 'I2D'),
  g2d: place('stages', 'latency', 'G2D'),
  bio: place('stages', 'latency', 'bio'),
  seek: place('seek-map', 'seek', 'seek'),
  interleaving: place('seek-map', 'interleaving', 'switch process'),
  reordered: place('seek-map', 'reordered', 'out of queue order'),
  migrated: place(undefined, 'migrated', 'another CPU'),
  size: place('request-sizes', 'request-sizes', 'request size'),
  merges: place('request-sizes', 'merges', 'merges'),
  sync: place('seek-map', 'sync-share', 'sync'),
  writes: place('alignment', 'off-4k', 'aligned to 4 KiB'),
  alignment: place('alignment', 'alignment-classes', 'stripe'),
  'alignment.full': place('alignment', 'alignment-classes', 'full stripe'),
  'alignment.unit': place('alignment', 'alignment-classes', 'unit-aligned'),
  'alignment.inside': place('alignment', 'alignment-classes', 'inside unit'),
  'alignment.straddles': place('alignment', 'alignment-classes', 'straddles'),
  'alignment.off4k': place('alignment', 'off-4k', 'aligned to 4 KiB'),
  'alignment.rmw': place('alignment', 'cost-of-partial-stripes', 'parity'),
  flush: place('flushes', 'flush', 'flush'),
  'flush.fua': place('flushes', 'flush', 'FUA'),
  'flush.preflush': place('flushes', 'flush', 'preflush'),
  events: place(undefined, 'terms', 'action'),
}

export const FIGURE_PLACES: readonly FigureLead[] = Object.values(PLACES)

/** `undefined` for figures that measures.md does not define, such as those of a benchmark. */
export function placeOf(key: string): FigureLead | undefined {
  const words = key.split('.')
  const beginnings = words.map((_, i) => words.slice(0, words.length - i).join('.'))
  return beginnings.flatMap(beginning => PLACES[beginning] ?? [])[0]
}

/** A longer explanation belongs to the document. */
const MAX_SENTENCES = 2

/** `idle: no request is in the device.`; abbreviations stay as they are. */
const named = ({ name, meaning }: Term): string =>
  `${name}: ${meaning.replace(/^[A-Z](?=[a-z ])/, c => c.toLowerCase())}`

/** What a figure is, in a sentence or two: that of its term, then of another term in its name. */
export function meaningsOf({ term }: FigureLead, label: string): readonly string[] {
  const lead = termOf(term)
  const others = splitAtTerms(label).flatMap(part => (typeof part === 'string' ? [] : [part.term]))
  return [...(lead ? [lead.meaning] : []), ...others.filter(other => other !== lead).map(named)].slice(0, MAX_SENTENCES)
}
