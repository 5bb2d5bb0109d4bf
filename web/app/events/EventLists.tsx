/** Every event of the visible runs, one list per run, with one filter for all. */
import { useRef } from 'react'
import { useWidth } from '../../charts/shared/frame/useWidth'
import { visible } from '../../state/filter'
import { useActions, usePage } from '../context'
import { useSlashKey } from '../shared/useSlashKey'
import { readLine } from './filterLine'
import { RunEvents } from './RunEvents'
import './events.css'

/** Minimum width of a list, px; with less room only one run is shown. */
const COLUMN = 520

export function EventLists() {
  const actions = useActions()
  const runs = visible(usePage(p => p.runs))
  const filterText = usePage(p => p.view.eventFilter) ?? ''
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const chosenId = usePage(p => p.view.listed)
  const input = useRef<HTMLInputElement>(null)
  const { line, problems } = readLine(filterText)
  const beside = runs.length * COLUMN <= width
  const singleRun = runs.find(r => r.id === chosenId) ?? runs[0]
  const shownRuns = beside ? runs : singleRun ? [singleRun] : []

  useSlashKey(input)

  return (
    <div ref={box} className="events">
      <div className="events-tools">
        <h2>Events</h2>
        <span className="events-filter">
          <input
            ref={input}
            type="text"
            value={filterText}
            spellCheck={false}
            autoComplete="off"
            aria-label="Event filter"
            aria-describedby="events-problems"
            placeholder="op:write act:D,C sector:1000..2000 dd"
            onChange={event => actions.setEventFilter(event.target.value)}
          />
          <kbd>/</kbd>
        </span>
        {!beside && runs.length > 1 && (
          <fieldset className="segments" aria-label="Run">
            {runs.map(run => (
              <button
                key={run.id}
                type="button"
                aria-pressed={run === singleRun}
                onClick={() => actions.listEvents(run.id)}
              >
                {run.letter}
              </button>
            ))}
          </fieldset>
        )}
        <p id="events-problems" className="events-problems" aria-live="polite">
          {problems.join(' ')}
        </p>
      </div>
      <div className="events-runs" style={{ '--columns': shownRuns.length } as React.CSSProperties}>
        {shownRuns.map(run => (
          <RunEvents key={run.id} run={run} line={line} />
        ))}
      </div>
    </div>
  )
}
