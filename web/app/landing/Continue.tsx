/** What is open behind the landing page, and the comparisons that this browser keeps. */
import { type ReactNode, useEffect, useState } from 'react'
import { isEmpty, titleOf } from '../../state/page'
import type { StoredComparison } from '../../storage/record'
import { agoWords, placeWords } from '../../storage/words'
import { useActions, usePage } from '../context'
import { useKeeper, useKept } from '../useKeeper'
import './continue.css'

/** Comparisons that are shown at once; the others unfold. */
const SHOWN = 2

/** Enter opens the first comparison while no control has the focus. */
function useEnter(run: (() => void) | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
      if (event.key !== 'Enter' || !isPlain || event.target !== document.body || !run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [run])
}

function Sides({ sides, more }: Pick<StoredComparison, 'sides' | 'more'>) {
  return (
    <>
      {sides.map(({ letter, label }, i) => (
        <span key={letter ?? label} className="continue-side" data-run={letter}>
          {i > 0 && (letter === undefined ? ', ' : ' against ')}
          {letter !== undefined && <span className="badge">{letter}</span>}
          <span className="continue-label" title={label}>
            {label}
          </span>
        </span>
      ))}
      {more > 0 && <span className="continue-side"> and {more} more</span>}
    </>
  )
}

interface ContinueCardProps extends Pick<StoredComparison, 'sides' | 'more'> {
  readonly name: string
  readonly caption: string
  readonly button: string
  readonly isFirst: boolean
  readonly disabled: boolean
  onOpen(): void
  readonly children?: ReactNode
}

function ContinueCard({ name, sides, more, caption, button, isFirst, disabled, onOpen, children }: ContinueCardProps) {
  return (
    <li className="continue-card">
      <div className="continue-words">
        <p className="continue-name">
          <strong>{name}</strong> <Sides sides={sides} more={more} />
        </p>
        <p className="caption" title={caption}>
          {caption}
        </p>
      </div>
      <button type="button" className={isFirst ? 'button primary' : 'button'} disabled={disabled} onClick={onOpen}>
        {button} {isFirst && <kbd title="Enter">↵</kbd>}
      </button>
      {children}
    </li>
  )
}

/** The runs, results or tables that are open while the landing page is shown. */
function useOpenSides(): Pick<StoredComparison, 'sides' | 'more'> | undefined {
  const isOpen = usePage(page => page.home === true && !isEmpty(page))
  const runs = usePage(page => page.runs)
  const title = usePage(titleOf)
  if (!isOpen) return undefined
  const sides = runs.length > 0 ? runs.slice(0, SHOWN) : [{ label: title }]
  return { sides, more: Math.max(0, runs.length - SHOWN) }
}

export function Continue({ disabled }: { readonly disabled: boolean }) {
  const actions = useActions()
  const keeper = useKeeper()
  const { records: all } = useKept()
  const stored = usePage(page => page.stored)
  const open = useOpenSides()
  const [now] = useState(Date.now)
  useEffect(() => void keeper?.refresh(), [keeper])
  const records = open ? all.filter(({ id }) => id !== stored) : all
  const [first] = records
  useEnter(disabled ? undefined : open ? actions.leaveHome : first && (() => keeper?.reopen(first)))
  if (!open && records.length === 0) return undefined

  const card = (record: StoredComparison, i: number) => {
    const { id, title, verdict, when, sides, more } = record
    const caption = [title, verdict, agoWords(when, now), placeWords(record)].filter(Boolean).join(' \u00b7 ')
    const label = sides.map(side => side.label).join(' against ')
    return (
      <ContinueCard
        key={id}
        name="Continue:"
        sides={sides}
        more={more}
        caption={caption}
        button="Open"
        isFirst={i === 0 && !open}
        disabled={disabled}
        onOpen={() => keeper?.reopen(record)}
      >
        <button
          type="button"
          className="button square quiet"
          aria-label={`Remove ${label} from this list and from this browser`}
          title="Remove from this list and from this browser"
          onClick={() => void keeper?.remove(id)}
        >
          <span aria-hidden="true">×</span>
        </button>
      </ContinueCard>
    )
  }
  const shown = records.slice(0, open ? SHOWN - 1 : SHOWN)
  const others = records.slice(shown.length)
  return (
    <section className="continue" aria-label="Continue">
      <ul>
        {open && (
          <ContinueCard
            name="Open now:"
            {...open}
            caption="It stays open until you open something else."
            button="Go back"
            isFirst
            disabled={disabled}
            onOpen={actions.leaveHome}
          />
        )}
        {shown.map(card)}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <ul>{others.map((record, i) => card(record, i + 1))}</ul>
        </details>
      )}
    </section>
  )
}
