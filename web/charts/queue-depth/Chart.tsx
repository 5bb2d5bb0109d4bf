/** Requests in flight over time, waiting bios, and when the device starved. */
import { useMemo } from 'react'
import type { DepthSeries } from '../../engine/protocol'
import { figure, seconds, share } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useQuery } from '../shared/answers/useAnswers'
import { SpecRow, useOwnParts, useSpecFrame } from '../shared/frame/SpecRow'
import { depthSpread } from '../shared/groups/spread'
import { useGroupReplies } from '../shared/groups/useGroupReplies'
import { endNoteOf } from '../shared/paint/ends'
import { binWidth } from '../shared/paint/ticks'
import type { Binned } from './draw'
import { depthSeries, IN_FLIGHT, queueDepth, STARVED, WAITING } from './spec'

export function QueueDepth({ frame }: { readonly frame: ChartFrame }) {
  const { shown } = frame
  const surroundings = useSpecFrame(frame)
  const ownParts = useOwnParts(frame, surroundings, queueDepth)
  const cells = useMemo(() => queueDepth.cells(surroundings, {}), [surroundings])
  const depth = useGroupReplies(frame, queueDepth, queueDepth.queries.depth, cells, depthSpread, ownParts)
  const starved = useQuery(withoutExact(frame), queueDepth, queueDepth.queries.starved, cells, ownParts)
  const answers = useMemo(() => ({ depth, starved }), [depth, starved])
  const row = useMemo(() => queueDepth.row(surroundings, answers, cells), [surroundings, answers, cells])
  const series = useMemo(() => depthSeries(answers), [answers])
  const readouts = useMemo(() => shown.map((run, i) => (t: number) => readout(run, series[i], t)), [shown, series])
  return (
    <SpecRow
      frame={frame}
      spec={queueDepth}
      row={row}
      answers={answers}
      cells={cells}
      ownParts={ownParts}
      error={i => depth[i]?.error}
      pointing={(run, i) => ({
        readout: readouts[i],
        tip: (t: number) => tip(run, series[i], t, (frame.groups?.[i]?.length ?? 1) > 1),
        endNote: run.info.complete ? undefined : endNoteOf(run, shown),
      })}
    />
  )
}

/** Exact starved intervals are those of one run: a group has none. */
const withoutExact = (frame: ChartFrame): ChartFrame => (frame.groups ? { ...frame, shown: NO_RUNS } : frame)
const NO_RUNS: readonly Shown[] = []

type DepthBins = Binned<DepthSeries>

function binAt(run: Shown, { range, n }: DepthBins, t: number): number | undefined {
  if (t < run.begin || t >= run.end) return undefined
  return Math.floor(((t - range.t0) / (range.t1 - range.t0)) * n)
}

function readout(run: Shown, bins: DepthBins | undefined, t: number): string | undefined {
  const i = bins && binAt(run, bins, t)
  if (bins === undefined || i === undefined) return undefined
  return `${IN_FLIGHT} ${figure(bins.series.mean[i] ?? 0)}, ${WAITING} ${figure(bins.series.waitMean[i] ?? 0)}`
}

function tip(run: Shown, bins: DepthBins | undefined, t: number, isGroup: boolean) {
  const i = bins && binAt(run, bins, t)
  if (bins === undefined || i === undefined) return undefined
  const { mean, min, max, waitMean, waitMax, starved } = bins.series
  const bin = (bins.range.t1 - bins.range.t0) / bins.n
  const middle = isGroup ? 'median' : 'mean'
  return {
    title: `${run.letter}, ${binWidth(bin)} from ${seconds(bins.range.t0 + i * bin - run.moved, 3)} s`,
    rows: [
      [
        IN_FLIGHT,
        `${middle} ${figure(mean[i] ?? 0)}`,
        Number.isNaN(max[i]) ? '' : `${figure(min[i] ?? 0)} to ${figure(max[i] ?? 0)}`,
      ],
      [WAITING, `${middle} ${figure(waitMean[i] ?? 0)}`, Number.isNaN(waitMax[i]) ? '' : `up to ${waitMax[i] ?? 0}`],
      [STARVED, share(starved[i] ?? 0), ''],
    ],
  }
}
