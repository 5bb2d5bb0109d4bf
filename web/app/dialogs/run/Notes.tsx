/** The notes of a run: facts, and the text itself on demand. */
import { useState } from 'react'
import { CopyButton } from '../../../charts/shared/menu/CopyButton'
import { bySubject, factValue } from '../../../lib/facts'
import { counted, size } from '../../../lib/format'
import type { Run, RunNote } from '../../../state/types'
import { useActions } from '../../context'
import { Dialog, DialogFoot } from '../Dialog'
import './notes.css'

/** Maximum number of bytes shown of a text. */
const MAX_TEXT_BYTES = 256 << 10

export function Notes({ run }: { readonly run: Run }) {
  const { close, editGeometry } = useActions()
  const notes = run.notes ?? []
  const used = 'kernel, labels, device names, dropped events, benchmark results and suggested geometry'
  const found = `${counted(notes.length, 'text file')} found with ${run.label}.`
  return (
    <Dialog
      title={`Notes of ${run.letter}`}
      lead={`${found} Seekscope uses from them: ${used}. The rest is for reference.`}
      onClose={close}
    >
      {notes.map((note, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is open
        <Section key={i} note={note} />
      ))}
      <DialogFoot onClose={close}>
        {notes.some(n => n.arrays) && (
          <button type="button" className="button large" onClick={editGeometry}>
            Storage geometry
          </button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

function Section({ note }: { readonly note: RunNote }) {
  return (
    <section className="note" data-file={note.file} data-note={note.kind}>
      <h3>
        <span className="mono">{note.file}</span> <span className="caption">{note.what}</span>
      </h3>
      {bySubject(note.facts).map(([subject, facts]) => (
        <div key={subject ?? ''} className="facts">
          {subject !== undefined && <h4>{subject}</h4>}
          <dl>
            {facts.map((fact, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text may repeat a fact
              <div key={i}>
                <dt>{fact.name}</dt>
                <dd className="mono">{factValue(fact)}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {note.lines && note.lines.length > 0 && <pre className="note-text">{note.lines.join('\n')}</pre>}
      <NoteText blob={note.blob} />
    </section>
  )
}

/** The complete text, read only when the section is opened. */
function NoteText({ blob }: { readonly blob: Blob }) {
  const [text, setText] = useState<string>()
  const read = () => {
    blob
      .slice(0, MAX_TEXT_BYTES)
      .text()
      .then(setText, () => setText('Cannot read the file: it was moved or changed.'))
  }
  return (
    <details onToggle={event => event.currentTarget.open && text === undefined && read()}>
      <summary>Full text, {size(blob.size)}</summary>
      {text !== undefined && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre className="note-text" tabIndex={0}>
            {text}
          </pre>
          {blob.size > MAX_TEXT_BYTES && <p className="caption">First {size(MAX_TEXT_BYTES)}.</p>}
          <CopyButton text={text} />
        </>
      )}
    </details>
  )
}
