/**
 * Adds or changes an annotation: its run and time, the sector if it is about one, the text, and a name if the reader
 * gives one.
 */
import { type ReactNode, useId, useState } from 'react'
import { counted } from '../../lib/format'
import { ns, sector } from '../../lib/units'
import { annotationText, MAX_AUTHOR_LENGTH, MAX_TEXT_LENGTH } from '../../link/annotations'
import { seconds } from '../../link/values'
import { beginOf } from '../../state/filter'
import type { AnnotationPlace } from '../../state/types'
import { useActions, usePage } from '../context'
import { Dialog } from './Dialog'
import './annotation-form.css'

/** Of what was typed: ns; undefined for an empty field, `NaN` for what is no time. */
function timeTyped(text: string): number | undefined {
  if (text.trim() === '') return undefined
  return /^\s*\d{1,8}(\.\d{1,9})?\s*(s)?\s*$/.test(text) ? Math.round(Number.parseFloat(text) * 1e9) : Number.NaN
}

const typed = (value: number | undefined): string => (value === undefined ? '' : seconds(value))

export function AnnotationForm({ place, id }: { readonly place: AnnotationPlace; readonly id: number | undefined }) {
  const { close, saveAnnotation } = useActions()
  const runs = usePage(p => p.runs)
  const all = usePage(p => p.annotations)
  const old = all.find(annotation => annotation.id === id)
  const given: AnnotationPlace = old ?? place
  const [run, setRun] = useState(given.run ?? runs[0]?.id ?? '')
  const [from, setFrom] = useState(typed(given.at))
  const [end, setEnd] = useState(typed(given.to))
  const [lba, setLba] = useState(given.lba === undefined ? '' : String(Math.floor(given.lba)))
  const [text, setText] = useState(old?.text ?? '')
  const [author, setAuthor] = useState(
    old ? (old.author ?? '') : (all.findLast(annotation => !annotation.theirs)?.author ?? ''),
  )
  const said = useId()

  const [at, to] = [timeTyped(from), timeTyped(end)]
  const of = runs.find(one => one.id === run)
  const length = of?.info && of.info.span - beginOf(of)
  const problem =
    at === undefined || Number.isNaN(at)
      ? 'From is a time in seconds, such as 1.25.'
      : Number.isNaN(to) || (to !== undefined && to <= at)
        ? 'To is a later time in seconds, or empty.'
        : of?.info && at > of.info.span
          ? `${of.letter} ends at ${seconds(of.info.span)} s.`
          : /^\d{0,15}$/.test(lba.trim())
            ? undefined
            : 'Sector is a number, or empty.'
  const save = () => {
    if (problem !== undefined || at === undefined || annotationText(text) === '') return
    const places = {
      at: ns(at),
      ...(to !== undefined && { to: ns(to) }),
      ...(lba.trim() !== '' && { lba: sector(Number(lba)) }),
    }
    saveAnnotation({ run, ...places, text, author }, id)
    close()
  }
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    save()
  }
  const left = MAX_TEXT_LENGTH - [...text].length
  return (
    <Dialog
      title={id === undefined ? 'Annotate' : 'Edit annotation'}
      lead="It is part of this page’s address, of links and of reports. Whoever gets one can read it."
      onClose={close}
    >
      <form className="annotation-form" onSubmit={submit}>
        <Field label="Text" wide>
          {field => (
            <textarea
              id={field}
              className="field"
              data-first
              rows={3}
              maxLength={MAX_TEXT_LENGTH}
              value={text}
              aria-describedby={said}
              onChange={event => setText(event.target.value)}
              onKeyDown={event => {
                if (event.key === 'Enter' && !event.shiftKey) {
                  event.preventDefault()
                  save()
                }
              }}
            />
          )}
        </Field>
        {runs.length > 1 && (
          <Field label="Run">
            {field => (
              <select id={field} className="field" value={run} onChange={event => setRun(event.target.value)}>
                {runs.map(one => (
                  <option key={one.id} value={one.id}>
                    {one.letter} {one.label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <Field label="From, s">
          {field => (
            <input
              id={field}
              className="field mono"
              inputMode="decimal"
              value={from}
              onChange={event => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Field label="To, s (optional)">
          {field => (
            <input
              id={field}
              className="field mono"
              inputMode="decimal"
              value={end}
              onChange={event => setEnd(event.target.value)}
            />
          )}
        </Field>
        <Field label="Sector (optional)">
          {field => (
            <input
              id={field}
              className="field mono"
              inputMode="numeric"
              value={lba}
              onChange={event => setLba(event.target.value)}
            />
          )}
        </Field>
        <Field label="Your name (optional)">
          {field => (
            <input
              id={field}
              className="field"
              maxLength={MAX_AUTHOR_LENGTH}
              value={author}
              onChange={event => setAuthor(event.target.value)}
            />
          )}
        </Field>
        <p id={said} className="caption" role="status" data-problem={problem !== undefined}>
          {problem ??
            (left < 100
              ? `${counted(left, 'character')} left.`
              : length !== undefined && of
                ? `${of.letter} runs for ${seconds(length)} s.`
                : '')}
        </p>
        <footer className="dialog-foot">
          <button
            type="submit"
            className="button primary large"
            disabled={problem !== undefined || annotationText(text) === ''}
          >
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

/** A label and its field. */
function Field({ label, wide, children }: { label: string; wide?: boolean; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="annotation-field" data-wide={wide}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}
