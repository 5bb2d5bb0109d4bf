import type { Sample } from '../../ingest/samples'
import { counted } from '../../lib/format'

/** A sample comparison: small seek maps, what it shows, number of events. */
export function SampleCard({ sample, disabled, onOpen }: { sample: Sample; disabled: boolean; onOpen(): void }) {
  const events = sample.runs.reduce((sum, run) => sum + run.events, 0)
  return (
    <button type="button" className="sample" disabled={disabled} onClick={onOpen}>
      <span className="sample-pictures" aria-hidden="true">
        {sample.runs.map(run => (
          <span key={run.folder} className="sample-picture">
            <svg viewBox="0 0 112 56" preserveAspectRatio="none" aria-hidden="true">
              <path d={run.picture} vectorEffect="non-scaling-stroke" />
            </svg>
            <span className="sample-short">{run.short}</span>
          </span>
        ))}
      </span>
      <span className="sample-title">{sample.title}</span>
      <span className="sample-text">{sample.text}</span>
      <span className="sample-events">{counted(events, 'event')}</span>
    </button>
  )
}
