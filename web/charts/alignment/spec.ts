/** Stripe alignment: share per class, position of request starts within the stripe, and the cost of partial stripes. */
import { stripeWords } from '../shared/answers/names'
import { FROM_SECTOR } from '../shared/answers/words'
import { type PanelSpec, type RunsFrame, wholeView } from '../shared/spec'
import { ALIGNMENT_LEGEND } from './scene'
import { gridWords, TITLE, table, words } from './summary'

export interface AlignmentQueries {
  readonly alignment: 'alignment'
  /** Whether requests are 4 KiB-aligned; asked for runs without a geometry. */
  readonly facets: 'facets'
}

/** Words below the positions of request starts: both ends and the quantity. */
export const POSITION_AXIS = { from: 'start of stripe', quantity: 'request starts', to: 'end' } as const

const geometryOf = ({ shown }: Pick<RunsFrame, 'shown'>) => shown.find(run => run.filter.geometry)?.filter.geometry

export const alignment: PanelSpec<AlignmentQueries> = {
  kind: 'panel',
  name: 'alignment',
  title: TITLE,
  chart: 'alignment',
  needsGeometry: true,
  measured: 'alignment-classes',
  queries: {
    alignment: {
      kind: 'alignment',
      channel: 'alignment',
      restMs: 150,
      ask: ({ filter }, { view: { range } }) => filter.geometry && { filter, range, geometry: filter.geometry },
    },
    facets: {
      kind: 'facets',
      channel: 'alignment-4k',
      restMs: 150,
      ask: ({ filter }, { view: { range } }) => (filter.geometry === undefined ? { filter, range } : undefined),
    },
  },
  cells: wholeView,
  measures: () => ['alignment'],
  subject: frame => (geometryOf(frame) ? 'requests by class; below, where in the stripe they begin' : ''),
  words: ({ shown }, answers) => shown.map((run, i) => words(run, answers.alignment[i]?.answer)),
  table: ({ shown }, answers) =>
    table(
      shown,
      answers.alignment.map(({ answer }) => answer),
    ),
  panel(frame, answers) {
    const geometry = geometryOf(frame)
    if (geometry === undefined) {
      const judged = gridWords(
        frame.shown,
        answers.facets.map(({ answer }) => answer?.misaligned4k),
      )
      return { what: 'share per class', legend: [], instead: judged === '' ? [] : [judged] }
    }
    return {
      what: `${stripeWords(geometry)} ${FROM_SECTOR} ${geometry.start}`,
      legend: [{ entries: ALIGNMENT_LEGEND }],
    }
  },
}
