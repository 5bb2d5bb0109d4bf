/** Bars of the sides next to each other, from 0, with the spread of repeats and the base as a dotted line. Pure. */

import { runToken } from '../../charts/shared/paint/palette'
import { amountTicks, tickLabel, topOf } from '../../charts/shared/paint/ticks'
import type { Verdict } from '../../engine/protocol'
import { VERDICT_MARKS } from '../verdicts'
import {
  badge,
  factsOf,
  fitText,
  type LineMark,
  legend,
  type Mark,
  type MeasureText,
  type PictureDrawing,
  type PictureTarget,
  rangeOf,
  valueText,
} from './marks'
import type { BarGroup, BarsPicture, SideValue } from './shape'
import type { MetricCells } from './sides'

const BAR = 10
const STEP = 16
const GROUP_GAP = 10
const AXIS = 18
/** Minimum width for names left of the bars, px; in narrower pictures they are above. */
const NARROW = 560
const MAX_NAME = 240
const GAP = 10
const BADGE_ROOM = 20
/** Maximum length of a bar, px: longer ones are far from the values beside them. */
const MAX_PLOT = 560

const scaledMean = ({ placed }: SideValue, { view: { scale } }: MetricCells): number =>
  (placed.cell.mean ?? 0) / scale.per

/** Ends of a scale that has all bars and spreads of some groups. */
function rangeOfGroups(groups: readonly BarGroup[]): readonly [number, number] {
  const values = groups.flatMap(({ bars, metric }) =>
    bars.flatMap(bar => [scaledMean(bar, metric), ...(rangeOf(bar.placed, metric) ?? [])]),
  )
  return [Math.min(0, ...values), Math.max(0, ...values)]
}

export const directionWords = ({ figure }: MetricCells): string =>
  figure.good === undefined ? '' : `${figure.good} is better`

/** Writes a change with the mark of its verdict. */
type ChangeWriter = (change: { readonly text: string; readonly verdict: Verdict }) => string

const withMark: ChangeWriter = ({ text, verdict }) => `${VERDICT_MARKS[verdict]} ${text}`

const changeToken = ({ placed }: SideValue): string => {
  const verdict = placed.cell.change?.verdict
  return verdict === 'worse' ? 'bad' : verdict === 'better' ? 'good' : 'ink-2'
}

/** Widths of the columns, and where the bars are between them. */
interface BarsLayout {
  readonly width: number
  readonly isNarrow: boolean
  readonly nameWidth: number
  readonly valueWidth: number
  readonly changeWidth: number
  /** Left and right edge of the bars' area, px. */
  readonly left: number
  readonly right: number
  readonly hasBadges: boolean
}

/** Values that all parts of a picture share. */
interface BarsContext {
  readonly picture: BarsPicture
  readonly layout: BarsLayout
  readonly measure: MeasureText
  /** Text beside a bar: its change with the verdict, or that it is the base. */
  changeText(bar: SideValue): string
}

/** Position of a value, px. */
type ValueScale = (value: number) => number

/** The unit of a group and which direction is better; all groups of one metric have them in the title. */
const unitWords = ({ isByMetric }: BarsPicture, { metric }: BarGroup): string =>
  isByMetric ? [metric.view.scale.unit, directionWords(metric)].filter(word => word !== '').join(', ') : ''

function layOut(
  picture: BarsPicture,
  width: number,
  measure: MeasureText,
  changeText: (bar: SideValue) => string,
): BarsLayout {
  const { groups, sides } = picture
  const isNarrow = width < NARROW
  const names = groups.map(group => Math.max(measure(group.name, true), measure(unitWords(picture, group))))
  const nameWidth = isNarrow ? 0 : Math.min(MAX_NAME, Math.max(...names), width * 0.35)
  const bars = groups.flatMap(({ bars, metric }) => bars.map(bar => ({ bar, metric })))
  const valueWidth = Math.max(...bars.map(({ bar, metric }) => measure(valueText(bar.placed, metric), true)))
  const changeWidth = Math.max(...bars.map(({ bar }) => measure(changeText(bar))))
  const hasBadges = sides.length > 1
  const left = nameWidth + (nameWidth > 0 ? GAP : 0) + (hasBadges ? BADGE_ROOM : 0)
  const right = Math.min(left + MAX_PLOT, Math.max(left + 20, width - valueWidth - changeWidth - 2 * GAP))
  return { width, isNarrow, nameWidth, valueWidth, changeWidth, left, right, hasBadges }
}

