/**
 * What a head leaves out where it is narrow: first its caption, then explanations in its legend, then words of the
 * legend. Title, controls and figure stay. `data-gives` says how many of them gave way; `chart.css` hides these.
 *
 * Parts that gave way keep their natural width, out of the line, so that one measurement decides. An observer of sizes
 * runs between layout and paint: no reader sees a head before its parts gave way.
 */
import { type RefObject, useLayoutEffect } from 'react'

/** A shorter piece of a caption says nothing, characters. */
const MIN_CAPTION = 12
/** Errors of rounding, px. */
const SLACK = 1

/** Widths of the parts of a head, px. */
export interface HeadWidths {
  readonly head: number
  readonly gap: number
  /** Parts that are always there. */
  readonly fixed: readonly number[]
  readonly caption?: { readonly width: number; readonly length: number }
  readonly legend?: {
    /** Without words and explanations. */
    readonly bare: number
    readonly words: number
    readonly explanations: number
  }
}

/** How many of caption, explanations and words give way. */
export function givenWay({ head, gap, fixed, caption, legend }: HeadWidths): number {
  const shortest = caption && (caption.width * Math.min(caption.length, MIN_CAPTION)) / Math.max(1, caption.length)
  const legendOf = (width: number) => (legend === undefined ? [] : [width])
  const { bare = 0, words = 0, explanations = 0 } = legend ?? {}
  const steps = [
    [...(shortest === undefined ? [] : [shortest]), ...legendOf(bare + words + explanations)],
    legendOf(bare + words + explanations),
    legendOf(bare + words),
  ]
  const fits = (more: readonly number[]) => {
    const parts = [...fixed, ...more]
    return parts.reduce((sum, width) => sum + width, gap * (parts.length - 1)) <= head + SLACK
  }
  const step = steps.findIndex(fits)
  return step < 0 ? steps.length : step
}

const widthOf = (element: Element): number => element.getBoundingClientRect().width

function measure(head: HTMLElement): HeadWidths {
  const part = (selector: string) => head.querySelector<HTMLElement>(`:scope > ${selector}`)
  const [title, controls, step, figure] = ['h3', '.chart-controls', '.chart-step', '.chart-figure'].map(part)
  const [caption, legend] = [part('.chart-what'), part('.chart-legend')]
  const sumOf = (selector: string) =>
    [...(legend?.querySelectorAll(selector) ?? [])].reduce((sum, element) => sum + widthOf(element), 0)
  const [words, explanations] = [sumOf('.legend-word'), sumOf('.legend-more')]
  const level = Number(head.dataset.gives ?? 0)
  const drawn = (level < 2 ? explanations : 0) + (level < 3 ? words : 0)
  return {
    head: head.clientWidth,
    gap: Number.parseFloat(getComputedStyle(head).columnGap) || 0,
    fixed: [...(title ? [title.scrollWidth] : []), ...[controls, step, figure].flatMap(e => (e ? [widthOf(e)] : []))],
    ...(caption && { caption: { width: caption.scrollWidth, length: caption.textContent?.length ?? 0 } }),
    ...(legend && { legend: { bare: widthOf(legend) - drawn, words, explanations } }),
  }
}

/** Watches a head and its parts, and sets `data-gives`. */
export function useGivingWay(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const head = ref.current
    if (head === null) return
    const sizes = new ResizeObserver(() => {
      if (head.clientWidth > 0) head.dataset.gives = String(givenWay(measure(head)))
    })
    const observe = () => {
      sizes.disconnect()
      for (const element of [head, ...head.querySelectorAll(PARTS)]) sizes.observe(element)
    }
    const parts = new MutationObserver(observe)
    parts.observe(head, { childList: true, subtree: true })
    observe()
    return () => {
      sizes.disconnect()
      parts.disconnect()
    }
  }, [ref])
}

/** Parts whose size may change without the head's. */
const PARTS = ':scope > *, .legend-word, .legend-more'
