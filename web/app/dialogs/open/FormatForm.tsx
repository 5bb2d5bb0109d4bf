import { useId, useState } from 'react'
import type { DroppedFile } from '../../../engine/protocol'
import { useActions } from '../../context'

/** Opens text that blkparse printed with a custom format. */
export function FormatForm({ texts }: { texts: readonly DroppedFile[] }) {
  const { close, open } = useActions()
  const [pattern, setPattern] = useState(texts.find(text => text.pattern !== undefined)?.pattern ?? '')
  const id = useId()
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (pattern.trim() === '') return
    close()
    void open(texts.map(text => ({ ...text, pattern })))
  }
  return (
    <form className="format-form" onSubmit={submit}>
      <label htmlFor={id}>
        Printed with <code>blkparse -f</code>? Enter the format string.
      </label>
      <div>
        <input
          id={id}
          className="field mono"
          value={pattern}
          placeholder="%D %2c %8s %5T.%9t %5p %2a %3d %S %n %C"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={event => setPattern(event.target.value)}
        />
        <button type="submit" className="button large" disabled={pattern.trim() === ''}>
          Open with this format
        </button>
      </div>
    </form>
  )
}
