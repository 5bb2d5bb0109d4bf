import { useEffect } from 'react'
import { counted } from '../lib/format'
import { titleOf } from '../state/page'
import './base.css'
import { runCommand } from './commands'
import { type PageContext, PageProvider, useActions, usePage } from './context'
import { Dialogs } from './dialogs/Dialogs'
import './print.css'
import { Landing } from './landing/Landing'
import './shell.css'
import { Boundary } from './shared/Boundary'
import { LinkNotice } from './shared/LinkNotice'
import { useTheme } from './theme'
import './tokens.css'
import { ResultsPage } from './results/ResultsPage'
import { Update } from './Update'
import { useDrop } from './useDrop'
import { usePaste } from './usePaste'
import { Workspace } from './workspace/Workspace'

/** The page. */
export function App({ page }: { page: PageContext }) {
  return (
    <PageProvider value={page}>
      <Boundary what="The page">
        <Shell page={page} />
      </Boundary>
    </PageProvider>
  )
}

function Shell({ page }: { page: PageContext }) {
  const actions = useActions()
  const { theme, toggle } = useTheme()
  const empty = usePage(p => p.runs.length === 0)
  const results = usePage(p => (p.runs.length === 0 ? p.results : undefined))
  const title = usePage(titleOf)
  const dragged = useDrop(actions)
  usePaste(page.store, actions)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => runCommand(event, { page: page.store.getState(), actions, toggleTheme: toggle })
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [page, actions, toggle])

  useEffect(() => {
    document.title = empty && !results ? 'Seekscope' : `${title} \u2013 Seekscope`
  }, [empty, results, title])

  const themeButton = (
    <button
      type="button"
      className="button square theme"
      aria-label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
      title="Switch between dark and light (T)"
      onClick={toggle}
    >
      <span aria-hidden="true">◐</span>
    </button>
  )
  return (
    <>
      <LinkNotice />
      <Update />
      {results ? (
        <ResultsPage results={results} themeButton={themeButton} />
      ) : empty ? (
        <Landing themeButton={themeButton} dragged={dragged} />
      ) : (
        <Workspace themeButton={themeButton} />
      )}
      {dragged !== undefined && <DragFrame items={empty && !results ? undefined : dragged} />}
      <Dialogs />
    </>
  )
}

/** A frame around the page while files are dragged over it; above a workspace it also shows what a release does. */
function DragFrame({ items }: { items: number | undefined }) {
  return (
    <div className="drag-frame">
      {items !== undefined && <p>Release to add {items === 0 ? 'to this comparison' : `${counted(items, 'item')} to this comparison`}</p>}
    </div>
  )
}