/** A scale from `low` to `top`, at least as far as `high`. */
function scaleOf({ left, right }: BarsLayout, [low, high]: readonly [number, number], top: number): ValueScale {
  const span = Math.max(top - low, Number.MIN_VALUE)
  return value => left + ((Math.min(Math.max(value, low), Math.max(top, high)) - low) / span) * (right - left)
}

const verticalLine = (
  x: number,
  y0: number,
  y1: number,
  style: Pick<LineMark, 'token' | 'isDotted'> = { token: 'axis' },
): LineMark => ({
  kind: 'line',
  paths: [
    [
      [x, y0],
      [x, y1],
    ],
  ],
  width: 1,
  ...style,
})

/** Labels of the common axis; one that would touch the one before it is left out. */
function axisLabels(
  { layout: { isNarrow }, measure }: BarsContext,
  [low]: readonly [number, number],
  top: number,
  x: ValueScale,
  y: number,
): readonly Mark[] {
  const marks: Mark[] = []
  let free = Number.NEGATIVE_INFINITY
  for (const tick of low < 0 ? [0] : amountTicks(top, isNarrow ? 2 : 4)) {
    const [position, label] = [x(tick), tickLabel(tick)]
    const width = measure(label)
    if (position - width / 2 < free) continue
    free = position + width / 2 + 6
    marks.push({ kind: 'text', x: position, y: y + 11, text: label, token: 'ink-3', anchor: 'middle' })
  }
  return marks
}

/** The name of a group and its unit, left of the bars; above them in a narrow picture. */
function groupName({ picture, layout, measure }: BarsContext, group: BarGroup, y: number): readonly Mark[] {
  const { width, isNarrow, nameWidth } = layout
  const words = unitWords(picture, group)
  const room = isNarrow ? width - (words === '' ? 0 : measure(words) + GAP) : nameWidth
  const name = fitText(group.name, room, measure, true)
  const marks: Mark[] = [{ kind: 'text', x: 0, y: y + (isNarrow ? 11 : 10), text: name, token: 'ink', isBold: true }]
  if (words === '') return marks
  return isNarrow
    ? [...marks, { kind: 'text', x: measure(name, true) + GAP, y: y + 11, text: words, token: 'ink-3' }]
    : [...marks, { kind: 'text', x: 0, y: y + 24, text: fitText(words, nameWidth, measure), token: 'ink-3' }]
}

/** A bar from 0 with its spread, its value and its change. */
function drawBar(
  { layout, changeText }: BarsContext,
  bar: SideValue,
  metric: MetricCells,
  x: ValueScale,
  y: number,
): readonly Mark[] {
  const { left, right, valueWidth, hasBadges } = layout
  const ends = [x(0), x(scaledMean(bar, metric))]
  const begin = Math.min(...ends)
  const spread = rangeOf(bar.placed, metric)
  const change = changeText(bar)
  const marks: Mark[] = hasBadges ? [...badge(bar.side, left - BADGE_ROOM, y)] : []
  marks.push({
    kind: 'box',
    x: begin,
    y: y + 2,
    w: Math.max(...ends) - begin,
    h: BAR,
    token: runToken(bar.side.letter),
  })
  if (spread) marks.push(...whisker([x(spread[0]), x(spread[1])], y + 2 + BAR / 2))
  marks.push({
    kind: 'text',
    x: right + GAP + valueWidth,
    y: y + 11,
    text: valueText(bar.placed, metric),
    token: 'ink',
    isBold: true,
    anchor: 'end',
  })
  if (change !== '')
    marks.push({ kind: 'text', x: right + 2 * GAP + valueWidth, y: y + 11, text: change, token: changeToken(bar) })
  return marks
}

