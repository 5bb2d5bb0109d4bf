/** The page while results of benchmarks are open, and no trace. */
import { type ReactNode, useRef, useState } from 'react'
import { resultsView } from '../../compare/figures/rows'
import { ResultsWithText } from '../../compare/reading/ResultsWithText'
import { sideOfLine } from '../../compare/results/tableSides'
import { type ShownResults, useShownResults } from '../../compare/results/useResults'
import { counted } from '../../lib/format'
import { type MatrixLayout, RESULTS_VIEWS, type ResultsView } from '../../link/view'
import { type PageResults, put, titleOf } from '../../state/page'
import { useActions, usePage } from '../context'
import { Logo } from '../shared/Logo'
import { skippedWords } from '../shared/skippedWords'
import { useSlashKey } from '../shared/useSlashKey'
import { SenderLine } from '../workspace/SenderLine'
import { ResultsRail } from './ResultsRail'
import { SideChips } from './SideChips'
import { VerdictBar } from './VerdictBar'
import './results-page.css'

const GUESSED: MatrixLayout = {}

interface ResultsPageProps {
  readonly results: PageResults
  readonly themeButton: ReactNode
}

/** Actions that make a side the base, or leave it out. `base`: the current base. */
function useSides(layout: MatrixLayout, { shown, sides }: ShownResults, base: string | undefined) {
  const actions = useActions()
  const { table, view } = shown ?? {}
  const { leftOut = [] } = layout
  /** A side as the base, at the place of the axis where sides are. */
  const baseAt = (side: string | undefined): MatrixLayout['base'] => {
    if (side === undefined || !view?.base || !table) return undefined
    const { axis } = view.base
    const lines = axis === 'row' ? view.matrix.rows : view.matrix.columns
    const line = lines.find(line => sideOfLine(table, axis, line) === side)
    return line && { axis, key: line.key }
  }
  const makeBase = (side: string) => actions.layOut(put(layout, 'base', baseAt(side)))
  const leaveOut = (side: string, isLeftOut: boolean) => {
    const next = isLeftOut ? [...leftOut, side] : leftOut.filter(candidate => candidate !== side)
    const changed = put(layout, 'leftOut', next.length > 0 ? next : undefined)
    // The next side is the base while the base is out; the first one is that of the text.
    if (isLeftOut && side === base)
      actions.layOut(put(changed, 'base', baseAt(sides.find(candidate => !next.includes(candidate)))))
    else actions.layOut(!isLeftOut && side === sides[0] ? put(changed, 'base', undefined) : changed)
  }
  return { makeBase, leaveOut }
}

