/** Every figure of a run's summary that can be set beside another run's: one table of key, label, unit and good side. */
import type { BioStageSummary, SeekSummary, StageSummary, SummaryDevice, SummaryStage } from '../engine/summary'

/** How a figure is scaled and written. */
export type Kind = 'time' | 'share' | 'bytes' | 'rate' | 'count' | 'number' | 'per-second' | 'sectors'

export interface Figure {
  /** Stable; also the first column of the CSV. */
  readonly key: string
  readonly label: string
  readonly kind: Kind
  /** What is counted, where the kind does not say: `requests`, `bios`. */
  readonly of?: string
  /** Which way is good. Absent: neither is; a difference is a change. */
  readonly good?: 'less' | 'more'
  /** `undefined` where it does not apply to the device. */
  value(device: SummaryDevice): number | undefined
}

const STAGE_NAMES: Readonly<Record<SummaryStage, string>> = {
  q2c: 'Q2C',
  d2c: 'D2C',
  q2d: 'Q2D',
  q2g: 'Q2G',
  g2i: 'G2I',
  i2d: 'I2D',
  g2d: 'G2D',
  q2m: 'Q2M',
  m2d: 'M2D',
}

function stage(name: SummaryStage, stat: keyof StageSummary, label: string): Figure {
  return {
    key: `${name}.${stat}`,
    label: `${STAGE_NAMES[name]}, ${label}`,
    kind: 'time',
    good: 'less',
    value: d => (d.latency_ns[name]?.n ? d.latency_ns[name][stat] : undefined),
  }
}

function perBio(name: SummaryStage, stat: keyof BioStageSummary, label: string): Figure {
  return {
    key: `bio.${name}.${stat}`,
    label: `${STAGE_NAMES[name]} per bio, ${label}`,
    kind: 'time',
    good: 'less',
    value: d => (d.latency_bio_ns[name]?.n ? d.latency_bio_ns[name][stat] : undefined),
  }
}

const FULL: readonly SummaryStage[] = ['q2c', 'd2c', 'q2d']
const PARTS: readonly SummaryStage[] = ['q2g', 'g2i', 'i2d', 'g2d', 'q2m', 'm2d']
const STATS: readonly (readonly [keyof StageSummary, string])[] = [
  ['mean', 'mean'],
  ['p50', 'median'],
  ['p90', 'p90'],
  ['p99', 'p99'],
  ['p999', 'p99.9'],
  ['max', 'longest'],
]

function seek(at: 'issued' | 'queued'): readonly Figure[] {
  const figure = (stat: keyof SeekSummary, label: string, kind: Kind): Figure => ({
    key: `seek.${at}.${stat}`,
    label: `${label}${at === 'queued' ? ', as queued' : ''}`,
    kind,
    value: d => d.seek[at]?.[stat],
  })
  return [
    figure('per_second_64k', 'Seeks above 64 KiB', 'per-second'),
    figure('sequential_share', 'Sequential requests', 'share'),
    figure('mean_abs', 'Seek distance, mean', 'sectors'),
    figure('median_abs', 'Seek distance, median', 'sectors'),
  ]
}

function size(at: 'queued' | 'issued' | 'completed'): Figure {
  return {
    key: `size.${at}.mean`,
    label: `Request size, mean, as ${at}`,
    kind: 'bytes',
    value: d => {
      let [n, sectors] = [0, 0]
      for (const row of d.sizes[at]) {
        const count = row.reads + row.writes + row.discards
        if (row.sectors === 0) continue
        n += count
        sectors += count * row.sectors
      }
      return n === 0 ? undefined : (sectors / n) * 512
    },
  }
}

const alignment = (
  key: string,
  label: string,
  value: (a: NonNullable<SummaryDevice['alignment']>) => number,
  more: Partial<Figure> = {},
): Figure => ({
  key: `alignment.${key}`,
  label,
  kind: 'count',
  ...more,
  value: d => (d.alignment === undefined ? undefined : value(d.alignment)),
})

/** Prefixes of keys, and what the summary calls the figure when lost events spoil it; `undefined`: they do not. */
const SPOILED_AS: readonly (readonly [string, string | undefined])[] = [
  ['span', undefined],
  ['sync', undefined],
  ['read_bps', 'throughput'],
  ['write_bps', 'throughput'],
  ['iops', 'throughput'],
  ['size.', 'sizes'],
]

/** Whether the summary of a device names the figure of a key as spoiled by lost events. */
export function isSpoiled({ spoiled }: SummaryDevice, key: string): boolean {
  if (spoiled === undefined) return false
  const [first = '', second = ''] = key.split('.')
  const listed = SPOILED_AS.find(([prefix]) => key.startsWith(prefix))
  if (listed) return listed[1] !== undefined && spoiled.includes(listed[1])
  if (first === 'bio') return spoiled.includes(`latency_bio_ns.${second}`)
  return spoiled.includes(first) || spoiled.includes(`latency_ns.${first}`)
}

