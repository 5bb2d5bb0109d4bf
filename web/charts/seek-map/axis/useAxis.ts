/** The LBA axis that all runs share: cut, true to scale, or zoomed in. */
import { useMemo } from 'react'
import { sector } from '../../../lib/units'
import type { ChartFrame } from '../../shared/answers/shown'
import { useQuery } from '../../shared/answers/useAnswers'
import type { Tick } from '../../shared/paint/ticks'
import { zoomSpan } from '../../shared/paint/viewport'
import { mapCells, seekMap } from '../spec'
import { outermost, ticksOf } from './axis'
import { type AxisPart, layOut, lbaAt, unionOf } from './bands'

export interface LbaAxis {
  /** Whether the bands have arrived, or requests show where the axis begins and ends. */
  readonly isKnown: boolean
  readonly parts: readonly AxisPart[]
  /** There are gaps to cut out: the true scale looks different. */
  readonly canCut: boolean
  /** The axis in words: `LBA in MiB`. */
  readonly what: string
  readonly ticks: readonly Tick[]
  /** Zooms at a y of the plot; `factor` > 1 shows more detail. */
  zoom(y: number, factor: number): void
}

/** Fewest sectors per plot height. */
const MIN_SECTORS = 64

export function useAxis(frame: ChartFrame, height: number): LbaAxis {
  const { shown, view, actions, axisWidth } = frame
  const bands = useQuery(frame, seekMap, seekMap.queries.bands, mapCells(frame, [], 0, height))
  // Until the bands arrive, the axis is all between the first and the last request.
  const reach = shown.flatMap(run => (run.device.lba[1] > run.device.lba[0] ? [run.device.lba] : []))
  const asked = bands.some(reply => reply.answer !== undefined)
  const union = asked
    ? unionOf(bands.map(reply => reply.answer?.bands ?? []))
    : reach.length === 0
      ? []
      : [outermost(reach)]
  const key = JSON.stringify(union)
  const isKnown = asked || reach.length > 0
  const { lba, trueScale } = view
  const geometry = shown[0]?.filter.geometry
  return useMemo(() => {
    const spans = JSON.parse(key) as [number, number][]
    const whole: readonly [number, number] = [spans[0]?.[0] ?? 0, Math.max(1, ...spans.map(s => s[1]))]
    const parts = layOut(lba ? [lba] : trueScale || spans.length === 0 ? [whole] : spans, height)
    return {
      isKnown,
      parts,
      canCut: spans.length > 1,
      ...ticksOf(parts, geometry, axisWidth < 56),
      zoom(y, factor) {
        const place = lbaAt(parts, y)
        if (place === undefined) return
        const [low, high] = zoomSpan([place.part.lba0, place.part.lba1], place.lba, factor, whole, MIN_SECTORS)
        const all = low <= whole[0] && high >= whole[1]
        actions.lookLba(all ? undefined : [sector(Math.floor(low)), sector(Math.ceil(high))])
      },
    }
  }, [key, isKnown, lba, trueScale, height, geometry, actions, axisWidth])
}
