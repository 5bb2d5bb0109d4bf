/** A line for runs of a table of digests: what needs their traces, and where those are. */

import { listed } from '../../../charts/shared/answers/shown'
import { CopyButton } from '../../../charts/shared/menu/CopyButton'
import { shellQuoted } from '../../../lib/text/shell'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import './digest-line.css'

/** How a trace relates to the digest that it replaced, in words. */
const WORDS = {
  same: 'SHA-256 as in the table',
  other: 'events, times and devices as in the table, but another SHA-256',
  counts: 'events, times and devices as in the table; no SHA-256 to compare',
} as const

const letters = (runs: readonly Run[]): string => listed(runs.map(run => run.letter))

/** The common base name of blktrace's files, as the command line takes it. */
const traceOf = (path: string): string => path.replace(/\.blktrace\.\d+$/, '')

export function DigestLine() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const fleet = usePage(p => p.fleet)
  const isBisection = usePage(p => p.bisection !== undefined)
  const stored = runs.flatMap(run => (run.digest ? [{ run, digest: run.digest }] : []))
  if (stored.length === 0) return undefined
  const senderRuns = runs.filter(run => run.digest && run.snapshot)
  if (isBisection)
    return (
      <section className="digest-line" aria-label="Digests">
        <button type="button" className="link" onClick={actions.removeAll}>
          ‹ Back to the bisection
        </button>
        <span>All figures are from digests: the recordings of a bisection are removed once they are measured.</span>
      </section>
    )
  const inputs = new Set(stored.map(({ digest }) => shellQuoted(digest.source ?? traceOf(digest.path))))
  const command = `seekscope compare ${[...inputs].join(' ')}`
  const recordings = recordingsOf(stored, fleet?.urls?.[0]?.url)
  return (
    <section className="digest-line" aria-label="Digests">
      {fleet && (
        <button type="button" className="link" onClick={actions.removeAll}>
          ‹ Back to the fleet
        </button>
      )}
      {senderRuns.length > 0 && (
        <>
          <span>
            {senderRuns.length === runs.length ? 'All figures are' : `Figures of ${letters(senderRuns)} are`} from{' '}
            {senderRuns.length === 1 ? 'its digest' : 'their digests'}. Drop the traces here for the seek map,
            percentiles and single requests.
          </span>
          <details className="digest-where">
            <summary>Where the traces are</summary>
            <ul>
              {stored.map(({ run, digest }) => (
                <li key={run.id}>
                  <span className="badge" data-run={run.letter}>
                    {run.letter}
                  </span>
                  <code>{digest.source ? `${digest.source}: ${traceOf(digest.path)}` : traceOf(digest.path)}</code>
                  {digest.sha256 !== undefined && (
                    <span title={digest.sha256}>SHA-256 {digest.sha256.slice(0, 12)}…</span>
                  )}
                </li>
              ))}
            </ul>
            <p>
              <code>{command}</code> <CopyButton text={command} className="link" />
            </p>
            {recordings.length > 0 && (
              <button
                type="button"
                className="button"
                onClick={() => actions.show({ kind: 'reference', reference: { urls: recordings } })}
              >
                Fetch the recordings
              </button>
            )}
          </details>
        </>
      )}
      {Object.entries(WORDS).map(([check, words]) => {
        const checkedRuns = runs.filter(run => run.digest && run.check === check)
        return checkedRuns.length === 0 ? undefined : (
          <span key={check} data-check={check} className={check === 'other' ? 'warn' : undefined}>
            {letters(checkedRuns)} read from your files: {words}.
          </span>
        )
      })}
    </section>
  )
}

/** URLs of the recordings, as they lie next to a table that came from one. */
function recordingsOf(stored: readonly { readonly digest: NonNullable<Run['digest']> }[], table: string | undefined) {
  if (table === undefined) return []
  const urls = stored.flatMap(({ digest: { source, sourceSha256 } }) => {
    if (source === undefined) return []
    const path = source.split('/').map(encodeURIComponent).join('/')
    return URL.canParse(path, table)
      ? [{ url: new URL(path, table).href, ...(sourceSha256 !== undefined && { sha: sourceSha256 }) }]
      : []
  })
  return [...new Map(urls.map(file => [file.url, file])).values()]
}
