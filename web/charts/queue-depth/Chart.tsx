/** Requests in flight over time, waiting bios, and when the device starved. */
import { useMemo } from 'react'
import type { DepthSeries } from '../../engine/protocol'
import { figure, seconds, share } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useQuery } from '../shared/answers/useAnswers'
import { SpecRow, useOwnParts, useSpecFrame } from '../shared/frame/SpecRow'
import { endNoteOf } from '../shared/paint/ends'
import { binWidth } from '../shared/paint/ticks'
import type { Binned } from './draw'
import { depthSeries, IN_FLIGHT, queueDepth, STARVED, WAITING } from './spec'

export function QueueDepth({ frame }: { readonly frame: ChartFrame }) {
  const { shown } = frame
  const surroundings = useSpecFrame(frame)
  const own = useOwnParts(frame, surroundings, queueDepth)
  const cells = useMemo(() => queueDepth.cells(surroundings, {}), [surroundings])
  const depth = useQuery(frame, queueDepth, queueDepth.queries.depth, cells, own)
  const starved = useQuery(frame, queueDepth, queueDepth.queries.starved, cells, own)
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
      own={own}
      error={i => depth[i]?.error}
      pointing={(run, i) => ({
        readout: readouts[i],
        tip: (t: number) => tip(run, series[i], t),
        endNote: run.info.complete ? undefined : endNoteOf(run, shown),
      })}
    />
  )
}

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

function tip(run: Shown, bins: DepthBins | undefined, t: number) {
  const i = bins && binAt(run, bins, t)
  if (bins === undefined || i === undefined) return undefined
  const { mean, min, max, waitMean, waitMax, starved } = bins.series
  const bin = (bins.range.t1 - bins.range.t0) / bins.n
  return {
    title: `${run.letter}, ${binWidth(bin)} from ${seconds(bins.range.t0 + i * bin - run.moved, 3)} s`,
    rows: [
      [IN_FLIGHT, `mean ${figure(mean[i] ?? 0)}`, Number.isNaN(max[i]) ? '' : `${min[i] ?? 0} to ${max[i] ?? 0}`],
      [WAITING, `mean ${figure(waitMean[i] ?? 0)}`, Number.isNaN(waitMax[i]) ? '' : `up to ${waitMax[i] ?? 0}`],
      [STARVED, share(starved[i] ?? 0), ''],
    ],
  }
}
