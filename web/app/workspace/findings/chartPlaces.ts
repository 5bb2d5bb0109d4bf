/** Where the charts to which findings and figures lead are on the page. */
import type { FigureCharts } from '../../../compare/FigureName'
import type { Measured } from '../../../lib/docs'
import type { SightChart } from '../../../state/page'
import { useActions, usePage } from '../../context'

/** The sections of the page by the name of their chart; the quality of a recording is a dialog. */
export const CHART_PLACES: Readonly<Record<Exclude<SightChart, 'quality'>, Measured>> = {
  'queue-depth': 'depth-series',
  'seek-map': 'seek-map',
  stages: 'stages',
  latency: 'heat-map',
  percentiles: 'percentiles',
  throughput: 'rate-series',
  'request-sizes': 'request-sizes',
  flushes: 'flush',
  alignment: 'alignment-classes',
  differences: 'figures',
  tail: 'why-requests-were-slow',
}

/** `undefined` while the layout, or the recording, has none. */
export const chartOnPage = (chart: SightChart): HTMLElement | undefined =>
  chart === 'quality'
    ? undefined
    : (document.querySelector<HTMLElement>(`[data-chart="${CHART_PLACES[chart]}"]`) ?? undefined)

/**
 * What names of figures lead to: charts that are on the page, or that would be in another layout, or beside the figures
 * of a narrow page, which draws no charts meanwhile.
 */
export function useFigureCharts(): FigureCharts {
  const { showChart } = useActions()
  const layout = usePage(p => p.view.layout)
  const isElsewhere = () => layout !== 'columns' || document.querySelector('.chart-row') === null
  return { canShow: chart => isElsewhere() || chartOnPage(chart) !== undefined, show: showChart }
}
