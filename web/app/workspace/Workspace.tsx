import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Charts } from '../../charts/Charts'
import { TermTip } from '../../charts/shared/term/Term'
import { Differences } from '../../compare/Differences'
import { counted } from '../../lib/format'
import { type Ns, ns } from '../../lib/units'
import { followEvidence } from '../../state/comparing/evidenceWindows'
import { followRange } from '../../state/comparing/ranged'
import { onlyObjects } from '../../state/hidden'
import { put, titleOf } from '../../state/page'
import { railStore } from '../../state/rail'
import type { View } from '../../state/types'
import { useActions, usePage, usePageContext } from '../context'
import { ResultsLine } from '../results/ResultsLine'
import { Boundary } from '../shared/Boundary'
import { LaterView } from '../shared/LaterView'
import { skippedWords } from '../shared/skippedWords'
import { Annotations } from './findings/Annotations'
import { useFigureCharts } from './findings/chartPlaces'
import { EvidenceBar } from './findings/EvidenceBar'
import { useEvidence } from './findings/useEvidence'
import { EvidenceDetails } from './head/EvidenceDetails'
import { Head } from './head/Head'
import { MomentBar } from './moments/MomentBar'
import { Rail } from './rail/Rail'
import { RailFold } from './rail/RailFold'
import { Chips, RunsAside } from './runs/Chips'
import { DigestLine } from './runs/DigestLine'
import { Grouped } from './runs/Grouped'
import { SecondTrace } from './runs/SecondTrace'
import { SenderLine } from './SenderLine'
import { TopBar } from './TopBar'
import { Minimap } from './timeline/Minimap'
import { TimeWords } from './timeline/TimeWords'
import { useCurrentComparison, useShownFigures } from './useCurrentComparison'
import './runs/chips.css'
import './timeline/minimap.css'
import './rail/rail.css'
import './workspace.css'
import { Menu } from '../../charts/shared/menu/Menu'
import { unpackingWords } from '../shared/unpacking'
import { pasteFromClipboard } from '../usePaste'

const TABS = [
  ['charts', 'Charts'],
  ['figures', 'Findings'],
  ['filter', 'Filter'],
  ['events', 'Events'],
] as const

type Tab = (typeof TABS)[number][0]

/** An empty layout: rows and columns of the matrix are guessed from the labels. */
const GUESSED_LAYOUT = {}

/** The section that a narrow page shows. Events and the matrix are layouts of the wide page, too. */
function useTab() {
  const actions = useActions()
  const layout = usePage(p => p.view.layout)
  const sight = usePage(p => p.sight)
  const [part, setPart] = useState<Exclude<Tab, 'events'>>('charts')
  useEffect(() => {
    if (sight) setPart(sight.chart === 'differences' ? 'figures' : 'charts')
  }, [sight])
  const tab: Tab = layout === 'events' && part !== 'filter' ? 'events' : part
  const setTab = (next: Tab) => {
    if (next === 'events') actions.setLayout('events')
    else if ((layout === 'events' && next !== 'filter') || (layout === 'matrix' && next === 'figures'))
      actions.setLayout('columns')
    setPart(next === 'events' ? 'charts' : next)
  }
  return { tab, setTab }
}

