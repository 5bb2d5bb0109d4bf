/** What is passed on of the page: a link with the charts in it, one by where the traces lie, or a file. */
import { type ReactNode, useId, useState } from 'react'
import { copyText, fileName, saveFile } from '../../charts/shared/files'
import { asEngineError } from '../../engine/errors'
import type { SnapshotSize } from '../../engine/protocol'
import { count, counted } from '../../lib/format'
import { referenceAddress, SHORT, snapshotAddress } from '../../share/address'
import { appAsOneFile } from '../../share/appFile'
import { reportOf } from '../../share/reportOf'
import { titleOf } from '../../state/page'
import { useActions, usePage } from '../context'
import { CopyForMail } from '../workspace/Findings'
import { Dialog } from './Dialog'
import './share.css'
import { useTaken } from './useTaken'

type Kind = 'snapshot' | 'report' | 'reference'

const SIZES = ['S', 'M', 'L'] as const satisfies readonly SnapshotSize[]
const SIZE_WORDS: Readonly<Record<(typeof SIZES)[number], string>> = {
  S: 'two runs fit into 8,000 characters, for mails and bug trackers',
  M: 'all colours and stages, for chats',
  L: 'fine enough to zoom, for browsers alone',
}

const kilobytes = (n: number): string => (n < 1000 ? `${n} B` : `${(n / 1000).toFixed(1)} kB`)

export function Share() {
  const { close } = useActions()
  const page = usePage(p => p)
  const [kind, setKind] = useState<Kind>('snapshot')
  const [size, setSize] = useState<(typeof SIZES)[number]>('S')
  const [included, setIncluded] = useState({ names: page.view.hidden.processes.length > 0, files: false })
  const carried = page.runs.some(run => run.snapshot) ? page.snapshot : undefined
  const { taken, error } = useTaken(page, included)
  const reference = referenceAddress(page)
  const text = carried?.text ?? taken[size]?.text
  const address = kind === 'reference' ? reference : text && snapshotAddress(page, text)
  const filtered = page.view.hidden.processes.length > 0
  const title = titleOf(page)
  const names = [...new Set(page.runs.flatMap(run => run.info?.processes.filter(p => p.queued > 0).map(p => p.name) ?? []))]
  const holds = [
    'figures and findings',
    `charts at ${taken[size] ? count(taken[size].columns) : '…'} columns`,
    `names of the runs (${page.runs.map(run => run.label).join(', ')})`,
    'kernels, devices and pids',
    ...(page.runs.some(run => run.bench) ? ['figures of the benchmark'] : []),
  ]
  const without = [...(included.names ? [] : ['names of processes']), ...(included.files ? [] : ['names of files']), 'single requests']
  const contents = carried ? 'Holds what the link held that this page was opened from.' : `Holds ${holds.join(', ')}. No ${without.join(', no ')}.`
  return (
    <Dialog title="Share this comparison" lead="Nothing is sent from here. You get a link or a file, and pass it on yourself." onClose={close}>
      <fieldset className="share-kinds">
        <legend className="visually-hidden">What to make</legend>
        <Card
          kind="snapshot"
          chosen={kind}
          choose={setKind}
          title="Snapshot link"
          size={address && kind === 'snapshot' ? kilobytes(address.length) : ''}
        >
          <p>
            The charts and figures themselves, packed into the link. Opens anywhere; no server holds it. Zooming stops at its resolution; dropping the
            traces on it brings the rest back.
          </p>
          {!carried && (
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
                  {s} <span className="mono">{taken[s] ? count(snapshotAddress(page, taken[s].text).length) : '…'}</span>
                </button>
              ))}
              <span className="caption">characters; {SIZE_WORDS[size]}</span>
            </fieldset>
          )}
          <p className="share-holds">{contents}</p>
        </Card>
        <Card kind="report" chosen={kind} choose={setKind} title="Report file" size="HTML">
          <p>One file with everything inside, at the finest resolution. Opens from a disk, a mail or a bug tracker, without a network.</p>
        </Card>
        <Card
          kind="reference"
          chosen={kind}
          choose={setKind}
          title="Reference link"
          size={reference ? kilobytes(reference.length) : ''}
          disabled={!reference}
        >
          <p>Where the traces lie, and this view. The reader’s browser fetches the traces itself, after asking.</p>
          {!reference && (
            <p className="share-holds">Not possible yet: these traces were opened from disk. Put them on a web server and open them by address.</p>
          )}
        </Card>
      </fieldset>
      {kind !== 'reference' && !carried && (
        <div className="share-names">
          <Tick
            label={`include names of processes${names[0] === undefined ? '' : ` (${names.slice(0, 2).join(', ')}${names.length > 2 ? ', …' : ''})`}`}
            on={included.names}
            disabled={filtered}
            set={on => setIncluded({ ...included, names: on })}
          />
          <Tick label="include names of files" on={included.files} set={on => setIncluded({ ...included, files: on })} />
          {filtered && <p className="caption">The filter hides processes by name: their names are part of the link.</p>}
        </div>
      )}
      {kind !== 'report' && (
        <input
          className="field mono share-address"
          aria-label="Link"
          readOnly
          value={address ?? 'measuring …'}
          onFocus={event => event.currentTarget.select()}
        />
      )}
      <p className="share-warning" role="status">
        {error ? `! ${error.message}` : kind !== 'report' && address && warning(address.length, size, carried !== undefined)}
      </p>
      <footer className="dialog-foot">
        {kind === 'report' ? (
          <SaveReport included={included} name={`${fileName(title) || 'comparison'}.html`} />
        ) : (
          <CopyLink key={address} address={address} />
        )}
        {page.comparison && <CopyForMail compared={page.comparison} />}
        <button type="button" className="button quiet large share-close" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}

