import { useEffect, useRef } from 'react'
import { counted } from '../lib/format'
import { documentOf, showsLanding, titleOf } from '../state/page'
import './base.css'
import { type PageContext, PageProvider, useActions, usePage } from './context'
import { Dialogs } from './dialogs/Dialogs'
import './print.css'
import { Landing } from './landing/Landing'
import './shell.css'
import { Boundary } from './shared/Boundary'
import { LaterViewsProvider } from './shared/LaterView'
import type { MissingViews } from './shared/missing'
import { type OnDemand, type ScriptState, useOnDemand } from './shared/onDemand'
import { useTheme } from './theme'
import './tokens.css'
import type * as DocumentViews from './documentViews'
import type * as LaterViews from './laterViews'
import { Update } from './Update'
import { useDrop } from './useDrop'
import { usePaste } from './usePaste'
import type * as Views from './views'

export interface AppProps {
  readonly page: PageContext
  readonly views: OnDemand<typeof Views>
  readonly laterViews: OnDemand<typeof LaterViews>
  readonly documentViews: OnDemand<typeof DocumentViews>
}

export function App(props: AppProps) {
  return (
    <PageProvider value={props.page}>
      <LaterViewsProvider value={props.laterViews}>
        <Boundary subject="The page">
          <Shell {...props} />
        </Boundary>
      </LaterViewsProvider>
    </PageProvider>
  )
}

function Shell({ page, views, laterViews, documentViews }: AppProps) {
  const actions = useActions()
  const { theme, toggle } = useTheme()
  const landing = usePage(showsLanding)
  const empty = usePage(p => landing || p.runs.length === 0)
  const results = usePage(p => (!landing && p.runs.length === 0 ? p.results : undefined))
  const document = usePage(p => (!landing && p.runs.length === 0 ? documentOf(p) : undefined))
  const opened = !landing
  const isDialogOpen = usePage(p => p.dialog !== undefined)
  const first = useScript(views, opened || isDialogOpen)
  // With the first run, before a dialog is asked for: what is typed into one must not wait for its script.
  const hasRun = usePage(p => p.runs.some(run => run.status.kind === 'ready'))
  const later = useScript(laterViews, hasRun || results !== undefined || isDialogOpen)
  const documents = useScript(documentViews, document !== undefined)
  const { exports } = first
  const title = usePage(titleOf)
  const dragged = useDrop(actions)
  usePaste(page.store, actions)

  // Keys that came before the script with the commands.
  const early = useRef<KeyboardEvent[]>([])
  useEffect(() => {
    // Keys that are meant for a dialog whose script is missing are no commands.
    if (isDialogOpen && !later.exports) return
    const onKey = (event: KeyboardEvent) => {
      if (exports) exports.runCommand(event, { page: page.store.getState(), actions, toggleTheme: toggle })
      else early.current.push(event)
    }
    if (exports) early.current.splice(0).forEach(onKey)
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [page, actions, toggle, exports, later.exports, isDialogOpen])

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
      <Update atRest={laterViews.load} />
      {documents.exports && document ? (
        <documents.exports.DocumentPage document={document} themeButton={themeButton} />
      ) : exports && later.exports && results ? (
        <later.exports.ResultsPage results={results} themeButton={themeButton} />
      ) : exports && !empty ? (
        <exports.Workspace themeButton={themeButton} />
      ) : (
        <Landing
          themeButton={themeButton}
          keptViews={exports}
          dragged={dragged}
          missing={opened ? missingOf(first, document ? documents : results ? later : first) : undefined}
        />
      )}
      {exports && <exports.Toasts />}
      {dragged !== undefined && <DragFrame items={opened ? dragged : undefined} />}
      <Dialogs OpenDialog={exports && later.exports?.OpenDialog} missing={missingOf(first, later)} />
    </>
  )
}

interface Script<T> extends ScriptState<T> {
  readonly load: () => void
}

const useScript = <T,>(script: OnDemand<T>, needed: boolean): Script<T> => ({
  ...useOnDemand(script, needed),
  load: script.load,
})

const missingOf = (...scripts: readonly Script<unknown>[]): MissingViews => ({
  failed: scripts.some(({ status }) => status === 'failed'),
  retry: () => {
    for (const { load } of scripts) load()
  },
})

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
