/** The canvas of the player: fetches what a moment needs, draws it, and holds the clock up until it is there. */
import { asEngineError } from '../../engine/errors'
import type { EngineError } from '../../engine/protocol'
import { isAbort } from '../shared/answers/isAbort'
import type { Timing } from './clock'
import { createStage, type PlayStage, type RunFigures, type StageInput } from './stage'

export interface PlayedFrame {
  readonly t: number
  readonly timing: Timing
  readonly figures: readonly RunFigures[]
}

export type ScreenSize = Pick<StageInput, 'width' | 'height' | 'ratio' | 'palette'>

export interface ScreenEvents {
  /** A moment arrived: draw again. */
  wake(): void
  waits(waiting: boolean): void
  failed(error: EngineError): void
}

export interface PlayScreen {
  /** The frame on the canvas; absent before the first. */
  frame(): PlayedFrame | undefined
  /** Every new frame, and at once the current one. */
  watch(listener: (frame: PlayedFrame) => void): () => void
  /** Draws the moment at `t`, or requests it; `now` is the time of the animation frame, ms. */
  draw(now: number, t: number): void
  /** Whether a moment is missing. */
  isHeld(): boolean
  /** Waits no longer for the missing moment. */
  release(): void
  /** Whether the size or the colours are others: then it must be staged again. */
  resize(size: ScreenSize): boolean
  restage(timing: Timing): void
  end(): void
}

/** A shorter wait is not shown, ms. */
const PATIENCE_MS = 300

export function createScreen(
  canvas: HTMLCanvasElement,
  input: Omit<StageInput, 'timing' | 'film' | keyof ScreenSize> & Pick<StageInput, 'palette'>,
  events: ScreenEvents,
): PlayScreen {
  const listeners = new Set<(frame: PlayedFrame) => void>()
  let size: ScreenSize | undefined
  let staged: { readonly stage: PlayStage; readonly timing: Timing } | undefined
  let shown: PlayedFrame | undefined
  /** Time on the canvas. */
  let drawn: number | undefined
  let heldSince: number | undefined
  let loading: number | undefined

  const fetch = (stage: PlayStage, t: number) => {
    // One at a time: of many times that are passed over, only the last is fetched.
    if (loading !== undefined) return
    loading = t
    const finish = () => {
      if (loading === t) loading = undefined
    }
    stage.load(t).then(
      () => {
        finish()
        events.wake()
      },
      (reason: unknown) => {
        finish()
        if (stage === staged?.stage && !isAbort(reason)) events.failed(asEngineError(reason))
      },
    )
  }

  return {
    frame: () => shown,
    watch(listener) {
      listeners.add(listener)
      if (shown) listener(shown)
      return () => listeners.delete(listener)
    },
    draw(now, t) {
      const context = canvas.getContext('2d')
      if (!staged || !context) return
      const { stage, timing } = staged
      if (!stage.ready(t)) {
        heldSince ??= now
        if (now - heldSince > PATIENCE_MS) events.waits(true)
        fetch(stage, t)
        return
      }
      heldSince = undefined
      events.waits(false)
      stage.ahead(t)
      if (drawn === t) return
      drawn = t
      stage.draw(context, t)
      shown = { t, timing, figures: stage.figures(t) }
      for (const listener of listeners) listener(shown)
    },
    isHeld: () => heldSince !== undefined,
    release() {
      heldSince = undefined
    },
    resize(next) {
      const same =
        size &&
        size.width === next.width &&
        size.height === next.height &&
        size.ratio === next.ratio &&
        size.palette === next.palette
      if (same) return false
      size = next
      canvas.width = Math.round(next.width * next.ratio)
      canvas.height = Math.round(next.height * next.ratio)
      return true
    },
    restage(timing) {
      if (!size) return
      staged = { stage: createStage({ ...input, ...size, timing }), timing }
      drawn = undefined
      loading = undefined
      heldSince = undefined
      events.wake()
    },
    end: () => listeners.clear(),
  }
}
