/** The state of the one tooltip of the page: charts set it, `Tooltip` shows it. */

export interface Tip {
  /** The first line, which names what the pointer is on. */
  readonly title: string
  /** One line per run or fact; the cells of a column are aligned. */
  readonly rows: readonly (readonly string[])[]
  /** The mark it describes, in px of the plot: it gets an outline. */
  readonly box?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
}

interface TipState {
  readonly tip: Tip
  /** Pointer, in client px: the tooltip stays 12 px away. */
  readonly x: number
  readonly y: number
}

export interface Tips {
  get(): TipState | undefined
  show(state: TipState | undefined): void
  watch(listener: () => void): () => void
}

export function createTips(): Tips {
  let state: TipState | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    show(next) {
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
