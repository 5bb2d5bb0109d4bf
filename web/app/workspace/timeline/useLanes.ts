/** The lanes of the timeline: queue depth where a run's device is a disk, throughput elsewhere. */
import type { Shown } from '../../../charts/shared/answers/shown'
import { useAnswers } from '../../../charts/shared/answers/useAnswers'
import type { Range } from '../../../engine/protocol'
import { depthLane, type RunLane, rateLane } from './lanes'

/** Delay of queries after the last change of size, ms. */
const REST_MS = 120
/** Maximum number of bins of a rate: narrow bins would alternate between one completed request and none. */
const MAX_RATE_BINS = 120

const hasDepthLane = (run: Shown): boolean => run.device.role === 'disk' && run.device.absent?.depth === undefined

export interface TimelineLane {
  readonly run: Shown
  /** The load; absent until the engine has answered. */
  readonly lane: RunLane | undefined
  /** The amount at full height: depths have one scale, bytes another. */
  readonly max: number
}

export function useLanes(runs: readonly Shown[], extent: Range, width: number): readonly TimelineLane[] {
  const n = Math.max(50, Math.min(600, Math.round(width / 2)))
  const depths = useAnswers(
    'depth',
    runs,
    run => (hasDepthLane(run) ? { device: run.device.index, range: extent, n } : undefined),
    'minimap',
    REST_MS,
  )
  const rates = useAnswers(
    'rate',
    runs,
    run =>
      hasDepthLane(run)
        ? undefined
        : { filter: { device: run.device.index }, range: extent, n: Math.min(n, MAX_RATE_BINS) },
    'minimap-rate',
    REST_MS,
  )
  const lanes = runs.map((run, i) => {
    const [depth, rate] = [depths[i]?.answer, rates[i]?.answer]
    return { run, lane: depth ? depthLane(depth) : rate && rateLane(rate) }
  })
  const maxima = { depth: 0, rate: 0 }
  for (const { run, lane } of lanes) {
    const measure = hasDepthLane(run) ? 'depth' : 'rate'
    maxima[measure] = lane?.load.reduce((a, b) => Math.max(a, b), maxima[measure]) ?? maxima[measure]
  }
  return lanes.map(({ run, lane }) => ({ run, lane, max: hasDepthLane(run) ? maxima.depth : maxima.rate }))
}
