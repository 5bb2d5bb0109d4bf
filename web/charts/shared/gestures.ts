/**
 * Pointer and wheel gestures on a plot: ctrl/cmd+wheel and pinch zoom at the cursor, shift+drag (one finger) pans,
 * a drag marks a preview, a click picks. A plain wheel is left to the page.
 */
import { type RefObject, useEffect, useRef } from 'react'
import { ns } from '../../lib/units'
import { panRange, zoomRange } from '../../state/range'
import type { ChartFrame } from './shown'
import { between, timeAt, xOf } from './viewport'

export interface Gestures {
  readonly frame: ChartFrame
  /** Key of this plot: a drag that starts here shows its commit button here. */
  readonly origin: string
  /** Pointer over the plot, in plot px and client px. */
  hover(x: number, y: number, clientX: number, clientY: number): void
  leave(): void
  /** A click, in plot px. */
  pick(x: number, y: number): void
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

export function useGestures(ref: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures)
  latest.current = gestures

  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const fingers = new Map<number, { x: number; y: number }>()
    let press: PressState | undefined
    const place = (event: MouseEvent) => {
      const box = element.getBoundingClientRect()
      return { x: event.clientX - box.left, y: event.clientY - box.top }
    }
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { frame, zoomValue } = latest.current
      frame.tips.show(undefined)
      const { x, y } = place(event)
      const factor = wheelFactor(event.deltaY || event.deltaX)
      if (event.shiftKey) {
        zoomValue?.(y, factor)
        return
      }
      const at = timeAt(frame.view.range, frame.plotWidth, x)
      frame.actions.look(zoomRange(frame.view.range, 1 / factor, at, frame.extent))
    }
    const spread = () => {
      const [a, b] = [...fingers.values()]
      return a && b ? { apart: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y)), centre: (a.x + b.x) / 2 } : undefined
    }
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest('button') !== null) return
      const at = place(event)
      fingers.set(event.pointerId, at)
      element.setPointerCapture(event.pointerId)
      const two = spread()
      if (two !== undefined) {
        press = { kind: 'pinch', ...two }
        return
      }
      const { frame } = latest.current
      const { preview } = frame.live.get()
      if (preview !== undefined && event.pointerType === 'mouse') {
        const x = xOf(frame.view.range, frame.plotWidth)
        if (Math.abs(x(preview.t0) - at.x) <= HANDLE) press = { kind: 'select', from: preview.t1 }
        else if (Math.abs(x(preview.t1) - at.x) <= HANDLE) press = { kind: 'select', from: preview.t0 }
        if (press?.kind === 'select') return
      }
      press = { kind: 'down', ...at, pan: event.shiftKey || event.pointerType === 'touch' }
    }
    const onMove = (event: PointerEvent) => {
      const { frame, hover, origin } = latest.current
      const at = place(event)
      const { range } = frame.view
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, at)
      if (press?.kind === 'pinch') {
        const two = spread()
        if (two === undefined) return
        const middle = timeAt(range, frame.plotWidth, press.centre)
        const zoomed = zoomRange(range, press.apart / two.apart, middle, frame.extent)
        frame.actions.look(panRange(zoomed, (press.centre - two.centre) / frame.plotWidth, frame.extent))
        press = { kind: 'pinch', ...two }
        return
      }
      if (press?.kind === 'down' && Math.abs(at.x - press.x) >= DRAG) {
        press = press.pan
          ? { kind: 'pan', x: press.x }
          : { kind: 'select', from: timeAt(range, frame.plotWidth, press.x) }
        frame.tips.show(undefined)
      }
      if (press?.kind === 'pan') {
        frame.actions.look(panRange(range, (press.x - at.x) / frame.plotWidth, frame.extent))
        press = { kind: 'pan', x: at.x }
        return
      }
      if (press?.kind === 'select') {
        const x = Math.min(Math.max(at.x, 0), frame.plotWidth)
        frame.live.set({ preview: between(press.from, timeAt(range, frame.plotWidth, x)), origin })
        return
      }
      if (event.pointerType === 'mouse') hover(at.x, at.y, event.clientX, event.clientY)
    }
    const onUp = (event: PointerEvent) => {
      const { frame, pick, hover } = latest.current
      const at = place(event)
      fingers.delete(event.pointerId)
      if (press?.kind === 'select') frame.actions.preview(frame.live.get().preview)
      else if (press?.kind === 'down' && event.type === 'pointerup') {
        if (frame.live.get().preview !== undefined) frame.actions.preview(undefined)
        hover(at.x, at.y, event.clientX, event.clientY)
        frame.actions.cursor(ns(Math.round(timeAt(frame.view.range, frame.plotWidth, at.x))))
        pick(at.x, at.y)
      }
      press = undefined
    }
    const onLeave = () => {
      if (press === undefined) latest.current.leave()
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    element.addEventListener('pointerdown', onDown)
    element.addEventListener('pointermove', onMove)
    element.addEventListener('pointerup', onUp)
    element.addEventListener('pointercancel', onUp)
    element.addEventListener('pointerleave', onLeave)
    return () => {
      element.removeEventListener('wheel', onWheel)
      element.removeEventListener('pointerdown', onDown)
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerup', onUp)
      element.removeEventListener('pointercancel', onUp)
      element.removeEventListener('pointerleave', onLeave)
    }
  }, [ref])
}
