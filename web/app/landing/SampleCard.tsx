import { SAMPLE_MAIL, type Sample } from '../../ingest/samples'
import { counted } from '../../lib/format'

/** A sample comparison: small seek maps, what it shows, number of records. */
export function SampleCard({ sample, disabled, onOpen }: { sample: Sample; disabled: boolean; onOpen(): void }) {
  const records = sample.runs.reduce((sum, run) => sum + run.records, 0)
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
      <span className="sample-records">{counted(records, 'record')}</span>
    </button>
  )
}

const BAR = { step: 22, width: 14, height: 56 }

/** The mail among the samples: its two tables as bars. */
export function MailCard({ disabled, onOpen }: { disabled: boolean; onOpen(): void }) {
  const { title, text, sides } = SAMPLE_MAIL
  const max = Math.max(...sides.flatMap(side => side.values))
  const bar = (value: number, i: number) => {
    const top = BAR.height * (1 - value / max)
    return `M${4 + i * BAR.step} ${BAR.height}V${top.toFixed(1)}h${BAR.width}V${BAR.height}`
  }
  return (
    <button type="button" className="sample" disabled={disabled} onClick={onOpen}>
      <span className="sample-pictures" aria-hidden="true">
        {sides.map(({ short, values }) => (
          <span key={short} className="sample-picture">
            <svg viewBox="0 0 112 56" preserveAspectRatio="none" aria-hidden="true">
              <path d={values.map(bar).join('')} vectorEffect="non-scaling-stroke" />
            </svg>
            <span className="sample-short">{short}</span>
          </span>
        ))}
      </span>
      <span className="sample-title">{title}</span>
      <span className="sample-text">{text}</span>
      <span className="sample-records">a text, no trace</span>
    </button>
  )
}
