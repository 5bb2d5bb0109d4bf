/** Flushes and FUA writes, in words. */
import type { ChartFrame } from '../shared/answers/shown'
import { SpecPanel } from '../shared/frame/SpecPanel'
import { wholeView } from '../shared/spec'
import { flushes } from './spec'

export function Flushes({ frame }: { readonly frame: ChartFrame }) {
  const cells = wholeView(frame)
  return (
    <SpecPanel frame={frame} spec={flushes} panel={flushes.panel(frame, {})} answers={{}} cells={cells} ignoresFilters>
      {flushes.words(frame, {}, cells).map(sentence => (
        <p key={sentence} className="chart-sentence">
          {sentence}
        </p>
      ))}
    </SpecPanel>
  )
}
