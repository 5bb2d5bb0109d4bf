/** Opens traces by URL, one per line, fetched when the user presses Fetch. */
import { useEffect, useId, useRef, useState } from 'react'
import type { EngineError } from '../../../engine/protocol'
import { type FetchProgresses, fetchAll } from '../../../ingest/fetchAll'
import { urlsIn } from '../../../ingest/url'
import { encodeLink } from '../../../link/link'
import { useActions } from '../../context'
import { Confirm } from '../Confirm'
import { Dialog } from '../Dialog'
import { ErrorFacts } from '../ErrorFacts'
import { FetchProgress } from './FetchProgress'
import './addresses.css'

const addressError = (line: string): EngineError => ({
  code: 'bad-address',
  message: 'Not a valid URL.',
  at: { file: line },
  remedy: 'A URL starts with https:// or http://.',
})

export function Addresses({ initial }: { readonly initial: string | undefined }) {
  const { open, close } = useActions()
  const [text, setText] = useState(initial ?? '')
  const [progress, setProgress] = useState<FetchProgresses>()
  const [errors, setErrors] = useState<readonly EngineError[]>([])
  const fetching = useRef<AbortController>(undefined)
  const id = useId()
  useEffect(() => () => fetching.current?.abort(), [])

  async function submit(event: React.FormEvent) {
    event.preventDefault()
    const lines = urlsIn(text)
    if (lines.length === 0 || progress) return
    const control = new AbortController()
    fetching.current = control
    setErrors([])
    setProgress(new Map())
    const urls = lines.flatMap(line => (typeof line === 'string' ? [] : [line]))
    const outcomes = await fetchAll(urls, setProgress, control.signal)
    setProgress(undefined)
    if (control.signal.aborted) return
    const failed = lines.flatMap(line => {
      if (typeof line === 'string') return [{ url: line, error: addressError(line) }]
      const outcome = outcomes[urls.indexOf(line)]
      return outcome && 'error' in outcome ? [outcome] : []
    })
    const files = outcomes.flatMap(o => ('file' in o ? [o.file] : []))
    if (failed.length === 0) close()
    // Failed URLs stay in the field to be corrected; the others are opened.
    setErrors(failed.map(f => f.error))
    setText(failed.map(f => f.url).join('\n'))
    if (files.length > 0) await open(files)
  }

  /** Opens the URLs as a link in a new tab, where the hosts are confirmed. */
  const fetchInTab = () => {
    const urls = urlsIn(text).flatMap(line => (typeof line === 'string' ? [] : [{ url: line.href }]))
    window.open(`${location.href.split('#', 1)[0]}#${encodeLink({ urls })}`)
    close()
  }

  return (
    <Dialog
      title="Open URLs"
      lead="Your browser fetches them directly, without cookies, when you press Fetch. No other host is contacted."
      onClose={close}
    >
      <form onSubmit={event => void submit(event)}>
        <label htmlFor={id}>URLs of traces or archives, one per line</label>
        <textarea
          id={id}
          className="field mono addresses"
          data-first
          rows={4}
          value={text}
          placeholder="https://example.org/before.tar.xz"
          spellCheck={false}
          autoComplete="off"
          readOnly={progress !== undefined}
          onChange={event => setText(event.target.value)}
        />
        {progress && <FetchProgress progress={progress} />}
        {errors.map((error, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is only replaced, never reordered
          <ErrorFacts key={i} error={error} titled={errors.length > 1} />
        ))}
        <footer className="dialog-foot">
          <Confirm disabled={progress !== undefined || text.trim() === ''} onNewTab={fetchInTab}>
            Fetch
          </Confirm>
          <button
            type="button"
            className="button large"
            onClick={() => (progress ? fetching.current?.abort() : close())}
          >
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
