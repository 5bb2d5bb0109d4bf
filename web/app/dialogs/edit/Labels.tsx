import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { MAX_LABEL_COLUMNS } from '../../../link/view'
import type { Page } from '../../../state/page'
import { labelOf, withoutPart, withPart, withPartName, withPasted, withValue } from '../../../state/runs/labels'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { Dialog, DialogFoot } from '../Dialog'
import './labels.css'

/** Keys that move to the field above or below. */
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }

/** The labels of all runs by dimension: one row per run, one column per dimension. */
export function Labels() {
  const actions = useActions()
  const table = usePage(p => p.labels)
  return (
    <Dialog
      title="Labels"
      lead="Dimensions in which the runs differ, guessed from their names and notes. The matrix uses them as rows and columns."
      wide
      onClose={actions.close}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="labels-scroll" tabIndex={0} aria-label="Table of labels">
        <LabelTable />
      </section>
      {table.parts.length === 0 && <p>The names don't show how the runs differ. Add a column.</p>}
      <Repeats />
      <p className="caption">
        Up and Down move between runs, Tab between columns. You can paste cells from a spreadsheet.
      </p>
      <DialogFoot onClose={actions.close} close="Done">
        <button
          type="button"
          className="button large"
          disabled={table.parts.length >= MAX_LABEL_COLUMNS}
          onClick={() => actions.label(withPart)}
        >
          Add a column
        </button>
        {table.edited && (
          <button type="button" className="button quiet large" onClick={actions.guessLabels}>
            Guess again
          </button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

function LabelTable() {
  const runs = usePage(p => p.runs)
  const table = usePage(p => p.labels)
  const box = useRef<HTMLTableElement>(null)
  const moveFocus = (event: KeyboardEvent) => {
    const offset = STEPS[event.key]
    const field = event.target instanceof HTMLInputElement ? event.target.dataset : undefined
    if (!offset || !field || !box.current) return
    event.preventDefault()
    const line = Number(field.line) + offset
    const next = box.current.querySelector<HTMLInputElement>(`input[data-line="${line}"][data-part="${field.part}"]`)
    next?.focus()
    // Typing replaces the value, as in a spreadsheet.
    next?.select()
  }
  return (
    <table className="labels" ref={box} onKeyDown={moveFocus}>
      <thead>
        <tr>
          <th scope="col">Run</th>
          {table.parts.map(part => (
            <PartHead key={part.key} part={part} />
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map((run, line) => (
          <tr key={run.id} data-run={run.letter}>
            <th scope="row" title={run.label}>
              <span className="labels-run">
                <span className="badge">{run.letter}</span>
                <span>{run.label}</span>
              </span>
            </th>
            {table.parts.map(part => (
              <td key={part.key}>
                <LabelField run={run} part={part} line={line} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type LabelPart = Page['labels']['parts'][number]

function PartHead({ part: { key, name } }: { readonly part: LabelPart }) {
  const actions = useActions()
  return (
    <th scope="col">
      <span className="labels-part">
        <input
          className="field"
          aria-label={`Name of the column ${name}`}
          data-line={-1}
          data-part={key}
          defaultValue={name}
          key={name}
          onBlur={event => actions.label(labels => withPartName(labels, key, event.target.value))}
        />
        <button
          type="button"
          className="button quiet square"
          aria-label={`Remove the column ${name}`}
          title="Remove this column"
          onClick={() => actions.label(labels => withoutPart(labels, key))}
        >
          <span aria-hidden="true">×</span>
        </button>
      </span>
    </th>
  )
}

interface LabelFieldProps {
  readonly run: Run
  readonly part: LabelPart
  readonly line: number
}

function LabelField({ run, part: { key, name }, line }: LabelFieldProps) {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const value = usePage(p => labelOf(p.labels, run.id, key))
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text)) return
    event.preventDefault()
    const ids = runs.map(run => run.id)
    actions.label(labels => withPasted(labels, ids, { run: run.id, part: key }, text))
  }
  return (
    <input
      key={value}
      className="field mono"
      aria-label={`${run.letter}, ${name}`}
      data-line={line}
      data-part={key}
      defaultValue={value}
      placeholder="–"
      autoComplete="off"
      spellCheck={false}
      onPaste={paste}
      onBlur={event => {
        if (event.target.value !== value) actions.label(labels => withValue(labels, run.id, key, event.target.value))
      }}
    />
  )
}

/** Runs whose names say that they repeat one measurement. */
function Repeats() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const { groups } = usePage(p => p.labels)
  const repeats = groups
    .map(group => ({ label: group.label, runs: runs.filter(run => group.runs.includes(run.id)) }))
    .filter(group => group.runs.length > 1)
  if (repeats.length === 0) return null
  return (
    <p className="labels-groups">
      Repeats: {repeats.map(({ label, runs }) => `${label} (${runs.map(run => run.letter).join(', ')})`).join('; ')}.{' '}
      <button type="button" className="link" onClick={() => actions.groupByName(true)}>
        Group them
      </button>
    </p>
  )
}
