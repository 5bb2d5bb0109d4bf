import { useEffect } from 'react'
import { counted } from '../lib/format'
import { documentOf, showsLanding, titleOf } from '../state/page'
import './base.css'
import { runCommand } from './commands'
import { type PageContext, PageProvider, useActions, usePage } from './context'
import { Dialogs } from './dialogs/Dialogs'
import './print.css'
import { Landing } from './landing/Landing'
import './shell.css'
import { Boundary } from './shared/Boundary'
import { type OnDemand, useOnDemand } from './shared/onDemand'
import { useTheme } from './theme'
import './tokens.css'
import type * as DocumentViews from './documentViews'
import { Update } from './Update'
import { useDrop } from './useDrop'
import { usePaste } from './usePaste'
import type * as Views from './views'

export interface AppProps {
  readonly page: PageContext
  readonly views: OnDemand<typeof Views>
  readonly documentViews: OnDemand<typeof DocumentViews>
}

export function App({ page, views, documentViews }: AppProps) {
  return (
    <PageProvider value={page}>
      <Boundary subject="The page">
        <Shell page={page} views={views} documentViews={documentViews} />
      </Boundary>
    </PageProvider>
  )
}

function Shell({ page, views, documentViews }: AppProps) {
  const actions = useActions()
  const { theme, toggle } = useTheme()
  const landing = usePage(showsLanding)
  const empty = usePage(p => landing || p.runs.length === 0)
  const results = usePage(p => (!landing && p.runs.length === 0 ? p.results : undefined))
  const document = usePage(p => (!landing && p.runs.length === 0 ? documentOf(p) : undefined))
  const documentPart = useOnDemand(documentViews, document !== undefined)
  const opened = !landing
  const isDialogOpen = usePage(p => p.dialog !== undefined)
  const { status, exports } = useOnDemand(views, opened || isDialogOpen)
  const missing = document
    ? { failed: documentPart.status === 'failed', retry: documentViews.load }
    : { failed: status === 'failed', retry: views.load }
  const title = usePage(titleOf)
  const dragged = useDrop(actions)
  usePaste(page.store, actions)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) =>
      runCommand(event, { page: page.store.getState(), actions, toggleTheme: toggle })
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [page, actions, toggle])

  useEffect(() => {
    window.document.title = opened ? `${title} \u2013 Seekscope` : 'Seekscope'
  }, [opened, title])

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
      {exports && <exports.LinkNotice />}
      <Update />
      {documentPart.exports && document ? (
        <documentPart.exports.DocumentPage document={document} themeButton={themeButton} />
      ) : exports && results ? (
        <exports.ResultsPage results={results} themeButton={themeButton} />
      ) : exports && !empty ? (
        <exports.Workspace themeButton={themeButton} />
      ) : (
        <Landing
          themeButton={themeButton}
          keptViews={exports}
          dragged={dragged}
          missing={opened ? missing : undefined}
        />
      )}
      {exports && <exports.Toasts />}
      {dragged !== undefined && <DragFrame items={opened ? dragged : undefined} />}
      <Dialogs OpenDialog={exports?.OpenDialog} missing={missing} />
    </>
  )
}

/** A frame around the page while files are dragged over it; above a workspace it also shows what a release does. */
function DragFrame({ items }: { items: number | undefined }) {
  return (
    <div className="drag-frame">
      {items !== undefined && (
        <p>Release to add {items === 0 ? 'to this comparison' : `${counted(items, 'item')} to this comparison`}</p>
      )}
    </div>
  )
}
