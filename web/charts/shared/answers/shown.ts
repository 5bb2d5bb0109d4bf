/** Input of every chart: the drawn runs, the view without its fast-changing parts, and the size of a plot. */
import type { DeviceInfo, Digest, Filter, Range, TraceClient, TraceInfo } from '../../../engine/protocol'
import type { SummaryDevice, TraceSummary } from '../../../engine/summary'
import { type Ns, ns } from '../../../lib/units'
import { isOnlyDigest } from '../../../state/address/snapshots'
import type { NumberedAnnotation } from '../../../state/annotations/annotations'
import { beginOf, deviceOf, endOf, filterOf, visible } from '../../../state/filter'
import { nothingHidden } from '../../../state/hidden'
import { timesInWords } from '../../../state/range'
import { type ObjectColours, objectColours, objectSlotsOf } from '../../../state/runs/objects'
import { processSlots, slotsOf } from '../../../state/runs/processes'
import type { Actions, RangedFigures, Run, View } from '../../../state/types'
import type { Tips } from '../frame/tips'
import { clientOnAxis, infoOnAxis } from '../paint/onAxis'
import type { ChartSizes, Palette } from '../paint/palette'
import type { Live } from './live'

/** The view without cursor, drag and selection: a change of it may make a chart query or draw again. */
export type StableView = Omit<View, 'cursor' | 'preview' | 'selected'>

/** A run as charts draw it; times are on the axis of its column. */
export interface Shown {
  readonly id: string
  readonly letter: string
  readonly run: Run
  readonly client: TraceClient
  readonly info: TraceInfo
  readonly device: DeviceInfo
  /** Figures of the shown device; absent while reading. */
  readonly figures: SummaryDevice | undefined
  /** Figures of the complete run: axes that follow them stay while the range changes. */
  readonly whole: SummaryDevice | undefined
  /** The same of all its devices. */
  readonly devices: readonly SummaryDevice[] | undefined
  /** What the figures are of, and its digest; absent: the complete run. */
  readonly part?: { readonly range: Range; readonly digest: Digest }
  readonly filter: Filter
  /** Class by `ProcessInfo.index` for the `process` layer. */
  readonly slots: readonly number[]
  /** Class by `ObjectInfo.index` for the `object` layer. */
  readonly objectSlots: readonly number[]
  /** Time of the first event. */
  readonly begin: Ns
  /** Last completion, or how far the trace is read. */
  readonly end: Ns
  /** Added to a time of the trace to place it on the axis, ns. */
  readonly shift: number
  /** The part of the shift that shows the evidence of a finding: the run is labelled with its times without it, ns. */
  readonly moved: number
  /** Changes when the same query has a new answer. */
  readonly version: string
}

/** A side of a grouped comparison, of which a chart of single marks shows one run. */
export interface ChartSide {
  readonly runs: readonly Shown[]
  /** Index of the run that is shown. */
  readonly index: number
  readonly show: (index: number) => void
}

export interface ChartFrame {
  readonly shown: readonly Shown[]
  /** In the order of `shown`: the sides of which these are one run each. */
  readonly sides?: readonly ChartSide[]
  /** In the order of `shown`: all runs of each group, whose median is drawn. */
  readonly groups?: readonly (readonly Shown[])[]
  readonly view: StableView
  readonly actions: Actions
  readonly live: Live
  readonly tips: Tips
  readonly palette: Palette
  readonly sizes: ChartSizes
  /** From the first to the last time of all runs. */
  readonly extent: Range
  /** Palette slots by process key, the same in all runs. */
  readonly processes: ReadonlyMap<string, number>
  /** Files and structures with their palette slots, the same in all runs. */
  readonly objects: ObjectColours
  /** Number of runs side by side. */
  readonly columns: number
  /** CSS px of one plot and of an axis beside it. */
  readonly plotWidth: number
  readonly axisWidth: number
  /** Runs one above the other (phone width). */
  readonly stacked: boolean
  /** Runs of which no request matches the filters. */
  readonly unmatched: ReadonlySet<string>
  readonly selected: View['selected']
  readonly annotations: readonly NumberedAnnotation[]
  /** The frames of runs by id, where each is drawn over its own length. */
  readonly ownFrames?: ReadonlyMap<string, ChartFrame>
}

/** The frame in which a run is drawn. */
export const frameOf = (frame: ChartFrame, run: Pick<Shown, 'id'>): ChartFrame => frame.ownFrames?.get(run.id) ?? frame

/** The frame with one of each run's own length beside it. */
export function withOwnFrames(frame: ChartFrame): ChartFrame {
  const ownFrames = new Map(
    frame.shown.map(run => [
      run.id,
      { ...frame, view: { ...frame.view, range: { t0: run.begin, t1: run.end } } } satisfies ChartFrame,
    ]),
  )
  return { ...frame, ownFrames }
}

/** Whether runs of different lengths are all here, so that each can be drawn over its own. */
export const canStretch = ({
  shown,
  view,
  groups,
}: Pick<ChartFrame, 'shown' | 'view' | 'extent' | 'groups'>): boolean =>
  shown.length > 1 &&
  // Medians are of bins of one scale.
  groups === undefined &&
  view.layout === 'columns' &&
  view.windows === undefined &&
  shown.every(({ info, run, begin, end }) => info.complete && !run.snapshot && end > begin)

/** Most runs side by side; more wrap to further rows. */
export const MAX_COLUMNS = 4

