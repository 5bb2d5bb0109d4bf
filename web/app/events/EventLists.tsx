/** Every event of the visible runs, one list per run, with one filter for all. */
import { useEffect, useRef } from 'react'
import { useWidth } from '../../charts/shared/frame/useWidth'
import { visible } from '../../state/filter'
import { useActions, usePage } from '../context'
import { readLine } from './filterLine'
import { RunEvents } from './RunEvents'
import './events.css'

/** Minimum width of a list, px; with less room only one run is shown. */
const COLUMN = 520

export function EventLists() {
  const actions = useActions()
  const runs = visible(usePage(p => p.runs))
  const given = usePage(p => p.view.eventFilter) ?? ''
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const chosen = usePage(p => p.view.listed)
  const input = useRef<HTMLInputElement>(null)
  const { line, problems } = readLine(given)
  const beside = runs.length * COLUMN <= width
  const one = runs.find(r => r.id === chosen) ?? runs[0]
  const shown = beside ? runs : one ? [one] : []

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (
        event.target instanceof Element &&
        event.target.closest('input:not([type=checkbox]), textarea, select, [role=dialog]')
      )
        return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <div ref={box} className="events">
      <div className="events-tools">
        <h2>Events</h2>
        <span className="events-filter">
          <input
            ref={input}
            type="text"
            value={given}
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
              <button key={run.id} type="button" aria-pressed={run === one} onClick={() => actions.listEvents(run.id)}>
                {run.letter}
              </button>
            ))}
          </fieldset>
        )}
        <p id="events-problems" className="events-problems" aria-live="polite">
          {problems.join(' ')}
        </p>
      </div>
      <div className="events-runs" style={{ '--columns': shown.length } as React.CSSProperties}>
        {shown.map(run => (
          <RunEvents key={run.id} run={run} line={line} />
        ))}
      </div>
    </div>
  )
}
