/** Charts as text, by name. */
import { wholeView } from '../../web/charts/shared/spec'
import { SPECS } from '../../web/charts/specs'
import type { PlotFrame } from './frame'
import { loadAnswers } from './load'
import type { PlotName } from './names'
import type { TextChart } from './text/block'
import type { Screen } from './text/screen'

type DrawText = (frame: PlotFrame, screen: Screen) => Promise<TextChart>

/** What draws a chart in characters, loaded when it is drawn. A chart that is not here is told in words. */
const TEXTS: Readonly<Partial<Record<PlotName, () => Promise<DrawText>>>> = {
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
}

async function wordsOnly(frame: PlotFrame, name: PlotName): Promise<TextChart> {
  const [spec, { specText }] = await Promise.all([SPECS[name](), import('./text/specText')])
  const cells = wholeView(frame)
  const answers = await loadAnswers(frame, spec, () => cells)
  return { ...specText(frame, spec, answers, cells), legend: [], plots: [] }
}

export async function chartText(name: PlotName, frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const text = TEXTS[name]
  return text === undefined ? wordsOnly(frame, name) : (await text())(frame, screen)
}
