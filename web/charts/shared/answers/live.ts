/**
 * The state that follows the pointer: time cursor and drag. It is outside of React, so that a mouse move
 * updates a few DOM nodes and never renders a component.
 */
import type { Range } from '../../../engine/protocol'
import type { Ns } from '../../../lib/units'

interface LiveState {
  readonly cursor: Ns | undefined
  readonly preview: Range | undefined
  /** Key of the plot in which the drag began; it shows the commit button. */
  readonly origin: string | undefined
}

export interface Live {
  get(): LiveState
  set(change: Partial<LiveState>): void
  /** The cursor set by the last click: restored when the pointer leaves. */
  pinned(): Ns | undefined
  pin(cursor: Ns | undefined): void
  /** Calls the listener at once and after every change; returns a function that stops it. */
  watch(listener: (state: LiveState) => void): () => void
}

export function createLive(): Live {
  let state: LiveState = { cursor: undefined, preview: undefined, origin: undefined }
  let pinned: Ns | undefined
  const listeners = new Set<(state: LiveState) => void>()
  const set = (change: Partial<LiveState>) => {
    const next = { ...state, ...change }
    if (next.cursor === state.cursor && next.preview === state.preview && next.origin === state.origin) return
    state = next
    for (const listener of listeners) listener(state)
  }
  return {
    get: () => state,
    set,
    pinned: () => pinned,
    pin(cursor) {
      pinned = cursor
      set({ cursor })
    },
    watch(listener) {
      listeners.add(listener)
      listener(state)
      return () => listeners.delete(listener)
    },
  }
}
