/**
 * What a chart is, whoever draws it: the page, and pictures and texts of the command line. A chart is one object of
 * `spec.ts` in its folder. The words of a chart stand there and nowhere else; a place that draws one only puts them
 * where its readers look for them. Pure: no React and no DOM, because the command line loads it, too.
 */

import type {
  ChartName,
  EngineError,
  FigureInterval,
  Query,
  QueryAnswer,
  QueryKind,
  Range,
} from '../../engine/protocol'
import type { Measured } from '../../lib/docs'
import { type ChartFrame, ofDevice, type Shown } from './answers/shown'
import type { Table } from './answers/table'
import type { LegendEntry } from './paint/legendEntry'
import type { Surface } from './paint/surface'
import type { Tick } from './paint/ticks'

/** The runs, and what of them is in view. */
export type RunsFrame = Pick<ChartFrame, 'shown' | 'groups' | 'view' | 'extent' | 'processes' | 'objects'>

/** The 95 % interval of a figure of the shown device; `undefined` while it is unknown and where there is none. */
export type IntervalOf = (run: Shown, key: string) => FigureInterval | undefined

/** The runs, and the room for one plot of each, px. */
export interface SpecFrame extends RunsFrame, Pick<ChartFrame, 'sizes' | 'plotWidth' | 'axisWidth' | 'palette'> {
  readonly intervalOf: IntervalOf
}

/** How finely answers divide a plot: in pixels on the page, in characters of a text. */
export interface Cells {
  /** What `w` columns divide; it may exceed the view, so that a bin has a round width. */
  readonly range: Range
  readonly w: number
  readonly h: number
  /** Pixels per mark of a single request; absent: no marks are drawn. */
  readonly marks?: { readonly w: number; readonly h: number }
}

export interface Reply<K extends QueryKind> {
  /** The query of this answer: it may be older than the current one. */
  readonly ask?: Query<K>
  readonly answer?: QueryAnswer<K>
  readonly error?: EngineError
}

/** Kinds of the queries of a chart, by the name that the chart gives to each. */
export type QueryKinds<Q> = { readonly [N in keyof Q]: QueryKind }

/** One list per query, in the order of the runs. */
export type Answers<Q extends QueryKinds<Q>> = { readonly [N in keyof Q]: readonly Reply<Q[N]>[] }

export interface ChartQuery<K extends QueryKind, C extends Cells = Cells> {
  readonly kind: K
  /** A newer query on a channel cancels the older one. */
  readonly channel: string
  /** How long the view rests before the page sends it: for what is more expensive than a chart. */
  readonly restMs?: number
  /** `undefined` for a run that is not to be queried. */
  ask(run: Shown, frame: RunsFrame, cells: C): Query<K> | undefined
}

/** A part of the figure beside a run. */
export type FigurePart =
  | string
  /** The number that a reader looks for. */
  | { readonly strong: string }
  /** A mark where one of these figures of the summary is unreliable. */
  | { readonly unreliable: readonly string[] }
  /** Where a figure covers more than what is drawn, the page says so. */
  | 'scope'

export type LegendPart =
  | { readonly entries: readonly LegendEntry[] }
  /** One word for several colours. */
  | { readonly tokens: readonly string[]; readonly label: string }
  /** The five steps of density, with the largest count of a cell. */
  | { readonly most: number }
  | { readonly words: string }

