/** Brings the chart of a finding's evidence into sight. */
import { useEffect } from 'react'
import type { Measured } from '../../../lib/docs'
import { usePage } from '../../context'

/** The chart that shows the evidence of a finding. */
const PLACES: Readonly<Record<string, Measured>> = {
  'queue-depth': 'depth-series',
  'seek-map': 'seek-map',
  stages: 'stages',
  latency: 'heat-map',
  'request-sizes': 'request-sizes',
  flushes: 'flush',
  alignment: 'alignment-classes',
  differences: 'figures',
  tail: 'why-requests-were-slow',
}
/** How long to wait for the chart: it appears some frames after its layout. */
const PATIENCE_MS = 2000

/** Brings the chart of the evidence into sight and marks it until another finding is shown. */
export function useEvidence() {
  const sight = usePage(p => p.sight)
  useEffect(() => {
    if (!sight) return
    const start = performance.now()
    let [frame, chart]: [number, Element | undefined] = [0, undefined]
    const markChart = () => {
      chart = document.querySelector(`[data-chart="${PLACES[sight.chart]}"]`) ?? undefined
      if (chart === undefined) {
        if (performance.now() - start < PATIENCE_MS) frame = requestAnimationFrame(markChart)
        return
      }
      chart.setAttribute('data-evidence', '')
      const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
      chart.scrollIntoView({
        block: chart.clientHeight > innerHeight / 2 ? 'start' : 'center',
        behavior: reducesMotion ? 'auto' : 'smooth',
      })
    }
    markChart()
    return () => {
      cancelAnimationFrame(frame)
      chart?.removeAttribute('data-evidence')
    }
  }, [sight])
}
