/**
 * Drags, wheel and keys of the timeline: they select a range, move it, or move one of its ends.
 *
 * While the pointer is down the new range is only a preview, which the charts mark; the release commits it as a step
 * of the trail, which Back undoes. Keys and the wheel replace the range of the current step (`look`).
 */
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Range } from '../../../engine/protocol'
import { ns } from '../../../lib/units'
import { panRange, width as rangeWidth, zoomRange } from '../../../state/range'
import { useActions, usePage } from '../../context'

export type DragKind = 'new' | 'move' | 'left' | 'right'

export interface TimelineDrag {
  readonly kind: DragKind
  /** Time at which the pointer went down. */
  readonly from: number
  /** The visible range at that moment. */
  readonly range: Range
}

/** Minimum length of a drag in widths of the timeline; a shorter one is a click, and changes nothing. */
const MIN_DRAG = 0.002

/** The range of a drag with the pointer at `to`. An end that is moved past the other one becomes that other end. */
function draggedRange({ kind, from, range }: TimelineDrag, to: number, extent: Range): Range {
  switch (kind) {
    case 'new':
      return spanOf(from, to)
    case 'move':
      return panRange(range, (to - from) / rangeWidth(range), extent)
    case 'left':
      return spanOf(to, range.t1)
    case 'right':
      return spanOf(to, range.t0)
  }
}

const spanOf = (a: number, b: number): Range => ({ t0: ns(Math.min(a, b)), t1: ns(Math.max(a, b)) })

/** The range after an arrow key on one of its ends; absent for other keys, and where the range would be empty. */
function keyedRange(event: KeyboardEvent, end: 't0' | 't1', range: Range, extent: Range): Range | undefined {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (direction === undefined) return undefined
  const step = direction * rangeWidth(extent) * (event.shiftKey ? 0.05 : 0.01)
  const moved = { ...range, [end]: ns(Math.max(extent.t0, Math.min(extent.t1, range[end] + step))) }
  return moved.t1 > moved.t0 ? moved : undefined
}

export function useTimelineDrag(extent: Range, timeAt: (clientX: number) => number) {
  const actions = useActions()
  const range = usePage(p => p.view.range)
  const [drag, setDrag] = useState<TimelineDrag>()
  const begin = (event: PointerEvent<SVGElement>, kind: DragKind) => {
    if (event.button !== 0) return
    event.stopPropagation()
    const area = event.currentTarget.ownerSVGElement ?? event.currentTarget
    area.setPointerCapture(event.pointerId)
    setDrag({ kind, from: timeAt(event.clientX), range })
  }
  const move = (event: PointerEvent) => {
    if (drag) actions.preview(draggedRange(drag, timeAt(event.clientX), extent))
  }
  const finish = (event: PointerEvent) => {
    if (!drag) return
    setDrag(undefined)
    const dragged = draggedRange(drag, timeAt(event.clientX), extent)
    const tooShort = rangeWidth(dragged) < rangeWidth(extent) * MIN_DRAG
    if (tooShort || (dragged.t0 === drag.range.t0 && dragged.t1 === drag.range.t1)) actions.preview(undefined)
    else actions.commit(dragged)
  }
  const cancel = () => {
    setDrag(undefined)
    actions.preview(undefined)
  }
  const pressKey = (event: KeyboardEvent, end: 't0' | 't1') => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const moved = keyedRange(event, end, range, extent)
    if (moved) actions.look(moved)
  }
  return { drag, begin, move, finish, cancel, pressKey }
}

/** The wheel zooms with Ctrl and pans with Shift; without them, the page scrolls. */
export function useTimelineWheel(
  area: RefObject<SVGSVGElement | null>,
  extent: Range,
  timeAt: (clientX: number) => number,
): void {
  const actions = useActions()
  const range = usePage(p => p.view.range)
  const latest = useRef({ range, extent, timeAt })
  latest.current = { range, extent, timeAt }
  useEffect(() => {
    const element = area.current
    const onWheel = (event: WheelEvent) => {
      const current = latest.current
      const sideways = event.shiftKey ? event.deltaY : event.deltaX
      if (event.ctrlKey || event.metaKey)
        actions.look(
          zoomRange(current.range, Math.exp(event.deltaY * 0.002), current.timeAt(event.clientX), current.extent),
        )
      else if (sideways !== 0) actions.look(panRange(current.range, sideways / 600, current.extent))
      else return
      event.preventDefault()
    }
    // React's own listeners are passive: they could not keep the page from scrolling.
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [actions, area])
}