function warning(length: number, size: SnapshotSize, carried: boolean): string {
  if (length <= 2000) return ''
  if (length <= SHORT) return 'Some mail programs cut links longer than 2 kB; for those, send the report file.'
  const less = size === 'S' || carried ? '' : ' or the smaller size'
  return `${counted(length, 'character')}: mail programs and trackers cut such links. For those, send the report file${less}.`
}

interface CardProps {
  readonly kind: Kind
  readonly chosen: Kind
  readonly title: string
  readonly size: string
  readonly disabled?: boolean
  readonly children: ReactNode
  choose(kind: Kind): void
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

function Tick({ label, on, disabled = false, set }: { label: string; on: boolean; disabled?: boolean; set(on: boolean): void }) {
  return (
    <label>
      <input type="checkbox" checked={on} disabled={disabled} onChange={event => set(event.currentTarget.checked)} /> {label}
    </label>
  )
}

function CopyLink({ address }: { address: string | undefined }) {
  const [said, setSaid] = useState('Copy link')
  const copy = async () => setSaid((await copyText(address ?? '')) ? 'Copied' : 'Not allowed: select and copy')
  return (
    <button type="button" className="button primary large" disabled={!address} onClick={copy}>
      <span aria-live="polite">{said}</span>
    </button>
  )
}

function SaveReport({ included, name }: { included: { names: boolean; files: boolean }; name: string }) {
  const page = usePage(p => p)
  const [said, setSaid] = useState('Save report')
  const save = async () => {
    setSaid('Writing …')
    try {
      const html = await reportOf(page, included, await appAsOneFile())
      saveFile(name, new Blob([html], { type: 'text/html' }))
      setSaid(`Saved, ${(html.length / 1e6).toFixed(1)} MB`)
    } catch (reason) {
      setSaid(`Could not be written: ${asEngineError(reason).message}`)
    }
  }
  return (
    <button type="button" className="button primary large" disabled={said === 'Writing …'} onClick={save}>
      <span aria-live="polite">{said}</span>
    </button>
  )
}
