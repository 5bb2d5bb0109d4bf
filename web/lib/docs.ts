/** The documents next to the page, and the sections to which charts link. */

export const USER_GUIDE = 'docs/user-guide.html'
export const MEASURES = 'docs/measures.html'
export const AT_SCALE = 'docs/at-scale.html'
export const LICENSES = 'licenses.html'

/** Where `docs/measures.md` defines what a chart shows. */
export const MEASURED = [
  'seek-map',
  'depth-series',
  'rate-series',
  'heat-map',
  'percentiles',
  'why-requests-were-slow',
  'files-and-structures',
  'layers',
  'calls',
  'call-stacks',
  'histograms',
  'difference',
  'stages',
  'request-sizes',
  'alignment-classes',
  'stripe-time',
  'flush',
  'counters',
  'figures',
  'what-the-application-saw',
  'results-without-a-trace',
  'where-seekscope-blkparse-prints-something-else',
  'where-seekscope-btt-prints-something-else',
] as const

export type Measured = (typeof MEASURED)[number]

export const measuredAt = (place: Measured): string => `${MEASURES}#${place}`

/** Where `docs/measures.md` defines a figure of the tables: a row, or a section. */
export const DEFINED = [
  'terms',
  'run-time',
  'queue-depth',
  'waiting',
  'starved',
  'time-states',
  'throughput',
  'iops',
  'bytes',
  'latency',
  'failed-requests',
  'request-sizes',
  'merges',
  'seek',
  'reordered',
  'migrated',
  'interleaving',
  'flush',
  'sync-share',
  'off-4k',
  'alignment-classes',
  'cost-of-partial-stripes',
] as const

export type Defined = (typeof DEFINED)[number]

export const definedAt = (place: Defined): string => `${MEASURES}#${place}`

/** `web/engine/findings.ts` links to its sections. */
export const FINDINGS = 'docs/findings.html'
