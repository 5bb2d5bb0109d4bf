/** Flushes and FUA writes, in words. */
import { type PanelSpec, wholeView } from '../shared/spec'
import { noneWords, table, words } from './summary'

const WHAT = 'preflush, flush and FUA'

export const flushes: PanelSpec<Readonly<Record<never, never>>> = {
  kind: 'panel',
  name: 'flushes',
  title: 'Flushes',
  chart: 'flushes',
  measured: 'flush',
  queries: {},
  cells: wholeView,
  measures: () => ['flush'],
  subject: () => WHAT,
  words({ shown }) {
    const none = noneWords(shown)
    return none === undefined ? shown.map(words) : [none]
  },
  table: ({ shown }) => table(shown),
  panel: () => ({ what: WHAT, legend: [] }),
}
