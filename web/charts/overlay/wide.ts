/** One plot over the full width, for all runs together. */
import type { ChartFrame } from '../shared/answers/shown'

/** The axes are those of the run that ends last, from the start of the first one. */
export function wideFrame(frame: ChartFrame): ChartFrame {
  const columns = Math.min(frame.columns, Math.max(2, frame.shown.length))
  const width = frame.plotWidth * columns + frame.sizes.gap * (columns - 1)
  const longest = frame.shown.reduce((a, b) => (b.end > a.end ? b : a))
  const begin = frame.shown.reduce((a, b) => (b.begin < a.begin ? b : a)).begin
  return { ...frame, shown: [{ ...longest, begin }], columns: 1, plotWidth: frame.stacked ? frame.plotWidth : width }
}
