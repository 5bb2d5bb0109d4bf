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

/** Codes of findings; stable. */
export const FINDING_CODES = [
  'not-the-same-work',
  'trace-incomplete',
  'other-process',
  'failures-appeared',
  'starved-while-waiting',
  'idle-grew',
  'throttled',
  'unplug-timer',
  'writes-throttled',
  'tags-exhausted',
  'depth-fell',
  'requests-split',
  'requests-smaller',
  'merging-stopped',
  'alignment-lost',
  'rmw-cost',
  'off-physical-block',
  'reordering-fell',
  'seeks-grew',
  'interleaving-grew',
  'flushes-appeared',
  'fua-appeared',
  'write-through',
  'sync-changed',
  'scheduler-slower',
  'device-slower',
  'placement-moved',
  'zone-resets',
  'off-write-pointer',
  'tail-cause',
  'completions-migrated',
  'drift-within-run',
  'readahead-shrank',
  'setting-changed',
  'behaves-differently',
  'no-real-difference',
] as const

export type FindingCode = (typeof FINDING_CODES)[number]

/** Codes of findings about one run; stable. */
export const RUN_FINDING_CODES = [
  'requests-failed',
  'held-back',
  'mostly-idle',
  'waiting-for-tags',
  'waiting-for-unplug-timer',
  'waiting-before-issue',
  'flushes-in-flight',
  'queue-shallow',
  'device-slower-at-times',
  'slow-tail',
  'writes-off-block',
  'partial-stripes',
  'small-requests',
  'events-missing',
  'nothing-held-back',
] as const

export type RunFindingCode = (typeof RUN_FINDING_CODES)[number]

export const FINDINGS = 'docs/findings.html'

/** Where `docs/findings.md` explains a finding, or how noise is judged. */
export const explained = (place: FindingCode | RunFindingCode | 'how-noise-is-judged'): string => `${FINDINGS}#${place}`
