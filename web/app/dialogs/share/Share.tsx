/** Shares the comparison: a link that contains the charts, a link with the trace URLs, or a report file. */
import { useState } from 'react'
import { CopyButton } from '../../../charts/shared/menu/CopyButton'
import { fileName } from '../../../charts/shared/menu/files'
import type { ResultsDocument } from '../../../engine/protocol'
import { referenceAddress } from '../../../share/address'
import { opensWhere } from '../../../share/reach'
import { comparisonOfRuns } from '../../../state/comparing/comparing'
import { titleOf } from '../../../state/page'
import { useActions, usePage } from '../../context'
import { CopyText } from '../../workspace/text/CopyText'
import { Dialog } from '../Dialog'
import { Card, type LinkSize, NameOptions, SaveReport, type ShareKind, Sizes } from './ShareParts'
import './share.css'
import { contentWords, type Included, lengthWarning } from './shareWords'
import { type ShareLink, useShareLink } from './useShareLink'

const kilobytes = (n: number): string => (n < 1000 ? `${n} B` : `${(n / 1000).toFixed(1)} kB`)

export function Share() {
  const { close } = useActions()
  const page = usePage(p => p)
  const [kind, setKind] = useState<ShareKind>('snapshot')
  const [size, setSize] = useState<LinkSize>('S')
  const [included, setIncluded] = useState<Included>({ names: page.view.hidden.processes.length > 0, files: false })
  const link = useShareLink(page, size, included)
  const lone = page.runs.length === 0 ? page.results?.document : undefined
  const reference = referenceAddress(page)
  const address = kind === 'reference' ? reference : link.address
  const comparison = comparisonOfRuns(page)
  const brief = kind === 'snapshot' && size === 'XS'
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
          <p>{snapshotWords(lone)}</p>
          {!link.carried && !lone && (
            <Sizes
              chosen={size}
              lengthOf={link.lengthOf}
              choose={size => {
                setKind('snapshot')
                setSize(size)
              }}
            />
          )}
          <p className="share-holds">
            {link.carried
              ? 'Contains what the opened link contained.'
              : contentWords({ page, lone, included, brief, columns: link.columns })}
          </p>
        </Card>
        <Card kind="report" chosen={kind} choose={setKind} title="Report file" size="HTML">
          <p>
            One self-contained file at the finest resolution. Opens from disk, email or a bug tracker, without a
            network.
          </p>
        </Card>
        <ReferenceCard chosen={kind} choose={setKind} reference={reference} />
      </fieldset>
      {kind !== 'reference' && !link.carried && (
        <NameOptions included={included} hasNoProcesses={lone !== undefined} onChange={setIncluded} />
      )}
      {kind !== 'report' && (
        <input
          className="field mono share-address"
          aria-label="Link"
          readOnly
          value={address ?? (kind === 'snapshot' && link.unfit ? '' : 'preparing …')}
          onFocus={event => event.currentTarget.select()}
        />
      )}
      <p className="share-warning" role="status">
        {warningOf(kind, address, size, link)}
      </p>
      <footer className="dialog-foot">
        {kind === 'report' ? (
          <SaveReport
            included={included}
            carried={link.carried}
            name={`${fileName(titleOf(page)) || 'comparison'}.html`}
          />
        ) : (
          <CopyButton key={address} text={address} label="Copy link" className="button primary large" />
        )}
        {comparison && <CopyText className="button quiet" compared={comparison} />}
        <button type="button" className="button quiet large share-close" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}

function snapshotWords(lone: ResultsDocument | undefined): string {
  const place = `${opensWhere(location)}; nothing is stored on a server.`
  return lone
    ? `All figures are packed into the link. ${place}`
    : [
        `Charts and figures are packed into the link. ${place}`,
        'Zoom is limited to its resolution; drop the original traces to restore full detail.',
      ].join(' ')
}

function warningOf(kind: ShareKind, address: string | undefined, size: LinkSize, link: ShareLink): string {
  if (link.error) return `! ${link.error.message}`
  if (kind === 'snapshot' && link.unfit) return `! ${link.unfit}`
  return kind !== 'report' && address ? lengthWarning(address.length, size, link.carried) : ''
}

interface ReferenceCardProps {
  readonly chosen: ShareKind
  /** The reference link; absent when the traces have no URLs. */
  readonly reference: string | undefined
  choose(kind: ShareKind): void
}

function ReferenceCard({ chosen, reference, choose }: ReferenceCardProps) {
  return (
    <Card
      kind="reference"
      chosen={chosen}
      choose={choose}
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
  )
}