/** In the order of the table: what a reader asks first comes first. */
export const FIGURES: readonly Figure[] = [
  { key: 'span', label: 'Run time, first Q to last C', kind: 'time', good: 'less', value: d => d.span_ns },
  { key: 'read_bps', label: 'Throughput, read', kind: 'rate', good: 'more', value: d => d.throughput.read_bps },
  { key: 'write_bps', label: 'Throughput, write', kind: 'rate', good: 'more', value: d => d.throughput.write_bps },
  { key: 'iops', label: 'Requests completed', kind: 'per-second', good: 'more', value: d => d.throughput.iops },
  { key: 'depth.mean', label: 'Queue depth, mean', kind: 'number', of: 'requests', value: d => d.depth?.mean },
  { key: 'depth.p50', label: 'Queue depth, median', kind: 'count', of: 'requests', value: d => d.depth?.p50 },
  { key: 'depth.p95', label: 'Queue depth, p95', kind: 'count', of: 'requests', value: d => d.depth?.p95 },
  { key: 'depth.max', label: 'Queue depth, most', kind: 'count', of: 'requests', value: d => d.depth?.max },
  { key: 'waiting.mean', label: 'Waiting, mean', kind: 'number', of: 'bios', good: 'less', value: d => d.waiting?.mean },
  { key: 'waiting.max', label: 'Waiting, most', kind: 'count', of: 'bios', good: 'less', value: d => d.waiting?.max },
  { key: 'starved.share', label: 'Starved time', kind: 'share', of: 'run', good: 'less', value: d => d.starved?.share },
  { key: 'starved.longest', label: 'Starved, longest interval', kind: 'time', good: 'less', value: d => d.starved?.longest_ns },
  { key: 'starved.intervals', label: 'Starved intervals', kind: 'count', good: 'less', value: d => d.starved?.intervals },
  { key: 'states.busy_waiting', label: 'Busy while others wait', kind: 'share', of: 'run', value: d => d.states?.busy_waiting },
  { key: 'states.busy', label: 'Busy, none waiting', kind: 'share', of: 'run', value: d => d.states?.busy },
  { key: 'states.nobody', label: 'Nobody asks', kind: 'share', of: 'run', value: d => d.states?.nobody },
  ...FULL.flatMap(name => STATS.map(([stat, label]) => stage(name, stat, label))),
  ...PARTS.flatMap(name => [stage(name, 'mean', 'mean'), stage(name, 'p99', 'p99')]),
  ...[...FULL, ...PARTS].map(name => perBio(name, 'mean', 'mean')),
  ...seek('issued'),
  { key: 'interleaving.switch_share', label: 'Requests that follow another process', kind: 'share', value: d => d.interleaving?.switch_share },
  { key: 'interleaving.mean_run', label: 'Requests of one process in a row', kind: 'number', value: d => d.interleaving?.mean_run },
  ...seek('queued'),
  size('queued'),
  size('issued'),
  size('completed'),
  { key: 'merges.back', label: 'Back merges', kind: 'count', value: d => d.merges.back },
  { key: 'merges.front', label: 'Front merges', kind: 'count', value: d => d.merges.front },
  { key: 'merges.requests', label: 'Requests merged into others', kind: 'count', value: d => d.merges.requests },
  { key: 'merges.q_per_d', label: 'Bios per issued request', kind: 'number', value: d => d.merges.q_per_d },
  alignment('full', 'Full-stripe requests', a => a.classes.full_stripe.requests),
  alignment('unit', 'Unit-aligned requests', a => a.classes.unit_aligned.requests),
  alignment('inside', 'Requests inside a unit', a => a.classes.inside_unit.requests),
  alignment('straddles', 'Requests that straddle a boundary', a => a.classes.straddles.requests),
  alignment('off4k', 'Requests off the 4 KiB grid', a => a.misaligned_4k),
  alignment('stripes.full', 'Stripes written in full', a => a.stripes.full),
  alignment('stripes.partial', 'Stripes written in part', a => a.stripes.partial),
  alignment('rmw.reads', 'Reads for parity, estimated', a => a.rmw.reads, { good: 'less' }),
  alignment('rmw.writes', 'Writes for parity, estimated', a => a.rmw.writes, { good: 'less' }),
  alignment('rmw.bytes', 'Extra device I/O for parity, estimated', a => a.rmw.extra_bytes, { kind: 'bytes', good: 'less' }),
  { key: 'flush.preflush', label: 'Writes with a preflush', kind: 'count', value: d => d.flush?.preflush },
  { key: 'flush.flush', label: 'Flush requests', kind: 'count', value: d => d.flush?.flush },
  { key: 'flush.fua', label: 'FUA writes', kind: 'count', value: d => d.flush?.fua },
  { key: 'flush.busy', label: 'A flush in flight', kind: 'share', of: 'run', value: d => d.flush?.busy_share },
  { key: 'sync', label: 'Sync requests', kind: 'share', value: d => d.sync_share },
  { key: 'bytes.read', label: 'Read', kind: 'bytes', value: d => d.bytes.read },
  { key: 'bytes.write', label: 'Written', kind: 'bytes', value: d => d.bytes.write },
  { key: 'bytes.discard', label: 'Discarded', kind: 'bytes', value: d => d.bytes.discard },
  ...(['Q', 'M', 'F', 'G', 'I', 'D', 'R', 'C', 'X', 'S'] as const).map(
    (action): Figure => ({ key: `events.${action}`, label: `Events ${action}`, kind: 'count', value: d => d.events[action] }),
  ),
]
