/** Shares the comparison: a link that contains the charts, a link with the trace URLs, or a report file. */
import { type ReactNode, useId, useState } from 'react'
import { CopyButton } from '../../charts/shared/CopyButton'
import { fileName, saveFile } from '../../charts/shared/files'
import { asEngineError } from '../../engine/errors'
import type { ResultsDocument, SnapshotSize } from '../../engine/protocol'
import { count, counted } from '../../lib/format'
import { longest, referenceAddress, SHORT, SHORTEST, snapshotAddress } from '../../share/address'
import { appAsOneFile } from '../../share/appFile'
import { opensWhere } from '../../share/reach'
import { reportOf } from '../../share/reportOf'
import { MAX_BRIEF_RUNS, sumsOf } from '../../share/take'
import { askedFor } from '../../state/comparing'
import { titleOf } from '../../state/page'
import { carriedSnapshot } from '../../state/snapshots'
import { useActions, usePage } from '../context'
import { CopyForMail } from '../workspace/Findings'
import { Dialog } from './Dialog'
import './share.css'
import { useSums, useTaken } from './useTaken'

type ShareKind = 'snapshot' | 'report' | 'reference'

const SIZES = ['XS', 'S', 'M', 'L'] as const satisfies readonly SnapshotSize[]
const SIZE_WORDS: Readonly<Record<(typeof SIZES)[number], string>> = {
  XS: 'at most 2,000, for any email client; main figures and coarse charts of one or two runs',
  S: 'at most 8,000, for email and bug trackers; with many runs, fewer figures and coarser charts',
  M: 'all colours and stages; for chat',
  L: 'enough detail to zoom; for browsers only',
}

const kilobytes = (n: number): string => (n < 1000 ? `${n} B` : `${(n / 1000).toFixed(1)} kB`)

