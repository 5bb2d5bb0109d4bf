/**
 * Pointer and wheel gestures on a plot: ctrl/cmd+wheel and pinch zoom at the cursor, shift+drag (one finger) pans,
 * a drag marks a preview, a click picks, a double click shows the complete time axis. A plain wheel is left to the page.
 */
import { type RefObject, useEffect, useRef } from 'react'
import { ns } from '../../../lib/units'
import { panRange, zoomRange } from '../../../state/range'
import type { ChartFrame } from '../answers/shown'
import { between, timeAt, xOf } from '../paint/viewport'

export interface Gestures {
  readonly frame: ChartFrame
  /** Key of this plot: a drag that starts here shows its commit button here. */
  readonly origin: string
  /** Pointer over the plot, in plot px and client px. */
  hover(x: number, y: number, clientX: number, clientY: number): void
  leave(): void
  /** A click, in plot px. */
  pick(x: number, y: number): void
  /** A right click or a long press, in plot px and client px. */
  menu(x: number, y: number, clientX: number, clientY: number): void
  /** ctrl+shift+wheel: zoom of the value axis at y; absent where there is none. */
  zoomValue: ((y: number, factor: number) => void) | undefined
}

/** Least movement of a drag, px. */
const DRAG = 4
/** Reach of a preview's handle, px. */
const HANDLE = 9

/** One notch of a wheel is about 1.25; a pinch sends many small ones. */
export const wheelFactor = (delta: number): number => Math.exp(-Math.max(-60, Math.min(60, delta)) * 0.0045)

type PressState =
  | { readonly kind: 'down'; readonly x: number; readonly y: number; readonly pan: boolean }
  | { readonly kind: 'select'; readonly from: number }
  | { readonly kind: 'pan'; readonly x: number }
  | { readonly kind: 'pinch'; readonly apart: number; readonly centre: number }

/** A place in the plot, px. */
interface PlotPoint {
  readonly x: number
  readonly y: number
}

export function useGestures(ref: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures)
  latest.current = gestures

  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const placeOf = (event: MouseEvent) => {
      const box = element.getBoundingClientRect()
      return { x: event.clientX - box.left, y: event.clientY - box.top }
    }
    const press = createPress(() => latest.current)
    const onWheel = (event: WheelEvent) => zoomByWheel(event, placeOf(event), latest.current)
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest('button') !== null) return
      element.setPointerCapture(event.pointerId)
      press.begin(event, placeOf(event))
    }
    const onMove = (event: PointerEvent) => press.move(event, placeOf(event))
    const onUp = (event: PointerEvent) => press.end(event, placeOf(event))
    const onLeave = () => {
      if (!press.isActive()) latest.current.leave()
    }
    // With Shift the menu is the browser's.
    const onMenu = (event: MouseEvent) => {
      if (event.shiftKey || (event.target as Element).closest('button, a, .plot-instead') !== null) return
      event.preventDefault()
      press.cancel()
      const { x, y } = placeOf(event)
      latest.current.menu(x, y, event.clientX, event.clientY)
    }
    const controller = new AbortController()
    const { signal } = controller
    // React's own listeners are passive: they could not keep the page from zooming.
    element.addEventListener('wheel', onWheel, { passive: false, signal })
    element.addEventListener('pointerdown', onDown, { signal })
    element.addEventListener('pointermove', onMove, { signal })
    element.addEventListener('pointerup', onUp, { signal })
    element.addEventListener('pointercancel', onUp, { signal })
    element.addEventListener('pointerleave', onLeave, { signal })
    element.addEventListener('contextmenu', onMenu, { signal })
    element.addEventListener('dblclick', () => latest.current.frame.actions.whole(), { signal })
    return () => controller.abort()
  }, [ref])
}

