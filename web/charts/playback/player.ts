/**
 * Plays the picture on a canvas: the clock, the controls, and a frame per refresh of the screen. Outside of React,
 * which would render 60 times a second.
 */
import { asEngineError } from '../../engine/errors'
import type { EngineError, Range } from '../../engine/protocol'
import { ns } from '../../lib/units'
import { isAbort } from '../shared/isAbort'
import { advance, momentAt, nextSpeed, speedFor, type Timing, timingFor } from './clock'
import type { PlayFacts } from './facts'
import { createStage, type PlayStage, type RunFigures, type StageGiven } from './stage'

export interface PlayState {
  readonly playing: boolean
  readonly speed: number
  readonly loop: boolean
  /** Held up: the engine has not answered yet. */
  readonly waiting: boolean
  /** What the last step came to: `B: 1 issued, 2 completed`. */
  readonly stepped?: string
  readonly error?: EngineError
}

export interface PlayedFrame {
  readonly t: number
  readonly timing: Timing
  readonly figures: readonly RunFigures[]
}

export interface Player {
  readonly range: Range
  state(): PlayState
  /** The frame on the canvas; absent before the first. */
  frame(): PlayedFrame | undefined
  /** Changes of the state. */
  watch(listener: () => void): () => void
  /** Every new frame. */
  watchFrames(listener: (frame: PlayedFrame) => void): () => void
  play(on: boolean): void
  seek(t: number): void
  /** To the next (1) or previous (-1) event of any run; pauses. */
  step(by: 1 | -1): Promise<void>
  faster(by: 1 | -1): void
  setSpeed(speed: number): void
  setLoop(on: boolean): void
  /** Another size, or other colours. */
  resize(size: Pick<StageGiven, 'width' | 'height' | 'ratio' | 'palette'>): void
  end(): void
}

export type PlayerGiven = Omit<StageGiven, 'timing' | 'film' | 'width' | 'height' | 'ratio'> & {
  readonly range: Range
  readonly facts: PlayFacts
}

/** Complete ns: so do the moments of the engine count. */
export const wholeRange = ({ t0, t1 }: Range): Range => ({
  t0: ns(Math.floor(t0)),
  t1: ns(Math.max(Math.floor(t0) + 1, Math.ceil(t1))),
})

/** A wait shorter than this is not told, ms. */
const PATIENCE = 300