/** The filters of a narrow page: a drawer over the page, which Escape closes. */
function useDrawer() {
  const [drawer, setDrawer] = useState(false)
  useEffect(() => {
    if (!drawer) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setDrawer(false)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [drawer])
  return [drawer, setDrawer] as const
}

/**
 * The open runs: chips, figures and charts in the centre, filters on the left, timeline at the bottom.
 *
 * `workspace.css` lays the parts out by their class names and by the `data-` attributes of the outermost element.
 * Narrow pages render the same parts, and CSS shows those of `data-tab`: charts stay mounted while another section is
 * shown. The events and the matrix replace the charts.
 */
export function Workspace({ themeButton }: { themeButton: ReactNode }) {
  const { store } = usePageContext()
  useEffect(() => followRange(store), [store])
  useEffect(() => followEvidence(store), [store])
  const layout = usePage(p => p.view.layout)
  const evidence = usePage(p => p.evidence)
  const { tab, setTab } = useTab()
  const [drawer, setDrawer] = useDrawer()
  const body = useScrollToCharts(layout)
  useScrollToSentence(body, evidence !== undefined)
  const folded = useStore(railStore, rail => rail.folded)
  const matrix = layout === 'matrix'
  const showCharts = () => {
    setDrawer(false)
    if (tab === 'filter') setTab('charts')
  }
  const rail = matrix ? 'Rows and columns' : 'Filters'
  return (
    <div
      className="workspace"
      data-tab={tab}
      data-drawer={drawer}
      data-layout={layout}
      data-rail={folded ? 'folded' : 'open'}
    >
      <TopBar themeButton={themeButton} filterOpen={drawer} onFilter={() => setDrawer(!drawer)} />
      <main className="workspace-main">
        <RunsHead />
        {matrix ? <LaterView>{({ MatrixHead }) => <MatrixHead />}</LaterView> : <Chips />}
        <section className="rail" aria-label={rail}>
          <Boundary subject={matrix ? rail : 'The filters'}>
            {matrix ? <LaterView>{({ MatrixRail }) => <MatrixRail />}</LaterView> : <Rail onMoment={showCharts} />}
          </Boundary>
        </section>
        {matrix ? <MatrixBody /> : layout === 'events' ? <EventsBody /> : <ChartsBody body={body} />}
        {!matrix && (
          <>
            <TimeWords />
            <Boundary subject="The timeline">
              <Minimap />
            </Boundary>
          </>
        )}
      </main>
      <SelectedRequest />
      <TermTip />
      <nav className="tabs" aria-label="Sections">
        {TABS.map(([key, name]) => (
          <button key={key} type="button" aria-current={tab === key} onClick={() => setTab(key)}>
            {matrix && key === 'charts' ? 'Matrix' : name}
          </button>
        ))}
      </nav>
      {drawer && (
        <button
          type="button"
          className="drawer-scrim"
          aria-label="Close the filters"
          onClick={() => setDrawer(false)}
        />
      )}
    </div>
  )
}

function MatrixBody() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const labels = usePage(p => p.labels)
  const layout = usePage(p => p.view.matrix)
  const title = usePage(titleOf)
  const compared = usePage(p => p.comparison)
  return (
    <div className="body">
      <Grouped />
      <DigestLine />
      <SenderLine />
      <ResultsLine />
      <Boundary subject="The matrix">
        <LaterView>
          {({ Matrix }) => (
            <Matrix
              runs={runs}
              labels={labels}
              layout={layout ?? GUESSED_LAYOUT}
              actions={{
                setMatrix: actions.setMatrix,
                lookAt: actions.lookAt,
                editLabels: () => actions.show({ kind: 'labels' }),
              }}
              title={title}
              compared={compared}
            />
          )}
        </LaterView>
      </Boundary>
    </div>
  )
}

function EventsBody() {
  return (
    <div className="body">
      <Boundary subject="The event list">
        <LaterView>{({ EventLists }) => <EventLists />}</LaterView>
      </Boundary>
    </div>
  )
}

function ChartsBody({ body }: { readonly body: RefObject<HTMLDivElement | null> }) {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const view = usePage(p => p.view)
  const title = usePage(titleOf)
  const annotations = usePage(p => p.annotations)
  const isStreamed = usePage(p => p.runs.some(run => run.streamed && !run.alone))
  const windows = usePage(p => p.evidence?.windows)
  // Evidence shows another part of each run.
  const ranged = usePage(p => (p.evidence?.windows ? undefined : p.ranged))
  const evidence = usePage(p => p.evidence !== undefined)
  useEvidence()
  const chartView = useMemo(() => put(view, 'windows', windows), [view, windows])
  return (
    <div className="body" ref={body}>
      <EvidenceBar />
      {runs.length === 1 && <SecondTrace />}
      <Grouped />
      <DigestLine />
      <SenderLine />
      <ResultsLine />
      {isStreamed && <LaterView>{({ Streamed }) => <Streamed />}</LaterView>}
      <MomentBar />
      {!evidence && (
        <Boundary subject="The figures">
          <Head />
        </Boundary>
      )}
      <div className="body-charts">
        <Boundary subject="The annotations">
          <Annotations />
        </Boundary>
        <Boundary subject="The charts">
          <Charts
            runs={runs}
            view={chartView}
            actions={actions}
            title={title}
            annotations={annotations}
            ranged={ranged}
          />
        </Boundary>
        {evidence && (
          <Boundary subject="What supports the finding">
            <EvidenceDetails />
          </Boundary>
        )}
      </div>
      <div className="body-figures">
        <Boundary subject="The table of differences">
          <Difference />
        </Boundary>
      </div>
    </div>
  )
}