/** Runs that can be drawn: visible, not failed, and with at least partial data. */
export function shownRuns(runs: readonly Run[], view: View, ranged?: RangedFigures): readonly Shown[] {
  const slots = processSlots(visible(runs))
  const objects = objectColours(visible(runs))
  return visible(runs).flatMap(run => {
    const device = deviceOf(run)
    if (run.info === undefined || device === undefined || run.status.kind === 'failed') return []
    const moved = view.windows?.[run.id] ?? 0
    const shift = (run.shift ?? 0) + moved
    const info = infoOnAxis(run.info, shift)
    const part = ranged?.parts[run.id]
    const figuresOf = (summary: TraceSummary | undefined) => summary?.devices.find(d => d.dev === device.dev)
    const whole = figuresOf(run.summary)
    return [
      {
        id: run.id,
        letter: run.letter,
        run,
        client: clientOnAxis(run.client, shift),
        info,
        device: info.devices.find(d => d.index === device.index) ?? device,
        figures: part ? figuresOf(part.summary) : whole,
        whole,
        devices: (part?.summary ?? run.summary)?.devices,
        ...(ranged && part && { part: { range: ranged.range, digest: part.digest } }),
        filter: filterOf(run, view),
        slots: slotsOf(run, slots),
        objectSlots: objectSlotsOf(run, objects),
        begin: ns(beginOf(run) + shift),
        end: ns(endOf(run) + shift),
        shift,
        moved,
        version: `${info.events} ${info.complete} ${info.laneSources ?? 0} ${shift}`,
      },
    ]
  })
}

/** The range in the times with which a run is labelled. */
export const labelledRange = ({ moved }: Pick<Shown, 'moved'>, { t0, t1 }: Range): Range => ({
  t0: ns(t0 - moved),
  t1: ns(t1 - moved),
})

/** Whether runs look the same in charts: how far they are read is not drawn there. */
export function drawnAlike(before: readonly Run[], after: readonly Run[]): boolean {
  const alike = (a: Run, b: Run) => {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Run>
    return [...keys].every(key => (key === 'status' ? a.status.kind === b.status.kind : a[key] === b[key]))
  }
  return (
    before.length === after.length &&
    after.every((run, i) => {
      const old = before[i]
      return old !== undefined && (old === run || alike(old, run))
    })
  )
}

/** Whether a run is of a snapshot of size XS, which has few charts. */
export const isBrief = (shown: readonly Shown[]): boolean => shown.some(({ run }) => run.snapshot?.brief)

/** What the dotted line of a chart is; runs that are still being read have none. */
export const meanNote = (shown: readonly Shown[]): string =>
  shown.some(({ info }) => info.complete) ? '; dotted: mean, 95% interval' : ''

/** Whether of a run only its digest is open: it has few charts. */
export const isDigest = (shown: readonly Shown[]): boolean => shown.some(({ run }) => isOnlyDigest(run))

/** The width of a bin as it is drawn: a snapshot of size XS, and a digest, may have wider ones than were queried. */
export const drawnBin = (shown: readonly Shown[], bin: number): number =>
  Math.max(
    bin,
    ...shown.map(({ run, end, begin }) =>
      run.snapshot && (run.snapshot.brief || isOnlyDigest(run)) ? (end - begin) / run.snapshot.columns : 0,
    ),
  )

/** `A` and `B`; `A, B and C`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** `, md0` after a title where a run has several devices and all runs show that one. */
export function ofDevice(shown: readonly Shown[]): string {
  const names = new Set(shown.map(s => s.device.name))
  return names.size === 1 && shown.some(s => s.info.devices.length > 1) ? `, ${shown[0]?.device.name}` : ''
}

/** Whether filters hide requests: figures of the summary then include requests that the chart does not show. */
export function filtered({ view }: { readonly view: Pick<View, 'hidden' | 'latency' | 'functions'> }): boolean {
  return !nothingHidden(view.hidden) || view.latency !== undefined || view.functions !== undefined
}

/** Whether the view shows a part of the time. */
export const zoomed = ({ view, extent }: Pick<ChartFrame, 'view' | 'extent'>): boolean =>
  view.range.t0 > extent.t0 || view.range.t1 < extent.t1

/** What the figures of a run are of, where that is not what the chart shows: `full run`, `2.00 to 4.00 s`. */
function partWords(frame: Pick<ChartFrame, 'view' | 'extent'>, { part }: Pick<Shown, 'part'>): string {
  if (part === undefined) return zoomed(frame) ? 'full run' : ''
  const { t0, t1 } = part.range
  if (t0 === frame.view.range.t0 && t1 === frame.view.range.t1) return ''
  return timesInWords(part.range)
}

/** Follows a figure, and names what it is of where the chart shows something else. */
export function scopeWords(frame: Pick<ChartFrame, 'view' | 'extent'>, run: Pick<Shown, 'part'>): string {
  const words = [partWords(frame, run), filtered(frame) ? 'all requests' : ''].filter(Boolean)
  return words.length > 0 ? `, ${words.join(', ')}` : ''
}

/** Whether the filters leave nothing of these runs. */
export const nothingMatches = ({ unmatched }: Pick<ChartFrame, 'unmatched'>, shown: readonly Shown[]): boolean =>
  shown.length > 0 && shown.every(({ id }) => unmatched.has(id))

/** Grid columns: axis, plots with gutters, axis. */
export function columnsOf({ shown, columns, plotWidth, axisWidth }: ChartFrame): string {
  const plots = shown.slice(0, columns).map(() => `${plotWidth}px`)
  return `${axisWidth}px ${plots.join(' var(--gap-runs) ')} ${axisWidth}px`
}