/** Words in a plot; `y` is their baseline. */
interface PlotLabel {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** Cells of a chart without any: its answers are of the whole view. */
export const wholeView = ({ view: { range } }: RunsFrame): Cells => ({ range, w: 1, h: 1 })

/** The part of a spec that all kinds of charts have. */
export interface ChartSpec<Q extends QueryKinds<Q>, C extends Cells = Cells> {
  /** The name that `seekscope plot --chart` takes and `specs.ts` lists. */
  readonly name: string
  readonly title: string
  /** What its sentences call it, where that is not its title. */
  readonly noun?: string
  /** Runs whose recording lacks it have the reason in its place. */
  readonly chart?: ChartName
  /** Why a run cannot have it, whatever was recorded: it says what to do, unlike the reason of a recording. */
  missing?(run: Shown): string | undefined
  /** It is about stripes: without a geometry of any run there is none. */
  readonly needsGeometry?: true
  /** Section of `docs/measures.md` with its definition. */
  readonly measured: Measured
  /** Asked one after the other: cells may depend on earlier answers. */
  readonly queries: { readonly [N in keyof Q]: ChartQuery<Q[N], C> }
  /** The cells of a drawing in pixels. */
  cells(frame: SpecFrame, loaded: Partial<Answers<Q>>): C
  /** Figures of the summary that the words are about: the command line warns where one is unreliable. */
  measures(frame: RunsFrame): readonly string[]
  /** The quantity behind the title of a text, whose legend has the bin. */
  subject(frame: RunsFrame, answers: Answers<Q>): string
  /** What the drawing shows, in words: one sentence per run, or one for all of them. */
  words(frame: RunsFrame, answers: Answers<Q>, cells: C): readonly string[]
  table(frame: RunsFrame, answers: Answers<Q>, cells: C): Table
  /** All drawn values for CSV, where the table is only a summary. */
  data?(frame: RunsFrame, answers: Answers<Q>, cells: C): Table
}

/** A chart with one plot per run, over time. */
export interface RowSpec<Q extends QueryKinds<Q>, C extends Cells = Cells> extends ChartSpec<Q, C> {
  readonly kind: 'row'
  /** The page has the device behind this title; in a picture each chart has it, because each may stand alone. */
  readonly namesDevice?: true
  row(frame: SpecFrame, answers: Answers<Q>, cells: C): ChartRow
}

export interface ChartRow {
  /** The axis, with unit and bin. */
  readonly what: string
  readonly height: number
  readonly ticks: readonly Tick[]
  /** y of horizontal lines. */
  readonly lines: readonly number[]
  /** y of zero lines, which begin and end with the run. */
  readonly zeros: readonly number[]
  readonly legend: readonly LegendPart[]
  /** Parts of the figure beside the letter of the run. */
  figure(run: Shown, i: number): readonly FigurePart[]
  /** Facts that pointer and legend tell on the page; a picture has them behind the figure. */
  details?(run: Shown, i: number): readonly string[]
  /** Why the plot of this run is empty. */
  empty?(run: Shown, i: number): string | undefined
  draw(surface: Surface, run: Shown, i: number): void
  labels?(run: Shown, i: number): readonly PlotLabel[]
  /** In place of the words of the spec: those of groups. */
  readonly words?: readonly string[]
  /** y where the axis is cut. */
  readonly cuts?: readonly number[]
  /** Colours beside the plot, from the top downwards; the ground of the strip is the same in all runs. */
  strip?(run: Shown, i: number): AxisStrip
  /** Whether words say where a run has ended. */
  readonly ends?: true
}

/** Width of a strip, px. */
export const STRIP_WIDTH = 6

/** What a strip at the edge of a plot shows: its ground, and rows of one colour each, px from the top. */
export interface AxisStrip {
  readonly ground: readonly { readonly top: number; readonly bottom: number }[]
  readonly rows: readonly { readonly top: number; readonly bottom: number; readonly token: string }[]
}

/** A chart that only the page draws. Its spec says why, and has the words that its components read. */
export interface PageSpec extends Pick<ChartSpec<object>, 'name' | 'title' | 'chart' | 'measured'> {
  readonly kind: 'page'
}

/** A chart of all runs together. */
export interface PanelSpec<Q extends QueryKinds<Q>, C extends Cells = Cells> extends ChartSpec<Q, C> {
  readonly kind: 'panel'
  panel(frame: RunsFrame, answers: Answers<Q>): ChartPanel
}

export interface ChartPanel {
  readonly what: string
  readonly legend: readonly LegendPart[]
  /** Instead of a drawing: there is nothing to draw, or words say it all. */
  readonly instead?: readonly string[]
  /** Facts that the page writes into the drawing; a picture has them below. */
  readonly notes?: readonly string[]
}

export const titleOf = ({ title }: Pick<ChartSpec<object>, 'title'>, { shown }: Pick<RunsFrame, 'shown'>): string =>
  `${title}${ofDevice(shown)}`

/** Why a run's recording lacks the chart: the engine would refuse its queries. */
export const absentReason = (
  { chart, missing }: Pick<ChartSpec<object>, 'chart' | 'missing'>,
  run: Shown,
): string | undefined => (chart === undefined || missing?.(run) !== undefined ? undefined : run.device.absent?.[chart])

/** x of the begin and the end of a run in a plot, px. */
export function endsOf(
  { begin, end }: Pick<Shown, 'begin' | 'end'>,
  { t0, t1 }: Range,
  width: number,
): readonly [number, number] {
  const x = (t: number) => Math.min(width, Math.max(0, ((t - t0) / (t1 - t0)) * width))
  return [x(begin), x(end)]
}
