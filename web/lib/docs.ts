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

/** `web/engine/findings.ts` links to its sections. */
export const FINDINGS = 'docs/findings.html'
