/** The page while results of benchmarks are open, and no trace. */
import { type ReactNode, useState } from 'react'
import { ResultsWithText } from '../../compare/reading/ResultsWithText'
import { sideOfLine } from '../../compare/tableSides'
import { type ShownResults, useShownResults } from '../../compare/useResults'
import { counted } from '../../lib/format'
import { type PageResults, titleOf } from '../../state/page'
import { useActions, usePage } from '../context'
import { Logo } from '../shared/Logo'
import { skippedWords } from '../shared/skippedWords'
import { SenderLine } from '../workspace/SenderLine'
import { ResultsRail } from './ResultsRail'
import { SideChips } from './SideChips'
import { VerdictBar } from './VerdictBar'
import './results-page.css'

const GUESSED = {}

interface ResultsPageProps {
  readonly results: PageResults
  readonly themeButton: ReactNode
}

export function ResultsPage({ results, themeButton }: ResultsPageProps) {
  const actions = useActions()
  const layout = usePage(p => p.view.matrix) ?? GUESSED
  const title = usePage(titleOf)
  const [drawer, setDrawer] = useState(false)
  const names = results.files.length > 0 ? results.files.map(file => file.name).join(', ') : title
  const shown = useShownResults(results, layout)
  const { document, at, sides } = shown
  const { table, view, figure } = shown.shown ?? {}
  const baseLine = view?.base && { key: view.base.key, values: view.base.key.split('\u0001') }
  const base = table && view?.base && baseLine && sideOfLine(table, view.base.axis, baseLine)
  const texts = results.texts?.reading.texts ?? []
  /** The other of two sides, at the same place of the axis. */
  const swap = () => {
    if (!view?.base || !table) return
    const { axis } = view.base
    const lines = axis === 'row' ? view.matrix.rows : view.matrix.columns
    const other = lines.find(line => sideOfLine(table, axis, line) !== base)
    if (other) actions.layOut({ ...layout, base: { axis, key: other.key } })
  }
  return (
    <div className="results-page" data-drawer={drawer}>
      <ResultsBar
        names={names}
        themeButton={themeButton}
        {...(table && { drawer: { isOpen: drawer, toggle: () => setDrawer(!drawer) } })}
      />
      {table && view && figure && (
        <aside
          className="results-rail"
          aria-label="Rows, columns and base"
          onKeyDown={event => event.key === 'Escape' && setDrawer(false)}
        >
          <header>
            <strong>{railTitle(shown)}</strong>
            <span className="caption">{sourceWords(results)}</span>
          </header>
          <ResultsRail
            table={table}
            view={view}
            layout={layout}
            sides={sides}
            figure={figure.key}
            base={base}
            swap={swap}
            setLayout={actions.layOut}
          />
        </aside>
      )}
      <main className="results-main">
        {table && (
          <SideChips table={table} sides={sides} base={base} texts={texts} own={at - (results.linked?.length ?? 0)} />
        )}
        <VerdictBar shown={shown} />
        <SenderLine />
        <ResultsWithText
          isAlone
          results={results}
          shown={shown}
          title={names}
          layout={layout}
          setLayout={actions.layOut}
          actions={actions}
        />
      </main>
      <footer className="results-foot">
        <p className="results-missing">
          <b>What is missing.</b> {document.absent}
        </p>
        <button type="button" className="button" onClick={() => actions.pickFiles('files')}>
          Add traces
        </button>
      </footer>
      <ResultsTabs hasRail={table !== undefined} isOpen={drawer} setOpen={setDrawer} />
    </div>
  )
}

/** `2 sides, no trace`. */
const railTitle = ({ sides, shown }: ShownResults): string =>
  `${sides.length > 0 ? counted(sides.length, 'side') : counted(shown?.table.runs.length ?? 0, 'run')}, no trace`

/** `from 2 texts`. */
const sourceWords = ({ texts, linked = [] }: PageResults): string =>
  texts ? `from ${counted(texts.reading.texts.length, 'text')}${linked.length > 0 ? ' and a link' : ''}` : 'from a link'

interface ResultsBarProps {
  readonly names: string
  readonly themeButton: ReactNode
  /** Absent where there is nothing in the rail. */
  readonly drawer?: { readonly isOpen: boolean; toggle(): void }
}

function ResultsBar({ names, themeButton, drawer }: ResultsBarProps) {
  const actions = useActions()
  const skipped = usePage(p => p.notRead)
  return (
    <header className="results-bar">
      <button type="button" className="results-home" onClick={actions.removeAll} title="Close all results">
        <Logo />
        <span className="brand">Seekscope</span>
      </button>
      <h1 title={names}>{names}</h1>
      {skipped.length > 0 && (
        <button type="button" className="link" onClick={() => actions.show({ kind: 'not-read' })}>
          {skippedWords(skipped)}
        </button>
      )}
      {drawer && (
        <button type="button" className="button results-drawer" aria-expanded={drawer.isOpen} onClick={drawer.toggle}>
          Rows and base
        </button>
      )}
      <button type="button" className="button" onClick={() => actions.pickFiles('files')}>
        Add files
      </button>
      <button type="button" className="button" onClick={() => actions.show({ kind: 'share' })}>
        Share
      </button>
      {themeButton}
    </header>
  )
}

interface ResultsTabsProps {
  readonly hasRail: boolean
  readonly isOpen: boolean
  setOpen(open: boolean): void
}

/** On a phone: to the parts of the page, which is one column there. */
function ResultsTabs({ hasRail, isOpen, setOpen }: ResultsTabsProps) {
  const goTo = (id: string) => {
    setOpen(false)
    document.getElementById(id)?.scrollIntoView({ block: 'start' })
  }
  return (
    <nav className="results-tabs" aria-label="Sections">
      <button type="button" onClick={() => goTo('results-title')}>
        Table
      </button>
      <button type="button" onClick={() => goTo('reading-title')}>
        Text
      </button>
      {hasRail && (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Rows and base
        </button>
      )}
    </nav>
  )
}
