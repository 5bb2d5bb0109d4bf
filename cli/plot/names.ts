/** Names of charts: those of the page. */
import { SPECS } from '../../web/charts/specs'

export type PlotName = keyof typeof SPECS

export const CHARTS = Object.keys(SPECS) as readonly PlotName[]

/** Drawn when none is named. */
export const USUAL: readonly PlotName[] = ['seek-map', 'queue-depth', 'throughput', 'latency']
