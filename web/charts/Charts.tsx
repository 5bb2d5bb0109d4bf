/** All charts of all runs: one column per run, or stacked on a narrow page. */
import { type ComponentType, createElement, lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { numbered } from '../state/annotations/annotations'
import { extentOf, visible } from '../state/filter'
import { objectColours } from '../state/runs/objects'
import { processSlots } from '../state/runs/processes'
import type { Actions, Annotation, RangedFigures, Run, View } from '../state/types'
import './chart.css'
import './charts.css'
import './plot.css'
import { StripeAlignment } from './alignment/Chart'
import { Counters } from './counters/Chart'
import { PairSwitch } from './difference/PairSwitch'
import { type Pair, pairOf } from './difference/pair'
import { flushes } from './flushes/spec'
import { LatencyHistogram, SizeHistogram } from './histograms/Chart'
import { Latency } from './latency/Chart'
import { Percentiles } from './percentiles/Chart'
import { QueueDepth } from './queue-depth/Chart'
import { RequestSizes } from './request-sizes/Chart'
import { SeekMap } from './seek-map/Chart'
import { useUnmatched } from './shared/answers/filters'
import { LegendFiltersContext } from './shared/answers/legendFilters'
import { createLive } from './shared/answers/live'
import {
  type ChartFrame,
  canStretch,
  drawnAlike,
  filtered,
  isBrief,
  isDigest,
  MAX_COLUMNS,
  nothingMatches,
  type Shown,
  type StableView,
  shownRuns,
  withOwnFrames,
} from './shared/answers/shown'
import { useAnswers } from './shared/answers/useAnswers'
import { SpecChart } from './shared/frame/SpecChart'
import { TimeAxis } from './shared/frame/TimeAxis'
import { Tooltip } from './shared/frame/Tooltip'
import { createTips } from './shared/frame/tips'
import { useWidth } from './shared/frame/useWidth'
import { groupAsShown, shownOfSides, sidesOf } from './shared/groups/sides'
import { HeadingContext, type PictureHeading } from './shared/paint/heading'
import { type ChartSizes, readSizes } from './shared/paint/palette'
import { readPalette, useColours, useMapHeight } from './shared/paint/theme'
import type { Reply } from './shared/spec'
import { Stages } from './stages/Chart'
import { Stripes } from './stripes/Chart'
import { SlowestRequests } from './tail/Chart'
import { Throughput } from './throughput/Chart'

export interface ChartsProps {
  readonly runs: readonly Run[]
  readonly view: View
  readonly actions: Actions
  /** Title of the comparison, for names of saved files. */
  readonly title: string
  readonly annotations: readonly Annotation[]
  /** Figures of the visible range, where they are measured. */
  readonly ranged: RangedFigures | undefined
}

/** Widths in px. */
const NARROW_AXIS = 50
const PAD = 16
const NARROW = 720
const MIN_PLOT = 120

/** The view without its fast parts: the same object until one of its slow parts changes. */
function useStableView(view: View): StableView {
  const { range, lba, layer, stage, layout, trueScale, hidden, latency, functions } = view
  const { sizesAt, bars, rate, windows, ownLengths } = view
  return useMemo(
    () => ({
      ...{ range, stage, layout, trueScale, hidden },
      ...(lba && { lba }),
      ...(layer && { layer }),
      ...(latency && { latency }),
      ...(functions && { functions }),
      ...(sizesAt && { sizesAt }),
      ...(bars && { bars }),
      ...(rate && { rate }),
      ...(windows && { windows }),
      ...(ownLengths && { ownLengths }),
    }),
    [range, lba, layer, stage, layout, trueScale, hidden, latency, functions, sizesAt, bars, rate, windows, ownLengths],
  )
}

const withoutFilters = (run: Shown): Shown => {
  const { device, geometry } = run.filter
  return { ...run, filter: { device, ...(geometry && { geometry }) } }
}

/** Returns the same array until what charts show of a run changes: progress of reading draws nothing again. */
function useDrawnRuns(runs: readonly Run[]): readonly Run[] {
  const [drawn, setDrawn] = useState(runs)
  if (drawnAlike(drawn, runs)) return drawn
  setDrawn(runs)
  return runs
}

/** What saved pictures say of their runs and filters. */
function useHeading(title: string, shown: readonly Shown[], view: StableView): PictureHeading {
  return useMemo(
    () => ({
      title,
      runs: shown.map(({ letter, run }) => ({ letter, label: run.label })),
      ...(filtered({ view }) && { note: 'Requests hidden by filters are not shown.' }),
    }),
    [title, shown, view],
  )
}

/** How runs stand beside each other at this width, px. */
function placesOf(width: number, runCount: number, { axis, gap }: ChartSizes) {
  const stacked = width > 0 && width + 2 * PAD <= NARROW
  const lines = Math.ceil(runCount / MAX_COLUMNS)
  const columns = stacked ? 1 : Math.max(1, Math.ceil(runCount / lines))
  const axisWidth = stacked ? NARROW_AXIS : axis
  const room = stacked ? width - axisWidth : (width - 2 * axisWidth - gap * (columns - 1)) / columns
  return { stacked, columns, axisWidth, plotWidth: Math.max(MIN_PLOT, Math.floor(room)) }
}

export function Charts({ runs: allRuns, view, actions, title, annotations: notes, ranged }: ChartsProps) {
  const runs = useDrawnRuns(allRuns)
  const box = useRef<HTMLDivElement>(null)
  const width = Math.round(useWidth(box))
  const [live] = useState(createLive)
  const [tips] = useState(createTips)
  const colours = useColours()
  const stableView = useStableView(view)
  const shown = useMemo(() => shownRuns(runs, stableView, ranged), [runs, stableView, ranged])
  const unmatched = useUnmatched(shown, filtered({ view: stableView }))
  // Where nothing matches, axes are those without filters: they stay, and what was filtered out has a place.
  const queried = useMemo(
    () => (nothingMatches({ unmatched }, shown) ? shown.map(withoutFilters) : shown),
    [shown, unmatched],
  )
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const isByGroup = view.layout === 'columns'
  const sides = useMemo(
    () =>
      isByGroup ? sidesOf(queried, chosen, (group, run) => setChosen(now => ({ ...now, [group]: run }))) : undefined,
    [isByGroup, queried, chosen],
  )
  const plots = sides?.length ?? shown.length
  const { cursor, preview, selected } = view

  useEffect(() => live.pin(cursor), [live, cursor])
  useEffect(() => live.set({ preview, ...(preview === undefined && { origin: undefined }) }), [live, preview])

  const mapHeight = useMapHeight()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette reads colours and sizes, which change with theme, groups and window
  const palette = useMemo(readPalette, [colours, mapHeight])
  const sizes = useMemo(() => readSizes(palette), [palette])
  const { stacked, columns, axisWidth, plotWidth } = placesOf(width, plots, sizes)
  const annotations = useMemo(() => numbered(notes, runs), [notes, runs])
  const frame = useMemo(
    (): ChartFrame => ({
      shown: queried,
      ...(sides && { sides }),
      unmatched,
      view: stableView,
      actions,
      live,
      tips,
      palette,
      sizes,
      extent: extentOf(runs),
      processes: processSlots(visible(runs)),
      objects: objectColours(visible(runs)),
      columns,
      plotWidth,
      axisWidth,
      stacked,
      selected,
      annotations,
    }),
    [
      queried,
      sides,
      unmatched,
      stableView,
      actions,
      live,
      tips,
      palette,
      sizes,
      runs,
      columns,
      plotWidth,
      axisWidth,
      stacked,
      selected,
      annotations,
    ],
  )
  const drawn = useMemo(
    () => (stableView.ownLengths && canStretch(frame) ? withOwnFrames(frame) : frame),
    [stableView, frame],
  )
  const heading = useHeading(title, shown, stableView)
  const isFixed = shown.some(({ run }) => run.snapshot)
  const filters = useMemo(
    () => (isFixed ? undefined : { hidden: stableView.hidden, leaveOut: actions.leaveOut }),
    [isFixed, stableView.hidden, actions],
  )
  return (
    <div className="charts" data-stacked={stacked}>
      <div ref={box} className="charts-width" />
      {width > 0 && shown.length > 0 && (
        <HeadingContext value={heading}>
          <LegendFiltersContext value={filters}>
            <All frame={drawn} width={width} />
          </LegendFiltersContext>
        </HeadingContext>
      )}
      <Tooltip tips={tips} />
    </div>
  )
}

/**
 * One frame for each way to draw groups: all runs, one run of each group, and the median of its runs. Evidence has
 * another window in each run, so it is shown in one run at a time.
 */
function useFrames(frame: ChartFrame) {
  // These lists stay the same until the runs or the choice among them change: a selection draws nothing again.
  const lists = useMemo(() => {
    const groups = frame.sides?.map(({ runs }) => runs)
    return groups && frame.sides
      ? { groups, single: shownOfSides(frame.sides), grouped: groups.flatMap(groupAsShown) }
      : undefined
  }, [frame.sides])
  return useMemo(() => {
    const { sides, ...all } = frame
    if (sides === undefined || lists === undefined) return { all, single: all, grouped: all }
    const single: ChartFrame = { ...all, shown: lists.single, sides }
    const grouped: ChartFrame = { ...all, shown: lists.grouped, groups: lists.groups }
    return { all, single, grouped: all.view.windows ? single : grouped }
  }, [frame, lists])
}

type ChartFrames = ReturnType<typeof useFrames>

/** What all layouts of the charts need. */
interface ChartLayoutProps {
  readonly frame: ChartFrame
  readonly frames: ChartFrames
  readonly distributions: readonly Reply<'distribution'>[]
  /** Width of a panel: half of the page, or less where two stand side by side in a half. */
  readonly half: number
  readonly quarter: number
  readonly wide: boolean
}

function All({ frame: outerFrame, width }: { readonly frame: ChartFrame; readonly width: number }) {
  const frames = useFrames(outerFrame)
  const frame = frames.all
  const { shown, view, stacked, sizes } = frame
  const distributions = useAnswers(
    'distribution',
    shown,
    run => ({ filter: run.filter, range: view.range, stage: view.stage }),
    'distribution',
    150,
  )
  const half = stacked ? width : Math.floor((width - sizes.gap) / 2)
  const wide = shown.some(s => s.filter.geometry !== undefined) || stacked
  const quarter = wide ? half : Math.floor((half - 24) / 2)
  const pair = useMemo(() => (view.layout === 'difference' ? pairOf(shown) : undefined), [view.layout, shown])
  const charts = { frame, frames, distributions, half, quarter, wide }
  if (isBrief(shown)) return <BriefCharts {...charts} pair={pair} />
  if (isDigest(shown) && shown.every(({ run }) => run.snapshot)) return <DigestCharts {...charts} />
  return pair ? <DifferenceCharts {...charts} pair={pair} /> : <RunCharts {...charts} />
}

const isOverlay = ({ view, shown }: ChartFrame): boolean => view.layout === 'overlay' && shown.length > 1

/** The charts that a link of size XS has data for. */
function BriefCharts({
  frame,
  frames,
  distributions,
  half,
  pair,
}: ChartLayoutProps & { readonly pair: Pair | undefined }) {
  const mapped = !isDigest(frame.shown)
  const overlay = isOverlay(frame)
  const compared = mapped ? pair : undefined
  return (
    <>
      <div className="charts-group">
        {compared && (
          <>
            <PairSwitch frame={frame} pair={compared} />
            <Difference frame={frame} pair={compared} />
          </>
        )}
        {overlay && <Overlay frame={frame} />}
        {!compared && mapped && <SeekMap frame={frames.single} />}
        {!compared && !overlay && <QueueDepth frame={frames.grouped} />}
        {!compared && !overlay && <Throughput frame={frames.grouped} timed />}
      </div>
      <div className="charts-group panels">
        {mapped && <Percentiles frame={frame} distributions={distributions} width={half} />}
        <p className="chart-sentence" data-not-in-brief="">
          This short link does not have the latency map, histograms, stages, request sizes, flushes, stripes, slowest
          requests, files and structures, and counters. Drop the traces, or ask for a larger link or a report.
        </p>
      </div>
    </>
  )
}

function DigestCharts({ frame, frames, half, quarter, wide }: ChartLayoutProps) {
  const overlay = isOverlay(frame)
  return (
    <>
      <div className="charts-group">
        {overlay ? <Overlay frame={frame} /> : <QueueDepth frame={frames.grouped} />}
        {!overlay && <Throughput frame={frames.grouped} timed />}
      </div>
      <div className="charts-group panels">
        <Stages frame={frame} width={half} />
        <div className="panels-side" data-wide={wide}>
          <RequestSizes frame={frame} width={quarter} />
          <SpecChart frame={frame} spec={flushes} ignoresFilters />
        </div>
      </div>
      <p className="chart-sentence" data-not-in-digest="">
        Digests do not have the seek map, latency over time, percentile curves, the slowest requests, counters and
        events. Drop the traces for them.
      </p>
    </>
  )
}

const NotFetched = () => (
  <p className="chart-sentence">This part of the page could not be fetched. Reload the page to try again.</p>
)

/** A chart that is in a script of its own. */
function fetched<P extends object>(fetchChart: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Chart = lazy(() =>
    fetchChart().then(
      chart => ({ default: chart }),
      () => ({ default: NotFetched }),
    ),
  )
  return props => <Suspense>{createElement(Chart, props)}</Suspense>
}

/** Several runs in one chart: the picture of one run does without them. `web/app/laterViews.ts` fetches them, too. */
const Difference = fetched(() => import('./difference/Chart').then(chart => chart.Difference))
const Overlay = fetched(() => import('./overlay/Chart').then(chart => chart.Overlay))
/** Who has no map of a disk sees a line of it. */
const FilesTable = fetched(() => import('./files/Chart').then(chart => chart.Files))
/** Fetched only where a recording has call stacks. */
const StackTree = fetched(() => import('./stacks/Chart').then(chart => chart.Stacks))
/** Fetched only where a recording has stacked devices. */
const LayersTable = fetched(() => import('./layers/Chart').then(chart => chart.Layers))

const Files = ({ frame }: { readonly frame: ChartFrame }) => (
  <div className="charts-group">
    <FilesTable frame={frame} />
  </div>
)

const Stacks = ({ frame }: { readonly frame: ChartFrame }) =>
  frame.shown.some(({ figures }) => figures?.stacks !== undefined) && (
    <div className="charts-group">
      <StackTree frame={frame} />
    </div>
  )

const Layers = ({ frame }: { readonly frame: ChartFrame }) =>
  frame.shown.some(({ info }) => info.devices.some(({ below = [] }) => below.length > 0)) && (
    <div className="charts-group">
      <LayersTable frame={frame} />
    </div>
  )

const hasMap = ({ shown }: ChartFrame): boolean =>
  shown.some(({ figures }) => figures?.objects !== undefined || figures?.calls !== undefined)

function DifferenceCharts({ frame, distributions, half, pair }: ChartLayoutProps & { readonly pair: Pair }) {
  const two = { ...frame, shown: [pair.base, pair.other], columns: Math.min(frame.columns, 2) }
  const distributionsOfTwo = two.shown.map(run => distributions[frame.shown.indexOf(run)] ?? {})
  return (
    <>
      <div className="charts-group">
        <PairSwitch frame={frame} pair={pair} />
        <Difference frame={frame} pair={pair} />
      </div>
      <div className="charts-group panels">
        <SizeHistogram frame={frame} pair={pair} width={half} />
        <LatencyHistogram frame={frame} pair={pair} width={half} distributions={distributions} />
      </div>
      <div className="charts-group panels">
        <Percentiles frame={two} distributions={distributionsOfTwo} width={half} />
        <Stages frame={two} width={half} />
      </div>
      {hasMap(two) && <Files frame={two} />}
      <Layers frame={two} />
      <Stacks frame={two} />
      <Counters frame={two} mode={{ kind: 'difference', pair }} />
    </>
  )
}

/** All runs, side by side or over each other. */
function RunCharts({ frame, frames, distributions, half, quarter, wide }: ChartLayoutProps) {
  const overlay = isOverlay(frame)
  const distributionsOfShown = useMemo(
    () => frames.single.shown.map(run => distributions[frame.shown.findIndex(({ id }) => id === run.id)] ?? {}),
    [frames, frame, distributions],
  )
  return (
    <>
      {overlay && (
        <>
          <div className="charts-group">
            <Overlay frame={frame} />
          </div>
          <div className="charts-group panels">
            <SizeHistogram frame={frame} width={half} />
            <LatencyHistogram frame={frame} width={half} distributions={distributions} />
          </div>
        </>
      )}
      <div className="charts-group">
        <SeekMap frame={frames.single} />
        {!overlay && <QueueDepth frame={frames.grouped} />}
        {!overlay && <Throughput frame={frames.grouped} timed />}
        {overlay && !frame.stacked && <TimeAxis frame={frame} />}
      </div>
      {hasMap(frames.single) && <Files frame={frames.single} />}
      <Layers frame={frames.single} />
      <div className="charts-group">
        <Stripes frame={frames.single} />
        <Latency frame={frames.single} distributions={distributionsOfShown} />
      </div>
      <div className="charts-group panels">
        <div>
          <Percentiles frame={frame} distributions={distributions} width={half} />
          <SpecChart frame={frame} spec={flushes} ignoresFilters />
        </div>
        <div className="panels-side" data-wide={wide}>
          <Stages frame={frame} width={half} />
          <RequestSizes frame={frame} width={quarter} />
          <StripeAlignment frame={frame} width={quarter} />
        </div>
      </div>
      <div className="charts-group">
        <SlowestRequests frame={frames.single} />
      </div>
      <Stacks frame={frames.single} />
      {!hasMap(frames.single) && <Files frame={frames.single} />}
      <Counters frame={frames.single} mode={{ kind: overlay ? 'overlay' : 'columns' }} />
    </>
  )
}
