/**
 * Adds or changes an annotation: its run and time, the sector if it is about one, the text, and a name if the reader
 * gives one.
 */
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { counted } from '../../../lib/format'
import { MAX_AUTHOR_LENGTH, MAX_TEXT_LENGTH } from '../../../link/annotations'
import { seconds } from '../../../link/values'
import { beginOf } from '../../../state/filter'
import type { AnnotationPlace, Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { Dialog } from '../Dialog'
import { type AnnotationEntry, entryOf, readEntry } from './annotationEntry'
import './annotation-form.css'

export function AnnotationForm({ place, id }: { readonly place: AnnotationPlace; readonly id: number | undefined }) {
  const { close, saveAnnotation } = useActions()
  const runs = usePage(p => p.runs)
  const annotations = usePage(p => p.annotations)
  const previous = annotations.find(annotation => annotation.id === id)
  const [entry, setEntry] = useState(() =>
    entryOf(
      { ...(previous ?? place), run: (previous ?? place).run ?? runs[0]?.id ?? '' },
      previous?.text ?? '',
      previous ? previous.author : annotations.findLast(annotation => !annotation.theirs)?.author,
    ),
  )
  const change = (part: Partial<AnnotationEntry>) => setEntry(old => ({ ...old, ...part }))
  const messageId = useId()
  const run = runs.find(candidate => candidate.id === entry.run)
  const { draft, problem } = readEntry(entry, run)
  const save = () => {
    if (draft === undefined) return
    saveAnnotation(draft, id)
    close()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <Dialog
      title={id === undefined ? 'Annotate' : 'Edit annotation'}
      lead="It is part of this page’s address, of links and of reports. Whoever gets one can read it."
      onClose={close}
    >
      <form className="annotation-form" onSubmit={submit}>
        <TextField text={entry.text} describedBy={messageId} change={change} save={save} />
        {runs.length > 1 && (
          <Field label="Run">
            {field => (
              <select
                id={field}
                className="field"
                value={entry.run}
                onChange={event => change({ run: event.target.value })}
              >
                {runs.map(({ id, letter, label }) => (
                  <option key={id} value={id}>
                    {letter} {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <NumberField label="From, s" mode="decimal" value={entry.from} set={from => change({ from })} />
        <NumberField label="To, s (optional)" mode="decimal" value={entry.to} set={to => change({ to })} />
        <NumberField label="Sector (optional)" mode="numeric" value={entry.lba} set={lba => change({ lba })} />
        <Field label="Your name (optional)">
          {field => (
            <input
              id={field}
              className="field"
              maxLength={MAX_AUTHOR_LENGTH}
              value={entry.author}
              onChange={event => change({ author: event.target.value })}
            />
          )}
        </Field>
        <p id={messageId} className="caption" role="status" data-problem={problem !== undefined}>
          {problem ?? hintOf(entry, run)}
        </p>
        <footer className="dialog-foot">
          <button type="submit" className="button primary large" disabled={draft === undefined}>
            {id === undefined ? 'Add' : 'Save'}
          </button>
          <button type="button" className="button large" onClick={close}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** Number of characters left, when they are few; else the length of the run. */
function hintOf({ text }: AnnotationEntry, run: Run | undefined): string {
  const remaining = MAX_TEXT_LENGTH - [...text].length
  if (remaining < 100) return `${counted(remaining, 'character')} left.`
  return run?.info ? `${run.letter} runs for ${seconds(run.info.span - beginOf(run))} s.` : ''
}

interface TextFieldProps {
  readonly text: string
  readonly describedBy: string
  change(part: Partial<AnnotationEntry>): void
  save(): void
}

/** Enter saves; Shift and Enter begin a line. */
function TextField({ text, describedBy, change, save }: TextFieldProps) {
  return (
    <Field label="Text" wide>
      {field => (
        <textarea
          id={field}
          className="field"
          data-first
          rows={3}
          maxLength={MAX_TEXT_LENGTH}
          value={text}
          aria-describedby={describedBy}
          onChange={event => change({ text: event.target.value })}
          onKeyDown={event => {
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault()
              save()
            }
          }}
        />
      )}
    </Field>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly mode: 'decimal' | 'numeric'
  readonly value: string
  set(value: string): void
}

function NumberField({ label, mode, value, set }: NumberFieldProps) {
  return (
    <Field label={label}>
      {field => (
        <input
          id={field}
          className="field mono"
          inputMode={mode}
          value={value}
          onChange={event => set(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A label with its field; `children` gets the id that links both. */
function Field({ label, wide, children }: { label: string; wide?: boolean; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="annotation-field" data-wide={wide}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}
