/** Brings the chart of a finding's evidence, or of a figure, into sight. */
import { useEffect } from 'react'
import { usePage } from '../../context'
import { chartOnPage } from './chartPlaces'

/** How long to wait for the chart: it appears some frames after its layout. */
const PATIENCE_MS = 2000

/** Moves the focus to the first plot of a chart, or to the chart, and calls `onLeave` when it goes elsewhere. */
function focusChart(chart: HTMLElement, onLeave: () => void) {
  const plot = chart.querySelector<HTMLElement>('.plot')
  if (plot === null) chart.tabIndex = -1
  ;(plot ?? chart).focus({ preventScroll: true })
  chart.addEventListener('focusout', onLeave, { once: true })
}

/**
 * Brings the chart into sight and marks it: for evidence until another finding is shown, for a figure as long as it has
 * the focus.
 */
export function useEvidence() {
  const sight = usePage(p => p.sight)
  useEffect(() => {
    if (!sight) return
    const start = performance.now()
    let [frame, chart]: [number, HTMLElement | undefined] = [0, undefined]
    const unmark = () => chart?.removeAttribute('data-evidence')
    const markChart = () => {
      chart = chartOnPage(sight.chart)
      if (chart === undefined) {
        if (performance.now() - start < PATIENCE_MS) frame = requestAnimationFrame(markChart)
        return
      }
      chart.setAttribute('data-evidence', '')
      if (sight.focus) focusChart(chart, unmark)
      const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
      chart.scrollIntoView({
        block: chart.clientHeight > innerHeight / 2 ? 'start' : 'center',
        behavior: reducesMotion ? 'auto' : 'smooth',
      })
    }
    markChart()
    return () => {
      cancelAnimationFrame(frame)
      chart?.removeEventListener('focusout', unmark)
      unmark()
    }
  }, [sight])
}
