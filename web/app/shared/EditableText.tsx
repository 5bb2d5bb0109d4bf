import { useState } from 'react'

/** A text with a button that turns it into a field. Enter and blur save the change, Esc discards it. */
export function EditableText({ text, name, onChange }: { text: string; name: string; onChange(text: string): void }) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined) {
    return (
      <span className="editable">
        <span className="editable-text" title={text}>
          {text}
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
