/** Names of charts: those of the page's folders. */
export const CHARTS = [
  'seek-map',
  'queue-depth',
  'throughput',
  'iops',
  'latency',
  'percentiles',
  'stages',
  'request-sizes',
  'alignment',
  'stripes',
  'flushes',
] as const
export type PlotName = (typeof CHARTS)[number]

/** Drawn when none is named. */
export const USUAL: readonly PlotName[] = ['seek-map', 'queue-depth', 'throughput', 'latency']