/** With Ctrl the wheel zooms in time, with Shift too in the values; without them, the page scrolls. */
function zoomByWheel(event: WheelEvent, { x, y }: PlotPoint, { frame, zoomValue }: Gestures): void {
  if (!event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  frame.tips.show(undefined)
  const factor = wheelFactor(event.deltaY || event.deltaX)
  if (event.shiftKey) {
    zoomValue?.(y, factor)
    return
  }
  const { range } = frame.view
  frame.actions.look(zoomRange(range, 1 / factor, timeAt(range, frame.plotWidth, x), frame.extent))
}

/** The end of the preview that stays when the pointer at `x` drags the other one. */
function heldEnd({ frame }: Gestures, x: number): number | undefined {
  const { preview } = frame.live.get()
  if (preview === undefined) return undefined
  const place = xOf(frame.view.range, frame.plotWidth)
  if (Math.abs(place(preview.t0) - x) <= HANDLE) return preview.t1
  return Math.abs(place(preview.t1) - x) <= HANDLE ? preview.t0 : undefined
}

/** What fingers or the mouse do from down to up: a click, a selection, a pan, or a pinch of two fingers. */
function createPress(current: () => Gestures) {
  const fingers = new Map<number, PlotPoint>()
  let press: PressState | undefined

  const spread = () => {
    const [a, b] = [...fingers.values()]
    return a && b ? { apart: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y)), centre: (a.x + b.x) / 2 } : undefined
  }
  const pinch = (from: Extract<PressState, { kind: 'pinch' }>) => {
    const two = spread()
    if (two === undefined) return
    const { frame } = current()
    const { range } = frame.view
    const middle = timeAt(range, frame.plotWidth, from.centre)
    const zoomed = zoomRange(range, from.apart / two.apart, middle, frame.extent)
    frame.actions.look(panRange(zoomed, (from.centre - two.centre) / frame.plotWidth, frame.extent))
    press = { kind: 'pinch', ...two }
  }
  const select = (from: number, x: number) => {
    const { frame, origin } = current()
    const to = timeAt(frame.view.range, frame.plotWidth, Math.min(Math.max(x, 0), frame.plotWidth))
    frame.live.set({ preview: between(from, to), origin })
  }
  return {
    isActive: () => press !== undefined,
    /** A press that opened a menu does nothing else. */
    cancel() {
      fingers.clear()
      press = undefined
    },
    begin(event: PointerEvent, place: PlotPoint) {
      fingers.set(event.pointerId, place)
      const two = spread()
      if (two !== undefined) {
        press = { kind: 'pinch', ...two }
        return
      }
      const held = event.pointerType === 'mouse' ? heldEnd(current(), place.x) : undefined
      press =
        held === undefined
          ? { kind: 'down', ...place, pan: event.shiftKey || event.pointerType === 'touch' }
          : { kind: 'select', from: held }
    },
    move(event: PointerEvent, place: PlotPoint) {
      const { frame, hover } = current()
      const { range } = frame.view
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, place)
      if (press?.kind === 'down' && Math.abs(place.x - press.x) >= DRAG) {
        press = press.pan
          ? { kind: 'pan', x: press.x }
          : { kind: 'select', from: timeAt(range, frame.plotWidth, press.x) }
        frame.tips.show(undefined)
      }
      if (press?.kind === 'pinch') pinch(press)
      else if (press?.kind === 'pan') {
        frame.actions.look(panRange(range, (press.x - place.x) / frame.plotWidth, frame.extent))
        press = { kind: 'pan', x: place.x }
      } else if (press?.kind === 'select') select(press.from, place.x)
      else if (event.pointerType === 'mouse') hover(place.x, place.y, event.clientX, event.clientY)
    },
    end(event: PointerEvent, place: PlotPoint) {
      const { frame, pick, hover } = current()
      fingers.delete(event.pointerId)
      if (press?.kind === 'select') frame.actions.preview(frame.live.get().preview)
      else if (press?.kind === 'down' && event.type === 'pointerup') {
        if (frame.live.get().preview !== undefined) frame.actions.preview(undefined)
        hover(place.x, place.y, event.clientX, event.clientY)
        frame.actions.cursor(ns(Math.round(timeAt(frame.view.range, frame.plotWidth, place.x))))
        pick(place.x, place.y)
      }
      press = undefined
    },
  }
}
