/** Fetches the traces of a reference link, after the user has agreed to contact their hosts. */
import { useEffect, useId, useRef, useState } from 'react'
import { allow, isAllowed } from '../../../ingest/allowed'
import { type FetchOutcome, type FetchProgresses, fetchAll } from '../../../ingest/fetchAll'
import type { FoundFile } from '../../../ingest/found'
import { isOwn, rawUrl } from '../../../ingest/url'
import { counted } from '../../../lib/format'
import type { Reference } from '../../../state/runs/sources'
import { useActions } from '../../context'
import { Confirm } from '../Confirm'
import { Dialog } from '../Dialog'
import { ErrorFacts } from '../ErrorFacts'
import { FetchProgress } from './FetchProgress'
import './addresses.css'

interface Host {
  readonly origin: string
  readonly addresses: readonly string[]
}

/** Groups URLs by host, without this page's own: consent is given per host. */
function hostsOf(urls: readonly URL[]): readonly Host[] {
  const foreign = urls.filter(url => !isOwn(rawUrl(url)))
  const origins = [...new Set(foreign.map(url => rawUrl(url).origin))]
  return origins.map(origin => ({
    origin,
    addresses: foreign.flatMap(url => (rawUrl(url).origin === origin ? [url.href] : [])),
  }))
}

const fileOf = (url: URL, outcomes: readonly FetchOutcome[]): FoundFile | undefined => {
  const outcome = outcomes.find(o => o.url === url.href)
  return outcome && 'file' in outcome ? outcome.file : undefined
}

/** Fetches the files that are still missing; `open` gets all outcomes once none of them is an error. */
function useFetch(urls: readonly URL[], open: (outcomes: readonly FetchOutcome[]) => void) {
  const [progress, setProgress] = useState<FetchProgresses>()
  const [outcomes, setOutcomes] = useState<readonly FetchOutcome[]>([])
  const fetching = useRef<AbortController>(undefined)
  useEffect(() => () => fetching.current?.abort(), [])
  const fetchMissing = async () => {
    const control = new AbortController()
    fetching.current = control
    setProgress(new Map())
    const missing = urls.filter(
      (url, i) => fileOf(url, outcomes) === undefined && urls.findIndex(u => u.href === url.href) === i,
    )
    const fetched = await fetchAll(missing, setProgress, control.signal)
    if (control.signal.aborted) return
    const allOutcomes = [...outcomes.filter(o => 'file' in o), ...fetched]
    setProgress(undefined)
    setOutcomes(allOutcomes)
    if (allOutcomes.every(o => 'file' in o)) open(allOutcomes)
  }
  return { progress, outcomes, fetchMissing }
}

export function ReferenceLink({ reference }: { readonly reference: Reference }) {
  const { close, openReference } = useActions()
  const urls = reference.urls.map(({ url }) => new URL(url))
  const unknown = hostsOf(urls).filter(host => !isAllowed(host.origin))
  const open = (outcomes: readonly FetchOutcome[]) => {
    close()
    void openReference(
      reference,
      urls.map(url => fileOf(url, outcomes)),
    )
  }
  const { progress, outcomes, fetchMissing } = useFetch(urls, open)
  // URLs of this host, and of hosts allowed before, need no consent.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (unknown.length === 0) void fetchMissing()
  }, [])
  if (progress)
    return (
      <Dialog
        key="progress"
        title={`Fetching ${counted(urls.length, 'file')}`}
        lead="Files are read in your browser, as if you had dropped them."
        onClose={close}
      >
        <FetchProgress progress={progress} />
        <footer className="dialog-foot">
          <button type="button" className="button large" data-first onClick={close}>
            Cancel
          </button>
        </footer>
      </Dialog>
    )
  if (outcomes.some(o => 'error' in o))
    return (
      <FailedFetch
        key="failed"
        outcomes={outcomes}
        total={urls.length}
        retry={() => void fetchMissing()}
        openFetched={() => open(outcomes)}
      />
    )
  return unknown.length > 0 ? (
    <Consent key="asking" urls={urls} unknown={unknown} fetch={() => void fetchMissing()} />
  ) : undefined
}

interface FailedFetchProps {
  readonly outcomes: readonly FetchOutcome[]
  readonly total: number
  retry(): void
  openFetched(): void
}

function FailedFetch({ outcomes, total, retry, openFetched }: FailedFetchProps) {
  const { close } = useActions()
  const failed = outcomes.flatMap(o => ('error' in o ? [o] : []))
  const fetched = outcomes.length - failed.length
  return (
    <Dialog title={`${counted(failed.length, 'file')} of ${total} could not be fetched`} sign="!" onClose={close}>
      {failed.map(({ url, error }) => (
        <ErrorFacts key={url} error={error} titled={failed.length > 1} />
      ))}
      <footer className="dialog-foot">
        <button type="button" className="button primary large" data-first onClick={retry}>
          Retry
        </button>
        {fetched > 0 && (
          <button type="button" className="button large" onClick={openFetched}>
            Open {fetched === 1 ? 'the fetched file' : `the ${fetched} fetched files`}
          </button>
        )}
        <button type="button" className="button quiet large" onClick={close}>
          Cancel
        </button>
      </footer>
    </Dialog>
  )
}

interface ConsentProps {
  readonly urls: readonly URL[]
  /** Hosts that the user has not yet agreed to contact. */
  readonly unknown: readonly Host[]
  fetch(): void
}

function Consent({ urls, unknown, fetch }: ConsentProps) {
  const { close } = useActions()
  const [remember, setRemember] = useState(false)
  const box = useId()
  const single = unknown.length === 1
  const source = single ? hostName(unknown[0]?.origin ?? '') : counted(unknown.length, 'host')
  const contact = single ? 'the host below, which sees' : 'the hosts below, which see'
  const lead = [
    `This contacts ${contact} your IP address and the files requested, and may redirect to another host.`,
    'No cookies are sent. The traces stay in your browser.',
  ].join(' ')
  return (
    <Dialog title={`Fetch ${counted(urls.length, 'trace file')} from ${source}?`} lead={lead} onClose={close}>
      <ul className="addresses-hosts">
        {hostsOf(urls).map(({ origin, addresses }) => (
          <li key={origin}>
            <strong>{hostName(origin)}</strong>
            {origin.startsWith('http:') && <span className="caption"> not encrypted</span>}
            <ul>
              {addresses.map(address => (
                <li key={address} className="mono">
                  {address}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <label htmlFor={box} className="addresses-remember">
        <input id={box} type="checkbox" checked={remember} onChange={event => setRemember(event.target.checked)} />
        do not ask again for {single ? 'this host' : 'these hosts'} until I close this tab
      </label>
      <footer className="dialog-foot">
        <Confirm
          onConfirm={() => {
            if (remember) allow(unknown.map(host => host.origin))
            fetch()
          }}
          onNewTab={() => {
            window.open(location.href)
            close()
          }}
        >
          Open
        </Confirm>
        <button type="button" className="button large" data-first onClick={close}>
          Cancel
        </button>
      </footer>
    </Dialog>
  )
}

const hostName = (origin: string): string => origin.replace(/^https?:\/\//, '')
