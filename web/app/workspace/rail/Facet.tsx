import { useState } from 'react'
import { TermText } from '../../../charts/shared/term/Term'
import { count, shortCount } from '../../../lib/format'
import type { Run } from '../../../state/types'

/** Counts by run; `undefined` while unknown, `null` if the format of the run lacks the facet. */
export type Counts = readonly (number | undefined | null)[]

export interface FacetRow {
  readonly key: string
  readonly label: string
  /** Shown in smaller type after the label. */
  readonly extra?: string
  /** Colour of the value, only where this facet colours the map. */
  readonly swatch?: string
  readonly counts: Counts
  readonly shown: boolean
  /** Its full name, where the label is shorter. */
  readonly title?: string
  /** Shown below a folded list, too. */
  readonly pinned?: true
  /** Absent: the row only shows counts and cannot be filtered by. */
  readonly toggle?: (show: boolean) => void
}

const MAX_UNFOLDED = 8
/** Rows that a reader looks through for a name. */
export const MANY_UNFOLDED = 10

/** A property of requests: its values with their counts per run, checked when shown. */
export function Facet({
  title,
  note,
  runs,
  rows,
  heads = false,
  most = MAX_UNFOLDED,
  children,
}: {
  title: string
  note?: string
  runs: readonly Run[]
  rows: readonly FacetRow[]
  heads?: boolean
  /** Rows of the folded list. */
  most?: number
  children?: React.ReactNode
}) {
  const [isUnfolded, setAll] = useState(false)
  if (rows.length === 0) return null
  const isFolded = !isUnfolded && rows.length > most + 1
  const listed = isFolded ? rows.filter((row, i) => i < most || row.pinned) : rows
  return (
    <fieldset className="facet" data-runs={runs.length} style={{ '--runs': runs.length } as React.CSSProperties}>
      <legend className="facet-head">
        <span className="facet-title">{title}</span>
        {heads
          ? runs.map(run => (
              <span key={run.id} className="badge" data-run={run.letter}>
                {run.letter}
              </span>
            ))
          : note !== undefined && <span className="caption facet-note">{note}</span>}
      </legend>
      {listed.map(row => (
        <Row key={row.key} row={row} runs={runs} />
      ))}
      {listed.length < rows.length && (
        <button type="button" className="link facet-more" onClick={() => setAll(true)}>
          {rows.length - listed.length} more
        </button>
      )}
      {children}
    </fieldset>
  )
}

function Row({ row, runs }: { row: FacetRow; runs: readonly Run[] }) {
  const { toggle } = row
  const inside = (
    <>
      {row.swatch !== undefined && (
        <span className="swatch" style={{ '--swatch': `var(${row.swatch})` } as React.CSSProperties} />
      )}
      <span className="facet-label" title={row.title ?? row.label}>
        <TermText text={row.label} isInControl />
        {row.extra !== undefined && <span className="facet-extra"> {row.extra}</span>}
      </span>
      {row.counts.map((n, i) => (
        <span
          key={runs[i]?.id ?? i}
          className="facet-count"
          title={n === undefined ? undefined : n === null ? 'not in this format' : count(n)}
        >
          {n === undefined ? '…' : n === null ? '–' : shortCount(n)}
        </span>
      ))}
    </>
  )
  const isEmpty = row.counts.every(n => n === 0)
  if (!toggle) {
    return (
      <div className="facet-row" data-none={isEmpty} data-fixed="true">
        {inside}
      </div>
    )
  }
  return (
    <label className="facet-row" data-none={isEmpty}>
      <input type="checkbox" checked={row.shown} onChange={event => toggle(event.target.checked)} />
      {inside}
    </label>
  )
}
