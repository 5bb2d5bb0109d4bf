/** The visible range in words, next to the timeline. */
import { listed } from '../../../charts/shared/answers/shown'
import { duration } from '../../../lib/format'
import { extentOf, visible } from '../../../state/filter'
import type { Page } from '../../../state/page'
import { width as rangeWidth, timesInWords } from '../../../state/range'
import { enclosing } from '../../../state/trail'
import { useActions, usePage } from '../../context'
import { isZoomed, laneRuns } from './lanes'

const ALIGNMENT_WORDS = {
  start: 'by first event',
  io: 'by first I/O',
  clock: 'by wall clock',
  hand: 'manual offset',
} as const

/** Maximum number of ranges around the visible one: the full run and the nearest one. */
const MAX_AROUND = 2

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
      <p className="range-path">
        <RangePath />
        {/* A new element, not moved text: nothing jumps when a step appears in front of it. */}
        <span key={words}>{words}</span>
      </p>
      <RangeActions />
    </section>
  )
}

function rangeWords({ runs, view: { range, ownLengths }, evidence }: Page): string {
  const extent = extentOf(runs)
  // Evidence shows another part of each run, so that no single time is true of all.
  if (evidence?.windows !== undefined) return `${duration(rangeWidth(range))} of each run`
  if (ownLengths) return 'each over its own length'
  if (isZoomed(range, extent)) return timesInWords(range)
  return extent.t0 > 0
    ? `all that was read, ${duration(extent.t0)} to ${duration(extent.t1)}`
    : `full run, 0 to ${duration(extent.t1)}`
}

/** The ranges around the visible one, each a step back to it: `Full run › 1 to 4 s ›`. */
function RangePath() {
  const actions = useActions()
  const trail = usePage(p => p.trail)
  const hasEvidence = usePage(p => p.evidence?.windows !== undefined)
  const path = enclosing(trail)
  // Evidence is a step of its own: its windows differ by run.
  const around = hasEvidence && path.length === 1 ? path : path.slice(0, -1)
  const shown = around.length > MAX_AROUND ? [around[0], around.at(-1)] : around
  return shown.map(range => (
    <span key={range ? `${range.t0} ${range.t1}` : 'full'}>
      <button
        type="button"
        className="link"
        onClick={() => (range === undefined ? actions.whole() : actions.commit(range))}
      >
        {range === undefined ? 'Full run' : timesInWords(range)}
      </button>
      <span aria-hidden="true"> › </span>
    </span>
  ))
}

/** Zooms to the selection; else a hint how to select, or how to leave the range. */
function RangeActions() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const range = usePage(p => p.view.range)
  const preview = usePage(p => p.view.preview)
  const lanes = visible(runs)
  const drawn = laneRuns(lanes, run => run)
  if (preview)
    return (
      <button type="button" className="link" onClick={() => actions.commit()}>
        Zoom to {duration(rangeWidth(preview))} <kbd>Enter</kbd>
      </button>
    )
  if (isZoomed(range, extentOf(runs)))
    return (
      <p key="leave">
        <kbd>Esc</kbd> steps out, <kbd>0</kbd> full run
      </p>
    )
  return (
    <p key="hint">
      {lanes.length > drawn.length ? (
        `${listed(drawn.map(run => run.letter))} of ${lanes.length} runs are drawn`
      ) : (
        <>
          drag to select <kbd>W</kbd> <kbd>S</kbd> zoom
        </>
      )}
    </p>
  )
}
