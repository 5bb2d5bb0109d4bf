/** The list of annotations that readers added to times of runs, with the button that adds one. */
import { useEffect, useRef, useState } from 'react'
import { Badge } from '../../../charts/shared/frame/Row'
import { CopyButton } from '../../../charts/shared/menu/CopyButton'
import { count } from '../../../lib/format'
import { annotationValue, MAX_ANNOTATIONS } from '../../../link/annotations'
import { seconds } from '../../../link/values'
import { annotationsOf, type NumberedAnnotation, numbered } from '../../../state/annotations/annotations'
import { annotationsText } from '../../../state/annotations/annotationText'
import type { Annotation } from '../../../state/types'
import { useActions, usePage } from '../../context'
import './annotations.css'

export function Annotations() {
  const actions = useActions()
  const annotations = usePage(p => p.annotations)
  const runs = usePage(p => p.runs)
  const listed = usePage(p => p.listed)
  const inFile = usePage(p => p.snapshot?.inFile)
  const [deleted, setDeleted] = useState<readonly Annotation[]>()
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const shown = numbered(annotations, runs)
  const length = (annotationsOf(annotations, runs).annotations ?? []).reduce(
    (sum, entry) => sum + encodeURIComponent(annotationValue(entry)).length + 6,
    0,
  )

  useEffect(() => {
    if (listed === undefined) return
    const entry = list.current?.querySelector<HTMLElement>(`[data-annotation="${listed.annotation}"]`)
    entry?.focus()
    entry?.scrollIntoView({ block: 'nearest' })
  }, [listed])

  const remove = ({ id }: NumberedAnnotation) => {
    setDeleted(annotations)
    actions.deleteAnnotation(id)
    add.current?.focus()
  }
  const isUndoable = deleted !== undefined && deleted.length > annotations.length
  if (shown.length === 0 && !isUndoable) return undefined
  return (
    <section className="annotations" aria-label="Annotations" data-empty={shown.length === 0}>
      <header>
        <h3>Annotations</h3>
        {shown.length > 0 && (
          <span className="caption">
            {shown.length} of {MAX_ANNOTATIONS}; about {count(length)} characters of each link
          </span>
        )}
        {isUndoable && (
          <span className="caption" role="status">
            Deleted.{' '}
            <button
              type="button"
              className="link"
              onClick={() => {
                actions.restoreAnnotations(deleted)
                setDeleted(undefined)
              }}
            >
              Undo
            </button>
          </span>
        )}
        <span className="annotations-buttons">
          {shown.length > 0 && (
            <CopyButton className="button quiet" label="Copy annotations as text" text={() => annotationsText(shown)} />
          )}
          <button
            ref={add}
            type="button"
            className="button"
            disabled={annotations.length >= MAX_ANNOTATIONS}
            onClick={() => actions.annotate()}
          >
            Annotate <kbd>I</kbd>
          </button>
        </span>
      </header>
      {shown.length > 0 && (
        <ol ref={list}>
          {shown.map(annotation => (
            <Entry key={annotation.id} annotation={annotation} source={inFile ? 'report' : 'link'} remove={remove} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** Among the buttons of the findings, as long as there is no list: an empty one would only push the charts down. */
export function AnnotateButton() {
  const actions = useActions()
  const isFirst = usePage(p => p.annotations.length === 0)
  if (!isFirst) return undefined
  return (
    <button
      type="button"
      className="button quiet"
      title="Add a text to a time of a run (I)"
      onClick={() => actions.annotate()}
    >
      Annotate
    </button>
  )
}

interface EntryProps {
  readonly annotation: NumberedAnnotation
  readonly source: 'link' | 'report'
  readonly remove: (annotation: NumberedAnnotation) => void
}

function Entry({ annotation, source, remove }: EntryProps) {
  const actions = useActions()
  const { id, number, owner: run, at: start, to: end, lba, text, author, theirs } = annotation
  const hiddenNumber = <span className="visually-hidden"> annotation {number}</span>
  return (
    <li data-annotation={id} data-theirs={theirs ?? false} tabIndex={-1}>
      <span className="annotation-number" data-theirs={theirs ?? false}>
        {number}
      </span>
      <span className="annotation-place">
        <Badge letter={run.letter} />{' '}
        <span className="mono">
          {end === undefined ? `${seconds(start)} s` : `${seconds(start)}–${seconds(end)} s`}
        </span>
        {lba !== undefined && <span>sector {count(lba)}</span>}
        {/* Text of others must not run into ours. */}
        {author !== undefined && (
          <span>
            by <bdi>{author}</bdi>
          </span>
        )}
        {theirs && <span className="tag">sender’s, from the {source}</span>}
      </span>
      <p className="annotation-text">
        <bdi>{text}</bdi>
      </p>
      <span className="annotation-actions">
        <button type="button" className="link" onClick={() => actions.goToAnnotation(id)}>
          Go to{hiddenNumber}
        </button>
        <button type="button" className="link" onClick={() => actions.show({ kind: 'annotation', place: {}, id })}>
          Edit{hiddenNumber}
        </button>
        <button type="button" className="link" onClick={() => remove(annotation)}>
          Delete{hiddenNumber}
        </button>
      </span>
    </li>
  )
}
