/**
 * Whether the reader can see a dialog: a page that frames this one can cover it, or make it transparent, and lead a
 * click onto it.
 */

/** Time for which a dialog must be visible before it can be confirmed, ms. */
const SIGHT_MS = 500

/**
 * `isVisible` (Intersection Observer version 2): nothing covers the element and no opacity, filter or transform applies
 * to it, in all frames around it.
 */
type SightEntry = IntersectionObserverEntry & { readonly isVisible?: boolean }

/** Whether another page shows this one in a frame. */
export const isFramed = (): boolean => window.top !== window

/** Whether the browser reports that an element is covered: Chromium does. */
export const reportsSight = (): boolean => 'isVisible' in IntersectionObserverEntry.prototype

/**
 * Calls `onChange` with whether the complete element has been visible for `SIGHT_MS`. Returns a function that stops
 * it.
 */
export function followSight(element: Element, onChange: (isVisible: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onIntersection = (entries: readonly SightEntry[]) => {
    const last = entries.at(-1)
    clearTimeout(timer)
    onChange(false)
    if (last?.isVisible && last.intersectionRatio === 1) timer = setTimeout(() => onChange(true), SIGHT_MS)
  }
  // `trackVisibility` needs a delay of 100 ms or more.
  const options = { threshold: [0, 1], trackVisibility: true, delay: 100 }
  const observer = new IntersectionObserver(onIntersection, options)
  observer.observe(element)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}
