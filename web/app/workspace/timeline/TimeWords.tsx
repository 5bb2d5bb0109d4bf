/** The visible range in words, next to the timeline. */
import { atTime, duration } from '../../../lib/format'
import { extentOf, visible } from '../../../state/filter'
import type { Page } from '../../../state/page'
import { width as rangeWidth } from '../../../state/range'
import { useActions, usePage } from '../../context'
import { isZoomed, MAX_LANES } from './lanes'

const ALIGNMENT_WORDS = {
  start: 'by first event',
  io: 'by first I/O',
  clock: 'by wall clock',
  hand: 'manual offset',
} as const

export function TimeWords() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const align = usePage(p => p.view.align)
  const several = runs.filter(r => !r.hidden).length > 1
  const words = usePage(rangeWords)
  return (
    <section className="time-words" aria-label="Visible range">
      <h2>
        Time
        {several && (
          <button
            type="button"
            className="link"
            title="Align runs in time"
            onClick={() => actions.show({ kind: 'align' })}
          >
            {ALIGNMENT_WORDS[align ?? 'start']}
          </button>
        )}
      </h2>
      <p>{words}</p>
      <RangeActions />
    </section>
  )
}

function rangeWords({ runs, view: { range }, evidence }: Page): string {
  const extent = extentOf(runs)
  const digits = rangeWidth(range) / 100
  // Evidence shows another part of each run, so that no single time is true of all.
  if (evidence?.windows !== undefined) return `${duration(rangeWidth(range))} of each run`
  if (isZoomed(range, extent)) return `${atTime(range.t0, digits)} to ${atTime(range.t1, digits)} s`
  return extent.t0 > 0
    ? `all that was read, ${duration(extent.t0)} to ${duration(extent.t1)}`
    : `full run, 0 to ${duration(extent.t1)}`
}

/** Actions for the range: zoom to the selection or go back; else a hint how to select. */
function RangeActions() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const range = usePage(p => p.view.range)
  const preview = usePage(p => p.view.preview)
  const steps = usePage(p => p.trail.index)
  const lanes = visible(runs)
  if (preview)
    return (
      <button type="button" className="link" onClick={() => actions.commit()}>
        Zoom to {duration(rangeWidth(preview))} <kbd>Enter</kbd>
      </button>
    )
  if (isZoomed(range, extentOf(runs)) || steps > 0)
    return (
      <p>
        <button type="button" className="link" onClick={actions.back}>
          Back
        </button>{' '}
        <button type="button" className="link" onClick={actions.whole}>
          Full run
        </button>
      </p>
    )
  return (
    <p>
      {lanes.length > MAX_LANES ? (
        `${lanes[0]?.letter} to ${lanes[MAX_LANES - 1]?.letter} of ${lanes.length} are drawn`
      ) : (
        <>
          drag to select <kbd>W</kbd> <kbd>S</kbd> zoom
        </>
      )}
    </p>
  )
}
