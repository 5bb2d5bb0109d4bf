/** The charts by name. */
import type { TextChart } from './block'
import type { PlotFrame } from './frame'
import type { PlotName } from './names'
import type { Screen } from './screen'

type DrawText = (frame: PlotFrame, screen: Screen) => Promise<TextChart>

/** Each chart's code is loaded when it is drawn. */
const TEXTS: Readonly<Record<PlotName, () => Promise<DrawText>>> = {
  'seek-map': async () => (await import('./textSeekMap')).seekMapText,
  'queue-depth': async () => (await import('./textSeries')).depthText,
  throughput: async () => (await import('./textSeries')).throughputText,
  iops: async () => (await import('./textSeries')).iopsText,
  latency: async () => (await import('./textLatency')).latencyText,
  percentiles: async () => (await import('./textLatency')).percentilesText,
  stages: async () => (await import('./textBars')).stagesText,
  'request-sizes': async () => (await import('./textBars')).sizesText,
  alignment: async () => (await import('./textStripes')).alignmentText,
  stripes: async () => (await import('./textStripes')).stripesText,
  flushes: async () => (await import('./textBars')).flushesText,
}

export const chartText = async (name: PlotName, frame: PlotFrame, screen: Screen): Promise<TextChart> =>
  (await TEXTS[name]())(frame, screen)
