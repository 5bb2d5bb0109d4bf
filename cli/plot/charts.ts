/** The charts by name. */

import type { PlotFrame } from './frame'
import type { PlotName } from './names'
import type { TextChart } from './text/block'
import type { Screen } from './text/screen'

type DrawText = (frame: PlotFrame, screen: Screen) => Promise<TextChart>

/** Each chart's code is loaded when it is drawn. */
const TEXTS: Readonly<Record<PlotName, () => Promise<DrawText>>> = {
  'seek-map': async () => (await import('./text/textSeekMap')).seekMapText,
  'queue-depth': async () => (await import('./text/textSeries')).depthText,
  throughput: async () => (await import('./text/textSeries')).throughputText,
  iops: async () => (await import('./text/textSeries')).iopsText,
  latency: async () => (await import('./text/textLatency')).latencyText,
  percentiles: async () => (await import('./text/textLatency')).percentilesText,
  stages: async () => (await import('./text/textBars')).stagesText,
  'request-sizes': async () => (await import('./text/textBars')).sizesText,
  alignment: async () => (await import('./text/textStripes')).alignmentText,
  stripes: async () => (await import('./text/textStripes')).stripesText,
  flushes: async () => (await import('./text/textBars')).flushesText,
}

export const chartText = async (name: PlotName, frame: PlotFrame, screen: Screen): Promise<TextChart> =>
  (await TEXTS[name]())(frame, screen)
