/** The page while the report of a bisection is open: its steps, what was found, and how to go on. */
import { type ReactNode, useEffect, useState } from 'react'
import { MAX_SIDE_RUNS, sideDigests } from '../../bisect/sides'
import { bisectionText } from '../../bisect/text'
import { counted } from '../../lib/format'
import type { PageBisection } from '../../state/page'
import { useActions, usePage } from '../context'
import { PageBar } from '../shared/PageBar'
import { BisectHead } from './BisectHead'
import { BisectNotes } from './BisectNotes'
import { BisectRail } from './BisectRail'
import '../shared/page-bar.css'
import './bisect.css'
import { StepTable } from './StepTable'

const VIEWS = { commits: 'Commits', text: 'Text' } as const
type BisectViewName = keyof typeof VIEWS

interface BisectPageProps {
  readonly bisection: PageBisection
  readonly themeButton: ReactNode
}

/** Compares the two commits when Enter is pressed outside of a control. */
function useEnterKey(compare: (() => void) | undefined): void {
  const isDialogOpen = usePage(page => page.dialog !== undefined)
  useEffect(() => {
    if (!compare || isDialogOpen) return undefined
    const onKey = (event: KeyboardEvent) => {
      const isControl = event.target instanceof Element && event.target.closest('a, button, input, summary') !== null
      if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey || isControl) return
      event.preventDefault()
      compare()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [compare, isDialogOpen])
}

export function BisectPage({ bisection, themeButton }: BisectPageProps) {
  const actions = useActions()
  const [view, setView] = useState<BisectViewName>('commits')
  const { document, name } = bisection
  const digests = sideDigests(document)
  const compare = digests.length > 0 ? () => void actions.compareRows(digests.map((_, row) => row)) : undefined
  useEnterKey(compare)
  const isFull = document.sides.some(side => side.digests.length >= MAX_SIDE_RUNS)
  const isBounded = document.sides.length === 2
  const note = !compare
    ? isBounded
      ? 'The two commits cannot be compared here: the log lacks digests of one of them.'
      : 'No good and bad commits around the change are known.'
    : isFull
      ? `At most ${MAX_SIDE_RUNS} runs of each commit are compared.`
      : undefined
  return (
    <div className="bisect-page">
      <PageBar
        open="the bisection stays"
        title={name}
        hint={name}
        views={VIEWS}
        view={view}
        onView={chosen => setView(chosen === 'text' ? 'text' : 'commits')}
        viewsLabel="View of the bisection"
      >
        {themeButton}
      </PageBar>
      <aside className="page-rail bisect-rail" aria-label="About the bisection">
        <header>
          <strong>{counted(document.steps, 'step')}</strong>
          <button type="button" className="link" onClick={() => actions.pickFiles('files')}>
            Open files
          </button>
          <span className="caption">from seekscope bisect</span>
        </header>
        <BisectRail document={document} />
      </aside>
      <main className="bisect-main">
        <BisectHead document={document} compare={compare} note={note} />
        {view === 'text' ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
          <pre className="bisect-text" tabIndex={0}>
            {bisectionText(document)}
          </pre>
        ) : (
          <>
            <StepTable document={document} />
            <BisectNotes document={document} />
          </>
        )}
      </main>
    </div>
  )
}