export function Share() {
  const { close } = useActions()
  const page = usePage(p => p)
  const [kind, setKind] = useState<ShareKind>('snapshot')
  const [size, setSize] = useState<(typeof SIZES)[number]>('S')
  const [included, setIncluded] = useState({ names: page.view.hidden.processes.length > 0, files: false })
  const carried = carriedSnapshot(page)
  const alone = page.runs.length === 0 ? page.results?.document : undefined
  const { taken, error } = useTaken(page, included)
  // Reading the traces once more waits for the links.
  const sums = useSums(page, taken.L !== undefined || error !== undefined)
  const reference = referenceAddress(page)
  const text = carried?.text ?? taken[size]?.text
  // Sizes XS and S are made to fit, and checksums would take room from their charts.
  const fitted = size === 'XS' || size === 'S'
  const linkTo = (text: string, size: SnapshotSize) =>
    snapshotAddress(page, text, {
      size,
      ...(size !== 'XS' && size !== 'S' && !carried && sums && { sums }),
    })
  const ready = fitted || carried !== undefined || sums !== undefined
  const made = text && ready ? linkTo(text, size) : undefined
  const unfit =
    carried === undefined && kind === 'snapshot' && fitted
      ? whyUnfit(size, page.runs.length, made?.length, page.annotations.length)
      : undefined
  const address = kind === 'reference' ? reference : unfit ? undefined : made
  const filtered = page.view.hidden.processes.length > 0
  const title = titleOf(page)
  const asked = askedFor(page)
  const names = [
    ...new Set(page.runs.flatMap(run => run.info?.processes.filter(p => p.queued > 0).map(p => p.name) ?? [])),
  ]
  const brief = kind === 'snapshot' && size === 'XS'
  const holds = alone
    ? holdsOf(alone)
    : [
        brief ? 'the verdict, the main figures and findings' : 'figures and findings',
        `charts with ${taken[size] ? count(taken[size].columns) : '…'} columns`,
        ...(page.annotations.length > 0 ? [counted(page.annotations.length, 'annotation')] : []),
        `run names (${page.runs.map(run => run.label).join(', ')})`,
        'kernels, devices and PIDs',
        ...(!brief && (page.runs.some(run => run.bench) || page.results) ? ['benchmark results'] : []),
        ...(!brief && page.runs.some(run => run.settings) ? ['settings that differ'] : []),
      ]
  const without = [
    ...(included.names || alone ? [] : ['process names']),
    ...(included.files ? [] : ['file names']),
    ...(alone ? [] : ['individual requests']),
    ...(brief && !alone ? ['other figures', 'filters'] : []),
  ]
  const lacks = without.length > 0 ? ` No ${without.join(', no ')}.` : ''
  const contents = carried ? 'Contains what the opened link contained.' : `Contains ${holds.join(', ')}.${lacks}`
  const lengthOf = (s: SnapshotSize): string => {
    const one = taken[s]
    if (one) {
      const { length } = linkTo(one.text, s)
      return (s === 'XS' || s === 'S') && length > longest(s) ? '–' : count(length)
    }
    return s === 'XS' && page.runs.length > MAX_BRIEF_RUNS ? '–' : '…'
  }
  return (
    <Dialog
      title="Share this comparison"
      lead="Nothing is uploaded. You share the link or file yourself."
      onClose={close}
    >
      <fieldset className="share-kinds">
        <legend className="visually-hidden">What to share</legend>
        <Card
          kind="snapshot"
          chosen={kind}
          choose={setKind}
          title="Snapshot link"
          size={address && kind === 'snapshot' ? kilobytes(address.length) : ''}
        >
          <p>
            {alone
              ? `All figures are packed into the link. ${opensWhere(location)}; nothing is stored on a server.`
              : `Charts and figures are packed into the link. ${opensWhere(location)}; nothing is stored on a server. Zoom is limited to its resolution; drop the original traces to restore full detail.`}
          </p>
          {!carried && !alone && (
            <fieldset className="segments share-sizes" aria-label="Size">
              {SIZES.map(s => (
                <button
                  key={s}
                  type="button"
                  aria-pressed={size === s}
                  title={SIZE_WORDS[s]}
                  onClick={() => {
                    setKind('snapshot')
                    setSize(s)
                  }}
                >
                  {s} <span className="mono">{lengthOf(s)}</span>
                </button>
              ))}
              <span className="caption">characters; {SIZE_WORDS[size]}</span>
            </fieldset>
          )}
          <p className="share-holds">{contents}</p>
        </Card>
        <Card kind="report" chosen={kind} choose={setKind} title="Report file" size="HTML">
          <p>
            One self-contained file at the finest resolution. Opens from disk, email or a bug tracker, without a
            network.
          </p>
        </Card>
        <Card
          kind="reference"
          chosen={kind}
          choose={setKind}
          title="Reference link"
          size={reference ? kilobytes(reference.length) : ''}
          disabled={!reference}
        >
          <p>The trace URLs and this view. The recipient’s browser fetches the traces, after asking.</p>
          {!reference && (
            <p className="share-holds">
              Not available: these traces were opened from disk. Put them on a web server and open them by URL.
            </p>
          )}
        </Card>
      </fieldset>
      {kind !== 'reference' && !carried && (
        <div className="share-names">
          {!alone && (
            <Tick
              label={`include process names${names[0] === undefined ? '' : ` (${names.slice(0, 2).join(', ')}${names.length > 2 ? ', …' : ''})`}`}
              on={included.names}
              disabled={filtered}
              set={on => setIncluded({ ...included, names: on })}
            />
          )}
          <Tick label="include file names" on={included.files} set={on => setIncluded({ ...included, files: on })} />
          {filtered && (
            <p className="caption">The filter hides processes by name, so the link must contain process names.</p>
          )}
        </div>
      )}
      {kind !== 'report' && (
        <input
          className="field mono share-address"
          aria-label="Link"
          readOnly
          value={address ?? (unfit ? '' : 'preparing …')}
          onFocus={event => event.currentTarget.select()}
        />
      )}
      <p className="share-warning" role="status">
        {error
          ? `! ${error.message}`
          : unfit
            ? `! ${unfit}`
            : kind !== 'report' && address && warning(address.length, size, carried !== undefined)}
      </p>
      <footer className="dialog-foot">
        {kind === 'report' ? (
          <SaveReport
            included={included}
            carried={carried !== undefined}
            name={`${fileName(title) || 'comparison'}.html`}
          />
        ) : (
          <CopyButton key={address} text={address} label="Copy link" className="button primary large" />
        )}
        {asked && <CopyForMail compared={asked} />}
        <button type="button" className="button quiet large share-close" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}

/** Of results without a trace. */
const holdsOf = ({ tables }: ResultsDocument): readonly string[] => [
  `${counted(
    tables.reduce((sum, table) => sum + table.runs.length, 0),
    'run',
  )} of ${counted(tables.length, 'table')}`,
  'their figures and names',
]

/** Why there is no link of this size. `length`: of the smallest one; absent until it is known. */
function whyUnfit(size: 'XS' | 'S', runs: number, length: number | undefined, annotations: number): string | undefined {
  if (size === 'XS' && runs > MAX_BRIEF_RUNS)
    return `Size XS has room for ${MAX_BRIEF_RUNS} runs, not for ${runs}. Use size S or the report file.`
  if (length === undefined || length <= longest(size)) return undefined
  const larger = size === 'XS' ? 'size S' : 'size M or the report file'
  const less =
    annotations > 0
      ? `Shorten or delete annotations and labels, or use ${larger}.`
      : `Shorten the title and the labels, or use ${larger}.`
  return `Does not fit: the smallest link has ${counted(length, 'character')}, size ${size} at most ${count(longest(size))}. ${less}`
}

function warning(length: number, size: SnapshotSize, carried: boolean): string {
  if (length <= SHORTEST) return ''
  if (length <= SHORT)
    return `Some mail clients truncate links longer than 2 kB. For those, ${carried ? 'send the report file' : 'use size XS or send the report file'}.`
  const less = size === 'S' || carried ? '' : ' or use a smaller size'
  return `${counted(length, 'character')}: mail clients and trackers may truncate links this long. Send the report file${less} instead.`
}

interface CardProps {
  readonly kind: ShareKind
  readonly chosen: ShareKind
  readonly title: string
  readonly size: string
  readonly disabled?: boolean
  readonly children: ReactNode
  choose(kind: ShareKind): void
}

function Card({ kind, chosen, title, size, disabled = false, children, choose }: CardProps) {
  const id = useId()
  return (
    <div className="share-card" data-chosen={kind === chosen} data-disabled={disabled}>
      <input
        id={id}
        type="radio"
        name="share"
        checked={kind === chosen}
        disabled={disabled}
        data-first={kind === 'snapshot' || undefined}
        onChange={() => choose(kind)}
      />
      <div>
        <label htmlFor={id}>
          {title} <span className="mono">{size}</span>
        </label>
        {children}
      </div>
    </div>
  )
}

function Tick({
  label,
  on,
  disabled = false,
  set,
}: {
  label: string
  on: boolean
  disabled?: boolean
  set(on: boolean): void
}) {
  return (
    <label>
      <input type="checkbox" checked={on} disabled={disabled} onChange={event => set(event.currentTarget.checked)} />{' '}
      {label}
    </label>
  )
}

/** `carried`: the page has a snapshot, with the checksums of its link, not traces. */
function SaveReport({
  included,
  carried,
  name,
}: {
  included: { names: boolean; files: boolean }
  carried: boolean
  name: string
}) {
  const page = usePage(p => p)
  const { checksums } = useActions()
  const [said, setSaid] = useState('Save report')
  const save = async () => {
    setSaid('Saving …')
    try {
      const sums = carried ? undefined : sumsOf(page, await checksums())
      const html = await reportOf(page, included, await appAsOneFile(), sums)
      saveFile(name, new Blob([html], { type: 'text/html' }))
      setSaid(`Saved, ${(html.length / 1e6).toFixed(1)} MB`)
    } catch (reason) {
      setSaid(`Not saved: ${asEngineError(reason).message}`)
    }
  }
  return (
    <button type="button" className="button primary large" disabled={said === 'Saving …'} onClick={save}>
      <span aria-live="polite">{said}</span>
    </button>
  )
}