export function createPlayer(canvas: HTMLCanvasElement, given: PlayerGiven): Player {
  const range = wholeRange(given.range)
  const listeners = new Set<() => void>()
  const frameListeners = new Set<(frame: PlayedFrame) => void>()
  let state: PlayState = { playing: false, speed: speedFor(range), loop: false, waiting: false }
  /** Where the clock is; `exact`: that time is shown, else the moment before it. */
  let clock: { readonly t: number; readonly exact: boolean } = { t: range.t0, exact: true }
  let size: Pick<StageGiven, 'width' | 'height' | 'ratio' | 'palette'> | undefined
  let stage: PlayStage | undefined
  let timing = timingFor(range, state.speed)
  let shown: PlayedFrame | undefined
  let drawn: number | undefined
  let last: number | undefined
  let heldSince: number | undefined
  let loading: number | undefined
  let request: number | undefined
  let ended = false
  let stepping = false

  const change = (by: Partial<PlayState>) => {
    const keys = Object.keys(by) as (keyof PlayState)[]
    if (keys.every(key => state[key] === by[key])) return
    state = { ...state, ...by }
    for (const listener of listeners) listener()
  }
  const wake = () => {
    if (request === undefined && !ended) request = requestAnimationFrame(tick)
  }
  const atOf = ({ t, exact }: typeof clock) => (exact ? t : momentAt(timing, t))

  const fetch = (at: number) => {
    // One at a time: of many times that are passed over, only the last is fetched.
    if (loading !== undefined || !stage) return
    const asked = stage
    loading = at
    asked.load(at).then(
      () => {
        if (loading === at) loading = undefined
        wake()
      },
      (reason: unknown) => {
        if (loading === at) loading = undefined
        if (asked !== stage || isAbort(reason) || ended) return
        change({ playing: false, waiting: false, error: asEngineError(reason) })
      },
    )
  }

  const draw = (now: number) => {
    const context = canvas.getContext('2d')
    if (!stage || !context || !size) return
    const at = atOf(clock)
    if (!stage.ready(at)) {
      heldSince ??= now
      if (now - heldSince > PATIENCE) change({ waiting: true })
      fetch(at)
      return
    }
    heldSince = undefined
    change({ waiting: false })
    stage.ahead(at)
    if (drawn === at) return
    drawn = at
    stage.draw(context, at)
    shown = { t: at, timing, figures: stage.figures(at) }
    for (const listener of frameListeners) listener(shown)
  }

  const tick = (now: number) => {
    request = undefined
    const passed = last === undefined ? 0 : now - last
    last = state.playing ? now : undefined
    // Time stands still while a picture is missing: none is left out, and no figure is shown at another time than its
    // own.
    if (state.playing && heldSince === undefined) {
      const next = advance(clock.t, passed, state.speed, range, state.loop)
      clock = { t: next.t, exact: false }
      if (next.ended) change({ playing: false })
    }
    draw(now)
    if (state.playing || heldSince !== undefined) wake()
  }

  const restage = () => {
    if (!size) return
    timing = timingFor(range, state.speed)
    stage = createStage({ ...given, ...size, timing })
    drawn = undefined
    loading = undefined
    heldSince = undefined
    wake()
  }

  const go = (t: number) => {
    clock = { t: Math.min(range.t1, Math.max(range.t0, Math.round(t))), exact: true }
    last = undefined
    heldSince = undefined
    wake()
  }

  const setSpeed = (speed: number) => {
    if (speed === state.speed) return
    clock = { t: atOf(clock), exact: true }
    change({ speed })
    restage()
  }

  return {
    range,
    state: () => state,
    frame: () => shown,
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watchFrames(listener) {
      frameListeners.add(listener)
      if (shown) listener(shown)
      return () => frameListeners.delete(listener)
    },
    play(on) {
      if (on && clock.t >= range.t1) clock = { t: range.t0, exact: true }
      if (!on) clock = { t: atOf(clock), exact: true }
      last = undefined
      const { stepped: _, error: __, ...rest } = state
      state = rest
      change({ playing: on })
      wake()
    },
    seek(t) {
      const { stepped: _, ...rest } = state
      state = rest
      go(t)
      for (const listener of listeners) listener()
    },
    async step(by) {
      if (stepping) return
      stepping = true
      change({ playing: false })
      const from = atOf(clock)
      try {
        const found = await Promise.all(
          given.shown.map(async run => ({
            run,
            next: await run.client.query('nextStep', { filter: run.filter, t: ns(from), by }),
          })),
        )
        const times = found.flatMap(({ next }) => (next.t === undefined ? [] : [next.t]))
        const to = by > 0 ? Math.min(...times) : Math.max(...times)
        if (ended || !Number.isFinite(to) || to < range.t0 || to > range.t1) {
          change({ stepped: by > 0 ? 'No later event in this range.' : 'No earlier event in this range.' })
          return
        }
        const words = found.flatMap(({ run, next }) => {
          if (next.t !== to) return []
          const begun = next.begun ? [`${next.begun} ${run.device.role === 'disk' ? 'issued' : 'queued'}`] : []
          const done = next.completed ? [`${next.completed} completed`] : []
          return [`${run.letter}: ${[...begun, ...done].join(', ')}`]
        })
        go(to)
        change({ stepped: words.join('; ') })
      } catch (reason) {
        if (!isAbort(reason) && !ended) change({ error: asEngineError(reason) })
      } finally {
        stepping = false
      }
    },
    faster: by => setSpeed(nextSpeed(state.speed, by)),
    setSpeed,
    setLoop: on => change({ loop: on }),
    resize(next) {
      const same =
        size &&
        size.width === next.width &&
        size.height === next.height &&
        size.ratio === next.ratio &&
        size.palette === next.palette
      if (same) return
      size = next
      canvas.width = Math.round(next.width * next.ratio)
      canvas.height = Math.round(next.height * next.ratio)
      restage()
    },
    end() {
      ended = true
      if (request !== undefined) cancelAnimationFrame(request)
      listeners.clear()
      frameListeners.clear()
    },
  }
}
