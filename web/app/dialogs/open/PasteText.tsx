/** A field for text or URLs, where the browser does not let the page read the clipboard, as on many phones. */
import { useId, useState } from 'react'
import { useActions } from '../../context'
import { openText } from '../../usePaste'
import { Dialog } from '../Dialog'

export function PasteText() {
  const actions = useActions()
  const [text, setText] = useState('')
  const id = useId()
  return (
    <Dialog
      title="Paste"
      lead="Output of blkparse, ftrace, perf, fio or iostat, a mail with results, or URLs of traces. It stays on this computer."
      onClose={actions.close}
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          if (text.trim() === '') return
          actions.close()
          openText(text, actions)
        }}
      >
        <label htmlFor={id}>Text, or URLs one per line</label>
        <textarea
          id={id}
          className="field"
          data-first
          rows={10}
          spellCheck={false}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <footer className="dialog-foot">
          <button type="submit" className="button primary large" disabled={text.trim() === ''}>
            Open
          </button>
          <button type="button" className="button large" onClick={actions.close}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
