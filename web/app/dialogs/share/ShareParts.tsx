/** The parts of the dialog that shares a comparison: its cards, its options, its buttons. */

import { type ReactNode, useId, useState } from 'react'
import { saveFile } from '../../../charts/shared/menu/files'
import { asEngineError } from '../../../engine/errors'
import type { SnapshotSize } from '../../../engine/protocol'
import { megabytes } from '../../../lib/format'
import { appAsOneFile } from '../../../share/appFile'
import { reportOf } from '../../../share/reportOf'
import { sumsOf } from '../../../share/take'
import { useActions, usePage } from '../../context'
import type { Included } from './shareWords'

export type ShareKind = 'snapshot' | 'report' | 'reference'

const SIZES = ['XS', 'S', 'M', 'L'] as const satisfies readonly SnapshotSize[]
export type LinkSize = (typeof SIZES)[number]

const SIZE_WORDS: Readonly<Record<LinkSize, string>> = {
  XS: 'at most 2,000, for any email client; main figures and coarse charts of one or two runs',
  S: 'at most 8,000, for email and bug trackers; with many runs, fewer figures and coarser charts',
  M: 'all colours and stages; for chat',
  L: 'enough detail to zoom; for browsers only',
}

interface SizesProps {
  readonly chosen: LinkSize
  lengthOf(size: LinkSize): string
  choose(size: LinkSize): void
}

export function Sizes({ chosen, lengthOf, choose }: SizesProps) {
  return (
    <fieldset className="segments share-sizes" aria-label="Size">
      {SIZES.map(size => (
        <button
          key={size}
          type="button"
          aria-pressed={chosen === size}
          title={SIZE_WORDS[size]}
          onClick={() => choose(size)}
        >
          {size} <span className="mono">{lengthOf(size)}</span>
        </button>
      ))}
      <span className="caption">characters; {SIZE_WORDS[chosen]}</span>
    </fieldset>
  )
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

export function Card({ kind, chosen, title, size, disabled = false, children, choose }: CardProps) {
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

interface NameOptionsProps {
  readonly included: Included
  /** Set for results without a trace: they have no process names to choose. */
  readonly hasNoProcesses: boolean
  onChange(included: Included): void
}

export function NameOptions({ included, hasNoProcesses, onChange }: NameOptionsProps) {
  const runs = usePage(p => p.runs)
  const filtered = usePage(p => p.view.hidden.processes.length > 0)
  const hidesFiles = usePage(p => p.view.hidden.objects.length > 0)
  const names = [...new Set(runs.flatMap(run => run.info?.processes.filter(p => p.queued > 0).map(p => p.name) ?? []))]
  const examples = names[0] === undefined ? '' : ` (${names.slice(0, 2).join(', ')}${names.length > 2 ? ', …' : ''})`
  return (
    <div className="share-names">
      {!hasNoProcesses && (
        <Tick
          label={`include process names${examples}`}
          checked={included.names}
          disabled={filtered}
          onChange={names => onChange({ ...included, names })}
        />
      )}
      <Tick label="include file names" checked={included.files} onChange={files => onChange({ ...included, files })} />
      {filtered && (
        <p className="caption">The filter hides processes by name, so the link must contain process names.</p>
      )}
      {hidesFiles && (
        <p className="caption">The filter hides files by name, so the link contains the names of these files.</p>
      )}
    </div>
  )
}

function Tick({
  label,
  checked,
  disabled = false,
  onChange,
}: {
  label: string
  checked: boolean
  disabled?: boolean
  onChange(on: boolean): void
}) {
  return (
    <label>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={event => onChange(event.currentTarget.checked)}
      />{' '}
      {label}
    </label>
  )
}

/**
 * Saves the report file. `carried`: the page was opened from a snapshot, so the report gets the checksums of its link
 * instead of computing those of traces.
 */
export function SaveReport({ included, carried, name }: { included: Included; carried: boolean; name: string }) {
  const page = usePage(p => p)
  const { checksums } = useActions()
  const [label, setLabel] = useState('Save report')
  const save = async () => {
    setLabel('Saving …')
    try {
      const sums = carried ? undefined : sumsOf(page, await checksums())
      const html = await reportOf(page, included, await appAsOneFile(), sums)
      saveFile(name, new Blob([html], { type: 'text/html' }))
      setLabel(`Saved, ${megabytes(html.length)} MB`)
    } catch (reason) {
      setLabel(`Not saved: ${asEngineError(reason).message}`)
    }
  }
  return (
    <button type="button" className="button primary large" disabled={label === 'Saving …'} onClick={save}>
      <span aria-live="polite">{label}</span>
    </button>
  )
}
