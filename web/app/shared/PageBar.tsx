import type { ReactNode } from 'react'
import { useActions } from '../context'
import { Logo } from './Logo'
import './page-bar.css'

interface PageBarProps {
  /** What stays open on the way to the first page, as the subject of a sentence. */
  readonly open: string
  readonly title: string
  /** Shown when the pointer rests on the title. */
  readonly hint: string
  /** The views of the page, one of which is shown. */
  readonly views: Readonly<Record<string, string>>
  readonly view: string
  onView(view: string): void
  /** Name of the views for screen readers. */
  readonly viewsLabel: string
  /** Buttons before that of the keys. */
  readonly children: ReactNode
}

/** The bar above a document other than runs: the way home, its title, its views, and what can be done with it. */
export function PageBar({ open, title, hint, views, view, onView, viewsLabel, children }: PageBarProps) {
  const actions = useActions()
  return (
    <header className="page-bar">
      <button type="button" className="page-home" onClick={actions.goHome} title={`To the first page; ${open} open`}>
        <Logo />
        <span className="brand">Seekscope</span>
      </button>
      <h1 title={hint}>{title}</h1>
      <fieldset className="segments" aria-label={viewsLabel}>
        {Object.entries(views).map(([name, label]) => (
          <button key={name} type="button" aria-pressed={name === view} onClick={() => onView(name)}>
            {label}
          </button>
        ))}
      </fieldset>
      <div className="page-bar-end">
        {children}
        <button
          type="button"
          className="button square page-keys"
          aria-label="Shortcuts"
          onClick={() => actions.show({ kind: 'shortcuts' })}
        >
          <kbd>?</kbd>
        </button>
      </div>
    </header>
  )
}