interface DrawnGroup {
  readonly marks: readonly Mark[]
  readonly target: PictureTarget
  /** Lower edge of the group, px: the next one begins there. */
  readonly bottom: number
}

/** The bars of a group, from `top` down. `shared`: the scale of all groups; absent if the group has its own. */
function drawGroup(context: BarsContext, group: BarGroup, shared: ValueScale | undefined, top: number): DrawnGroup {
  const { picture, layout } = context
  const { width, isNarrow, right, valueWidth, changeWidth } = layout
  const { bars, metric, name } = group
  const range = rangeOfGroups([group])
  const x = shared ?? scaleOf(layout, range, range[1])
  const words = unitWords(picture, group)
  const marks: Mark[] = [...groupName(context, group, top)]
  const barsTop = isNarrow && (name !== '' || words !== '') ? top + STEP : top
  const barsBottom = barsTop + bars.length * STEP
  for (const [i, bar] of bars.entries()) marks.push(...drawBar(context, bar, metric, x, barsTop + i * STEP))
  const base = bars.find(({ placed }) => placed.isBase)
  if (base && bars.length > 1)
    marks.push(verticalLine(x(scaledMean(base, metric)), barsTop, barsBottom - 2, { token: 'accent', isDotted: true }))
  if (!shared || isNarrow) marks.push(verticalLine(x(0), barsTop, barsBottom - 2))
  const bottom = isNarrow ? barsBottom : Math.max(barsBottom, top + (words === '' ? STEP : 2 * STEP))
  const target: PictureTarget = {
    ...{ x: 0, y: top - 3, w: Math.min(width, right + 3 * GAP + valueWidth + changeWidth), h: bottom - top + 4 },
    tip: {
      title: picture.isByMetric ? name : `${metric.figure.label}${name === '' ? '' : `, ${name}`}`,
      rows: bars.map(bar => factsOf(bar.side, bar.placed, metric)),
    },
  }
  return { marks, target, bottom }
}

/** Draws the bars of a picture. `writeChange`: the command line has fonts that may lack the marks of verdicts. */
export function drawBars(
  picture: BarsPicture,
  width: number,
  measure: MeasureText,
  writeChange: ChangeWriter = withMark,
): PictureDrawing {
  const { groups, isByMetric, sides } = picture
  const changeText = ({ placed: { cell, isBase } }: SideValue) =>
    cell.change ? writeChange(cell.change) : isBase ? 'baseline' : ''
  const layout = layOut(picture, width, measure, changeText)
  const context = { picture, layout, measure, changeText }
  const head = legend(sides, width, measure)
  const marks: Mark[] = [...head.marks]
  const targets: PictureTarget[] = []
  const common = isByMetric ? undefined : rangeOfGroups(groups)
  const top = common ? topOf(common[1]) : 0
  const shared = common && scaleOf(layout, common, top)
  let y = head.height
  if (shared && common) {
    marks.push(...axisLabels(context, common, top, shared, y))
    y += AXIS
  }
  const plotTop = y
  for (const group of groups) {
    const placedGroup = drawGroup(context, group, shared, y)
    marks.push(...placedGroup.marks)
    targets.push(placedGroup.target)
    y = placedGroup.bottom + GROUP_GAP
  }
  if (shared && !layout.isNarrow) marks.push(verticalLine(shared(0), plotTop - 4, y))
  return { width, height: y, marks, targets }
}

function whisker([from, to]: readonly [number, number], y: number): readonly Mark[] {
  const paths = [
    [
      [from, y],
      [to, y],
    ],
    [
      [from, y - 4],
      [from, y + 4],
    ],
    [
      [to, y - 4],
      [to, y + 4],
    ],
  ] as const
  // An outline in the colour of the ground keeps the whisker visible on its bar.
  return [
    { kind: 'line', paths, token: 'surface', width: 3 },
    { kind: 'line', paths, token: 'ink', width: 1 },
  ]
}