export function ResultsPage({ results, themeButton }: ResultsPageProps) {
  const actions = useActions()
  const layout = usePage(p => p.view.matrix) ?? GUESSED
  const title = usePage(titleOf)
  const [drawer, setDrawer] = useState(false)
  const [search, setSearch] = useState('')
  const names = results.files.length > 0 ? results.files.map(file => file.name).join(', ') : title
  const shown = useShownResults(results, layout)
  const { document, tableIndex, sides } = shown
  const { table, view, figure } = shown.shown ?? {}
  const baseLine = view?.base && { key: view.base.key, values: view.base.key.split('\u0001') }
  const base = table && view?.base && baseLine && sideOfLine(table, view.base.axis, baseLine)
  const texts = results.texts?.reading.texts ?? []
  const show = resultsView(layout, results.document.tables[tableIndex])
  const { leftOut = [] } = layout
  const { makeBase, leaveOut } = useSides(layout, shown, base)
  return (
    <div className="results-page" data-drawer={drawer}>
      <ResultsBar
        names={names}
        themeButton={themeButton}
        {...(table && {
          view: {
            show,
            hasText: results.texts !== undefined,
            setShow: next => actions.layOut({ ...layout, show: next }),
          },
          search: { text: search, setText: setSearch },
        })}
        {...(table && { drawer: { isOpen: drawer, toggle: () => setDrawer(!drawer) } })}
      />
      {table && view && figure && (
        <aside
          className="results-rail"
          aria-label="Rows, columns and baseline"
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
            makeBase={makeBase}
            leaveOut={leaveOut}
            setLayout={actions.layOut}
          />
        </aside>
      )}
      <main className="results-main">
        {table && (
          <SideChips
            table={table}
            sides={sides}
            base={base}
            texts={texts}
            tableIndex={tableIndex - (results.linked?.length ?? 0)}
            leftOut={leftOut}
            makeBase={makeBase}
            leaveOut={leaveOut}
          />
        )}
        <VerdictBar shown={shown} />
        <SenderLine />
        <ResultsWithText
          show={show}
          search={search}
          results={results}
          shown={shown}
          title={names}
          layout={layout}
          setLayout={actions.layOut}
          actions={actions}
        />
      </main>
      <footer className="results-foot">
        <div className="results-missing">
          <p>
            <b>What the text does not say.</b> {document.absent}
          </p>
          {table?.remarks && (
            <p>
              <b>What it says twice.</b> {table.remarks.join(' ')}
            </p>
          )}
        </div>
        <button type="button" className="button" onClick={() => actions.pickFiles('files')}>
          Add files
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

const VIEW_NAMES: Readonly<Record<ResultsView, string>> = {
  table: 'Table',
  chart: 'Chart',
  matrix: 'Matrix',
  text: 'Text',
}

interface ViewSwitchProps {
  readonly show: ResultsView
  /** Whether the texts are here; a link does not contain them. */
  readonly hasText: boolean
  setShow(show: ResultsView): void
}

function ViewSwitch({ show, hasText, setShow }: ViewSwitchProps) {
  return (
    <fieldset className="segments results-views" aria-label="View of the results">
      {RESULTS_VIEWS.map(view => (
        <button
          key={view}
          type="button"
          aria-pressed={view === show}
          disabled={view === 'text' && !hasText}
          onClick={() => setShow(view)}
        >
          {VIEW_NAMES[view]}
        </button>
      ))}
    </fieldset>
  )
}

interface SearchProps {
  readonly text: string
  setText(text: string): void
}

/** Filters the rows by words; the text marks the same words. */
function Search({ text, setText }: SearchProps) {
  const input = useRef<HTMLInputElement>(null)
  useSlashKey(input, true)
  return (
    <label className="results-search">
      <input
        ref={input}
        className="field"
        type="search"
        aria-label="Find figures and lines"
        placeholder="Find"
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          setText('')
          event.currentTarget.blur()
        }}
      />
      <kbd>/</kbd>
    </label>
  )
}

interface ResultsBarProps {
  readonly names: string
  readonly themeButton: ReactNode
  /** Opens the rail on narrow pages; absent if the rail is empty. */
  readonly drawer?: { readonly isOpen: boolean; toggle(): void }
  readonly view?: ViewSwitchProps
  readonly search?: SearchProps
}

function ResultsBar({ names, themeButton, drawer, view, search }: ResultsBarProps) {
  const actions = useActions()
  const skipped = usePage(p => p.notRead)
  return (
    <header className="results-bar">
      <button
        type="button"
        className="results-home"
        onClick={actions.goHome}
        title="To the first page; the results stay open"
      >
        <Logo />
        <span className="brand">Seekscope</span>
      </button>
      <h1 title={names}>{names}</h1>
      {skipped.length > 0 && (
        <button type="button" className="link" onClick={() => actions.show({ kind: 'not-read' })}>
          {skippedWords(skipped)}
        </button>
      )}
      {view && <ViewSwitch {...view} />}
      {search && <Search {...search} />}
      {drawer && (
        <button type="button" className="button results-drawer" aria-expanded={drawer.isOpen} onClick={drawer.toggle}>
          Rows and baseline
        </button>
      )}
      <button type="button" className="button" onClick={() => actions.pickFiles('files')}>
        Add files
      </button>
      <button type="button" className="button" onClick={() => actions.show({ kind: 'share' })}>
        Share
      </button>
      {themeButton}
      <button
        type="button"
        className="button square results-keys"
        aria-label="Shortcuts"
        onClick={() => actions.show({ kind: 'shortcuts' })}
      >
        <kbd>?</kbd>
      </button>
    </header>
  )
}

interface ResultsTabsProps {
  readonly hasRail: boolean
  readonly isOpen: boolean
  setOpen(open: boolean): void
}

/** Links to the parts of the page on phones, where it is one column. */
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
          Rows and baseline
        </button>
      )}
    </nav>
  )
}
