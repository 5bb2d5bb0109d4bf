/**
 * One run minus another: the words of its maps and series. Only the page draws it: it needs two runs on one axis, and
 * `seekscope compare` prints what differs in figures.
 */
import { NEEDS_ISSUES } from '../queue-depth/spec'
import { seekMap } from '../seek-map/spec'
import { inRunsWords, PER_CELL } from '../shared/answers/words'
import type { LegendEntry } from '../shared/paint/legendEntry'
import type { PageSpec } from '../shared/spec'
import type { Pair } from './pair'

export const difference: PageSpec = {
  kind: 'page',
  name: 'difference',
  title: 'Difference',
  measured: 'difference',
}

/** `Seek map, B − A`, for a chart that draws a difference. */
export const titleOfPair = ({ title }: Pick<PageSpec, 'title'>, { name }: Pair): string => `${title}, ${name}`

/** What screen readers hear of a plot. */
export const plotName = ({ title }: Pick<PageSpec, 'title'>): string => `${title} difference`

/** `Seek map of B minus A`: the subject of its sentence. */
export const subjectOf = ({ title }: Pick<PageSpec, 'title'>, { base, other }: Pair): string =>
  `${title} of ${other.letter} minus ${base.letter}`

/** Names a side of a scale. */
export const moreIn = (run: { readonly letter: string }): string => `more in ${run.letter}`

/** Colours of both sides; `place` says where a bar of the side is. */
export const sideEntries = (
  { base, other }: Pair,
  place: { readonly more: string; readonly less: string } = { more: '', less: '' },
): readonly LegendEntry[] => [
  { label: `${place.more}${moreIn(other)}`, token: 'diff-more' },
  { label: `${place.less}${moreIn(base)}`, token: 'diff-less' },
]

/** Bars above and below a zero line. */
export const AROUND_ZERO = { more: 'above: ', less: 'below: ' }

const inBoth = ({ base, other }: Pair): string => inRunsWords([base, other])

export const needsIssues = (pair: Pair): string => `${NEEDS_ISSUES}${inBoth(pair)}`
export const needsDevice = (pair: Pair): string => `needs the same device${inBoth(pair)}`
export const selectDevice = (pair: Pair): string => `Select the same device${inBoth(pair)}, or use Columns.`

export const mapAxis = (axis: string): string => `${axis}; ${PER_CELL}`
export const mapTitle = (pair: Pair): string => titleOfPair(seekMap, pair)
export const mapSubject = (pair: Pair): string => subjectOf(seekMap, pair)
