/** Traces from the web: addresses, one a line, fetched when the reader says so. */
import { useEffect, useId, useRef, useState } from 'react'
import type { EngineError } from '../../engine/protocol'
import type { FoundFile } from '../../ingest/found'
import { addressesIn, type Fetched, fetchFile } from '../../ingest/url'
import { counted, megabytes } from '../../lib/format'
import { asEngineError } from '../../state/opening'
import { useActions } from '../context'
import { Dialog } from './Dialog'
import { ErrorFacts } from './ErrorFacts'
import './addresses.css'

type Outcome = { readonly file: FoundFile } | { readonly error: EngineError; readonly line: string }

const notAnAddress = (line: string): EngineError => ({
  code: 'bad-address',
  message: 'This is no address of a file.',
  at: { file: line },
  remedy: 'An address begins with https:// or http://.',
})

export function Addresses({ given }: { readonly given: string | undefined }) {
  const { open, close } = useActions()
  const [text, setText] = useState(given ?? '')
  const [progress, setProgress] = useState<ReadonlyMap<string, Fetched>>()
  const [errors, setErrors] = useState<readonly EngineError[]>([])
  const fetching = useRef<AbortController>(undefined)
  const id = useId()
  useEffect(() => () => fetching.current?.abort(), [])

  async function fetchAll(event: React.FormEvent) {
    event.preventDefault()
    const lines = addressesIn(text)
    if (lines.length === 0 || progress) return
    const control = new AbortController()
    fetching.current = control
    setErrors([])
    setProgress(new Map())
    const outcomes = await Promise.all(
      lines.map(async (line): Promise<Outcome> => {
        if (typeof line === 'string') return { error: notAnAddress(line), line }
        const tell = (fetched: Fetched) => setProgress(known => known && new Map(known).set(line.href, fetched))
        try {
          return { file: await fetchFile(line, tell, control.signal) }
        } catch (thrown) {
          return { error: asEngineError(thrown), line: line.href }
        }
      }),
    )
    setProgress(undefined)
    if (control.signal.aborted) return
    const failed = outcomes.flatMap(o => ('error' in o ? [o] : []))
    const files = outcomes.flatMap(o => ('file' in o ? [o.file] : []))
    if (failed.length === 0) close()
    // What failed stays here, to be mended; the rest is opened.
    setErrors(failed.map(f => f.error))
    setText(failed.map(f => f.line).join('\n'))
    if (files.length > 0) await open(files)
  }

  return (
    <Dialog
      title="Open addresses"
      lead="Your browser fetches them from their hosts, without cookies, when you press Fetch. This page asks nobody else."
      onClose={close}
    >
      <form onSubmit={event => void fetchAll(event)}>
        <label htmlFor={id}>Addresses of traces or archives, one a line</label>
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
        {progress && <Progress progress={progress} />}
        {errors.map((error, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <ErrorFacts key={i} error={error} titled={errors.length > 1} />
        ))}
        <footer className="dialog-foot">
          <button type="submit" className="button primary large" disabled={progress !== undefined || text.trim() === ''}>
            Fetch
          </button>
          <button type="button" className="button large" onClick={() => (progress ? fetching.current?.abort() : close())}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** How far all of them are together; without a bar where a host does not tell its file's length. */
function Progress({ progress }: { readonly progress: ReadonlyMap<string, Fetched> }) {
  const all = [...progress.values()]
  const bytes = all.reduce((sum, f) => sum + f.bytes, 0)
  const total = all.reduce((sum, f) => sum + (f.totalBytes ?? Number.NaN), 0)
  return (
    <div className="addresses-progress">
      <progress aria-label="Fetching" {...(total > 0 && { max: total, value: bytes })} />
      <p className="caption" aria-live="polite">
        {all.length === 0
          ? 'asking'
          : `${megabytes(bytes)}${total > 0 ? ` of ${megabytes(total)}` : ''} MB${all.length > 1 ? ` of ${counted(all.length, 'file')}` : ''}`}
      </p>
    </div>
  )
}
