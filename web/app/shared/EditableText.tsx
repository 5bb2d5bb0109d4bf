import { useState } from 'react'

interface EditableTextProps {
  readonly text: string
  /** A shorter form of the text, for places without room for it. */
  readonly shortText?: string | undefined
  readonly name: string
  onChange(text: string): void
}

/** A text with a button that turns it into a field. Enter and blur save the change, Esc discards it. */
export function EditableText({ text, shortText = text, name, onChange }: EditableTextProps) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined) {
    return (
      <span className="editable">
        <span className="editable-text" title={text}>
          {shortText}
        </span>
        <button
          type="button"
          className="button square editable-pencil"
          aria-label={`Rename ${name}`}
          onClick={() => setDraft(text)}
        >
          <span aria-hidden="true">✎</span>
        </button>
      </span>
    )
  }
  const save = () => {
    onChange(draft)
    setDraft(undefined)
  }
  return (
    <input
      className="field editable-field"
      aria-label={`Name of ${name}`}
      ref={input => input?.focus()}
      value={draft}
      maxLength={200}
      onChange={event => setDraft(event.target.value)}
      onBlur={save}
      onKeyDown={event => {
        if (event.key === 'Enter') save()
        if (event.key === 'Escape') setDraft(undefined)
      }}
    />
  )
}