function SelectedRequest() {
  const actions = useActions()
  const selected = usePage(p => p.view.selected)
  const run = usePage(p => p.runs.find(r => r.id === p.view.selected?.run))
  const runs = usePage(p => p.runs)
  const names = [...new Set(runs.flatMap(({ info }) => info?.objects?.map(({ name }) => name) ?? []))]
  if (!run || !selected) return null
  const onlyFile = (file: string) => {
    const only = names.includes(file) ? onlyObjects(names, name => name === file) : undefined
    return only && (() => actions.leaveOut(only))
  }
  // Times of requests are relative to the trace, not to the common axis.
  const showEvents = (time: Ns | undefined) =>
    actions.showEvents(time === undefined ? undefined : ns(time + (run.shift ?? 0)))
  return (
    <Boundary subject="The request">
      <LaterView>
        {({ RequestLife }) => (
          <RequestLife
            key={run.id}
            run={run}
            row={selected.row}
            actions={{ select: actions.select, showEvents, annotate: actions.annotate, onlyFile }}
          />
        )}
      </LaterView>
    </Boundary>
  )
}

/** Scrolls back to the start of the charts when the layout changes: layouts differ in height. */
function useScrollToCharts(layout: View['layout']): RefObject<HTMLDivElement | null> {
  const body = useRef<HTMLDivElement>(null)
  const last = useRef(layout)
  useLayoutEffect(() => {
    if (last.current === layout) return
    last.current = layout
    const charts = body.current?.querySelector<HTMLElement>('.body-charts')
    if (body.current && charts) body.current.scrollTop = Math.min(body.current.scrollTop, charts.offsetTop)
  }, [layout])
  return body
}

/** Scrolls back to the finding's sentence when its evidence is closed. */
function useScrollToSentence(body: RefObject<HTMLDivElement | null>, evidence: boolean) {
  const last = useRef(evidence)
  useLayoutEffect(() => {
    const wasClosed = last.current && !evidence
    last.current = evidence
    if (wasClosed && body.current) body.current.scrollTop = 0
  }, [body, evidence])
}

/** The table of differences; nothing while no runs are compared. */
function Difference() {
  const { runs, comparison: compared } = useShownFigures()
  const current = useCurrentComparison()
  const charts = useFigureCharts()
  return current && compared ? (
    <Differences compared={compared} current={current} runs={runs} charts={charts} />
  ) : undefined
}

/** The head of the runs: their number, what is being read, and buttons to add one. */
function RunsHead() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const notRead = usePage(p => p.notRead)
  const sorting = usePage(p => p.sorting)
  const unpacking = usePage(p => p.unpacking)
  const live = runs.filter(r => r.stream)
  const reading = runs.filter(r => r.status.kind === 'reading' && !r.stream)
  const baseline = runs.find(r => r.baseline)
  const hidden = runs.filter(r => r.hidden)
  const ways = [
    { label: 'Add folder', run: () => actions.pickFiles('folder') },
    { label: 'Add from URL', run: () => actions.show({ kind: 'addresses' }) },
    { label: 'Paste', run: () => void pasteFromClipboard(actions) },
  ]
  const hiddenWords = hidden.length > 0 ? `; ${hidden.map(r => r.letter).join(', ')} hidden` : ''
  const status = unpacking
    ? unpackingWords(unpacking)
    : sorting
      ? 'inspecting files…'
      : reading.length > 0
        ? `reading ${reading.map(r => r.letter).join(', ')}`
        : live.length > 0
          ? `following ${live.map(r => r.letter).join(', ')}`
          : runs.length === 1
            ? 'nothing to compare yet'
            : `compared with ${baseline?.letter ?? 'A'}${hiddenWords}`
  return (
    <section className="runs-head" aria-label="Run count">
      <div className="runs-count">
        <strong>{counted(runs.length, 'run')}</strong>
        <RunsAside />
        {sorting ? (
          <button type="button" className="link" onClick={actions.stop}>
            Cancel
          </button>
        ) : (
          <>
            <button type="button" className="link" onClick={() => actions.pickFiles('files')}>
              Add files
            </button>
            <Menu label="More ways to add runs" items={ways}>
              <span aria-hidden="true">⋯</span>
            </Menu>
          </>
        )}
        <RailFold folded={false} />
      </div>
      {notRead.length > 0 && !sorting && reading.length === 0 ? (
        <button type="button" className="link not-read" onClick={() => actions.show({ kind: 'not-read' })}>
          {skippedWords(notRead)}
        </button>
      ) : (
        <p className="caption" aria-live="polite">
          {status}
        </p>
      )}
    </section>
  )
}
