/**
 * Plays the picture on a canvas: the clock, the controls, and a frame per refresh of the screen. Outside of React,
 * which would render 60 times a second.
 */
import { asEngineError } from '../../engine/errors'
import type { EngineError, Range } from '../../engine/protocol'
import { type Ns, ns } from '../../lib/units'
import { isAbort } from '../shared/answers/isAbort'
import { advance, momentAt, nextSpeed, speedFor, timingFor } from './clock'
import type { PlayFacts } from './facts'
import { createScreen, type PlayedFrame, type ScreenSize } from './screen'
import type { StageInput } from './stage'
import { findStep } from './step'

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
  /** Goes to the next (1) or previous (-1) event of any run, and pauses. */
  step(direction: 1 | -1): Promise<void>
  faster(direction: 1 | -1): void
  setSpeed(speed: number): void
  setLoop(on: boolean): void
  /** Draws again in another size or in other colours. */
  resize(size: ScreenSize): void
  end(): void
}

export type PlayerInput = Omit<StageInput, 'timing' | 'film' | 'width' | 'height' | 'ratio'> & {
  readonly range: Range
  readonly facts: PlayFacts
}

/** Complete ns: so do the moments of the engine count. */
export const wholeRange = ({ t0, t1 }: Range): Range => ({
  t0: ns(Math.floor(t0)),
  t1: ns(Math.max(Math.floor(t0) + 1, Math.ceil(t1))),
})

/** The state and those who watch it. */
function createPlayState(speed: number) {
  const listeners = new Set<() => void>()
  let state: PlayState = { playing: false, speed, loop: false, waiting: false }
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    current: () => state,
    change(changes: Partial<PlayState>) {
      const keys = Object.keys(changes) as (keyof PlayState)[]
      if (keys.every(key => state[key] === changes[key])) return
      state = { ...state, ...changes }
      notify()
    },
    /** Removes what the last step came to and, unless it is `keepError`, the last error. Tells nobody. */
    clear({ keepError = false } = {}) {
      const { stepped: _, error, ...rest } = state
      state = keepError && error ? { ...rest, error } : rest
    },
    notify,
    watch(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    end: () => listeners.clear(),
  }
}

interface StepTargets {
  /** The time that is shown. */
  from(): Ns
  go(t: number): void
  hasEnded(): boolean
}

/** Goes to the next or previous event, one step at a time. */
function createStepper(
  shown: PlayerInput['shown'],
  range: Range,
  state: ReturnType<typeof createPlayState>,
  { from, go, hasEnded }: StepTargets,
): Player['step'] {
  let stepping = false
  return async direction => {
    if (stepping) return
    stepping = true
    state.change({ playing: false })
    try {
      const found = await findStep(shown, from(), direction)
      if (hasEnded() || found === undefined || found.t < range.t0 || found.t > range.t1) {
        state.change({ stepped: direction > 0 ? 'No later event in this range.' : 'No earlier event in this range.' })
        return
      }
      go(found.t)
      state.change({ stepped: found.words })
    } catch (reason) {
      if (!isAbort(reason) && !hasEnded()) state.change({ error: asEngineError(reason) })
    } finally {
      stepping = false
    }
  }
}

export function createPlayer(canvas: HTMLCanvasElement, input: PlayerInput): Player {
  const range = wholeRange(input.range)
  const state = createPlayState(speedFor(range))
  /** Time of the clock; `exact`: that time is shown, else the moment before it. */
  let clock: { readonly t: number; readonly exact: boolean } = { t: range.t0, exact: true }
  let timing = timingFor(range, state.current().speed)
  /** When the clock went on, while it runs. */
  let last: number | undefined
  let request: number | undefined
  let ended = false

  const wake = () => {
    if (request === undefined && !ended) request = requestAnimationFrame(tick)
  }
  const screen = createScreen(canvas, input, {
    wake,
    waits: waiting => state.change({ waiting }),
    failed(error) {
      if (!ended) state.change({ playing: false, waiting: false, error })
    },
  })
  const shownTime = () => (clock.exact ? clock.t : momentAt(timing, clock.t))

  const tick = (now: number) => {
    request = undefined
    const { playing, speed, loop } = state.current()
    const passed = last === undefined ? 0 : now - last
    last = playing ? now : undefined
    // Time stands still while a picture is missing: none is left out, and no figure is shown at another time than its
    // own.
    if (playing && !screen.isHeld()) {
      const next = advance(clock.t, passed, speed, range, loop)
      clock = { t: next.t, exact: false }
      if (next.ended) state.change({ playing: false })
    }
    screen.draw(now, shownTime())
    if (state.current().playing || screen.isHeld()) wake()
  }
  const restage = () => {
    timing = timingFor(range, state.current().speed)
    screen.restage(timing)
  }
  const go = (t: number) => {
    clock = { t: Math.min(range.t1, Math.max(range.t0, Math.round(t))), exact: true }
    last = undefined
    screen.release()
    wake()
  }
  const setSpeed = (speed: number) => {
    if (speed === state.current().speed) return
    clock = { t: shownTime(), exact: true }
    state.change({ speed })
    restage()
  }
  const step = createStepper(input.shown, range, state, {
    from: () => ns(shownTime()),
    go,
    hasEnded: () => ended,
  })

  return {
    range,
    state: state.current,
    frame: screen.frame,
    watch: state.watch,
    watchFrames: screen.watch,
    play(on) {
      if (on && clock.t >= range.t1) clock = { t: range.t0, exact: true }
      if (!on) clock = { t: shownTime(), exact: true }
      last = undefined
      state.clear()
      state.change({ playing: on })
      wake()
    },
    seek(t) {
      state.clear({ keepError: true })
      go(t)
      state.notify()
    },
    step,
    faster: direction => setSpeed(nextSpeed(state.current().speed, direction)),
    setSpeed,
    setLoop: loop => state.change({ loop }),
    resize(size) {
      if (screen.resize(size)) restage()
    },
    end() {
      ended = true
      if (request !== undefined) cancelAnimationFrame(request)
      state.end()
      screen.end()
    },
  }
}
