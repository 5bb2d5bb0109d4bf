/** Position of requests within the stripe over time, and when stripes were written partially. */
import type { Geometry } from '../../engine/protocol'
import { sectorSize } from '../../lib/format'
import { ALIGNMENT_LEGEND } from '../alignment/scene'
import { NO_GEOMETRY_OF_RUN } from '../shared/answers/names'
import type { Shown } from '../shared/answers/shown'
import type { LegendEntry } from '../shared/paint/legendEntry'
import { ALIGNMENT_TOKENS } from '../shared/paint/palette'
import { binWidth } from '../shared/paint/ticks'
import { binsOver } from '../shared/paint/viewport'
import type { RowSpec, RunsFrame } from '../shared/spec'
import { drawStripes } from './draw'
import { heightOf, stripeTicks } from './scale'
import { partWords, TITLE, table, words } from './summary'

/** Width of a cell, px; a row of the stripe is one px high. */
const CELL = 4
const SHARE = 'share of stripes written partially'
/** Name of the share where there is little room. */
export const PARTIAL = 'partial'
export const WHAT_PARTIAL = `${PARTIAL}: ${SHARE}`

const LEGEND: readonly LegendEntry[] = [
  ...ALIGNMENT_LEGEND,
  // There is seldom room for more names than those of the classes.
  { label: '', more: 'request start', token: 'ink', shape: 'thin' },
  { label: '', more: SHARE, token: 'bad', shape: 'bar' },
]

export interface StripeQueries {
  readonly stripes: 'stripeTime'
}

const geometryOf = ({ shown }: Pick<RunsFrame, 'shown'>): Geometry | undefined =>
  shown.find(run => run.filter.geometry)?.filter.geometry

const sizeWords = ({ dataDisks, unit }: Geometry): string => `${dataDisks} x ${sectorSize(unit)}`

const without = (run: Shown): string | undefined => (run.filter.geometry === undefined ? NO_GEOMETRY_OF_RUN : undefined)

export const stripes: RowSpec<StripeQueries> = {
  kind: 'row',
  name: 'stripes',
  title: TITLE,
  chart: 'stripes',
  needsGeometry: true,
  measured: 'stripe-time',
  queries: {
    stripes: {
      kind: 'stripeTime',
      channel: 'stripes',
      restMs: 150,
      ask: ({ filter }, _, { range, w, h }) => filter.geometry && { filter, range, geometry: filter.geometry, w, h },
    },
  },
  cells({ view, plotWidth, sizes }) {
    const { range, n } = binsOver(view.range, plotWidth, CELL)
    return { range, w: n, h: sizes.stripes.stripe }
  },
  measures: () => ['alignment'],
  subject(frame) {
    const geometry = geometryOf(frame)
    return geometry ? sizeWords(geometry) : ''
  },
  words: ({ shown }, answers) => shown.map((run, i) => words(run, run.filter.geometry, answers.stripes[i]?.answer)),
  table: ({ shown }, answers) =>
    table(
      shown,
      answers.stripes.map(({ answer, ask }) => ({ answer, range: ask?.range })),
    ),
  row(frame, answers, { range, w }) {
    const { view, plotWidth, palette } = frame
    const sizes = frame.sizes.stripes
    const geometry = geometryOf(frame)
    return {
      what: `${geometry ? `${sizeWords(geometry)}; ` : ''}cell ${binWidth((range.t1 - range.t0) / w)} wide`,
      height: heightOf(sizes),
      ticks: geometry ? stripeTicks(geometry, sizes) : [],
      lines: [],
      zeros: [],
      legend: [{ entries: LEGEND }],
      figure(_, i) {
        const answer = answers.stripes[i]?.answer
        return answer ? [{ strong: partWords(answer) }, { unreliable: ['alignment'] }] : []
      },
      empty: (run, i) =>
        without(run) ?? (answers.stripes[i]?.answer?.n === 0 ? 'No visible requests with data.' : undefined),
      draw(surface, run, i) {
        const { ask, answer } = answers.stripes[i] ?? {}
        if (ask === undefined || answer === undefined || geometry === undefined) return
        drawStripes(surface, answer, {
          ...{ answered: ask.range, range: view.range, width: plotWidth, sizes, end: run.end },
          units: geometry.dataDisks,
          classes: ALIGNMENT_TOKENS.map(palette),
          ground: palette('surface'),
          grid: palette('grid'),
          begin: palette('ink'),
          partial: palette('bad'),
        })
      },
    }
  },
}
