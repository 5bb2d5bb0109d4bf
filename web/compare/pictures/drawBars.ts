/** Bars of the sides next to each other, from 0, with the spread of repeats and the base as a dotted line. Pure. */

import { runToken } from '../../charts/shared/palette'
import { amountTicks, tickLabel, topOf } from '../../charts/shared/ticks'
import type { Verdict } from '../../engine/protocol'
import { VERDICT_MARKS } from '../verdicts'
import {
  badge,
  factsOf,
  fitted,
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
/** Names stand above their bars in a narrower picture. */
const NARROW = 560
const MAX_NAME = 240
const GAP = 10
const BADGE_ROOM = 20
/** Longer bars are far from their values. */
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

/** A change with its verdict. */
type ChangeWriter = (change: { readonly text: string; readonly verdict: Verdict }) => string

const withMark: ChangeWriter = ({ text, verdict }) => `${VERDICT_MARKS[verdict]} ${text}`

const changeToken = ({ placed }: SideValue): string => {
  const verdict = placed.cell.change?.verdict
  return verdict === 'worse' ? 'bad' : verdict === 'better' ? 'good' : 'ink-2'
}

/** `writeChange`: fonts may lack the marks of verdicts. */
export function drawBars(
  picture: BarsPicture,
  width: number,
  measure: MeasureText,
  writeChange: ChangeWriter = withMark,
): PictureDrawing {
  const { groups, isByMetric, sides } = picture
  const head = legend(sides, width, measure)
  const marks: Mark[] = [...head.marks]
  const targets: PictureTarget[] = []
  const isNarrow = width < NARROW
  const changeText = ({ placed: { cell, isBase } }: SideValue) =>
    cell.change ? writeChange(cell.change) : isBase ? 'base' : ''
  const below = ({ metric }: BarGroup) =>
    isByMetric ? [metric.view.scale.unit, directionWords(metric)].filter(word => word !== '').join(', ') : ''
  const named = Math.max(...groups.map(group => Math.max(measure(group.name, true), measure(below(group)))))
  const nameWidth = isNarrow ? 0 : Math.min(MAX_NAME, named, width * 0.35)
  const all = groups.flatMap(({ bars, metric }) => bars.map(bar => ({ bar, metric })))
  const valueWidth = Math.max(...all.map(({ bar, metric }) => measure(valueText(bar.placed, metric), true)))
  const changeWidth = Math.max(...all.map(({ bar }) => measure(changeText(bar))))
  const hasBadges = sides.length > 1
  const left = nameWidth + (nameWidth > 0 ? GAP : 0) + (hasBadges ? BADGE_ROOM : 0)
  const right = Math.min(left + MAX_PLOT, Math.max(left + 20, width - valueWidth - changeWidth - 2 * GAP))
  const common = isByMetric ? undefined : rangeOfGroups(groups)
  let y = head.height
  /** Both ends of a scale, and what is where on it. */
  const scaleOf = ([low, high]: readonly [number, number], top: number) => {
    const span = Math.max(top - low, Number.MIN_VALUE)
    return (value: number) =>
      left + ((Math.min(Math.max(value, low), Math.max(top, high)) - low) / span) * (right - left)
  }
  const top = common ? topOf(common[1]) : 0
  const shared = common && scaleOf(common, top)
  const plotTop = y
  if (shared && common) {
    let free = Number.NEGATIVE_INFINITY
    const ticks = common[0] < 0 ? [0] : amountTicks(top, isNarrow ? 2 : 4)
    for (const tick of ticks) {
      const [at, label] = [shared(tick), tickLabel(tick)]
      const wide = measure(label)
      if (at - wide / 2 < free) continue
      free = at + wide / 2 + 6
      marks.push({ kind: 'text', x: at, y: y + 11, text: label, token: 'ink-3', anchor: 'middle' })
    }
    y += AXIS
  }
  for (const group of groups) {
    const { bars, metric, name } = group
    const from = y
    const own = rangeOfGroups([group])
    const x = shared ?? scaleOf(own, own[1])
    const words = below(group)
    if (isNarrow) {
      const room = width - (words === '' ? 0 : measure(words) + GAP)
      const shown = fitted(name, room, measure, true)
      marks.push({ kind: 'text', x: 0, y: y + 11, text: shown, token: 'ink', isBold: true })
      if (words !== '')
        marks.push({ kind: 'text', x: measure(shown, true) + GAP, y: y + 11, text: words, token: 'ink-3' })
      if (name !== '' || words !== '') y += STEP
    } else {
      marks.push({
        kind: 'text',
        x: 0,
        y: y + 10,
        text: fitted(name, nameWidth, measure, true),
        token: 'ink',
        isBold: true,
      })
      if (words !== '')
        marks.push({ kind: 'text', x: 0, y: y + 10 + 14, text: fitted(words, nameWidth, measure), token: 'ink-3' })
    }
    const barsTop = y
    const zero = x(0)
    for (const bar of bars) {
      const value = scaledMean(bar, metric)
      if (hasBadges) marks.push(...badge(bar.side, left - BADGE_ROOM, y))
      const [begin, end] = [Math.min(zero, x(value)), Math.max(zero, x(value))]
      marks.push({ kind: 'box', x: begin, y: y + 2, w: end - begin, h: BAR, token: runToken(bar.side.letter) })
      const spread = rangeOf(bar.placed, metric)
      if (spread) marks.push(...whisker(spread.map(x) as [number, number], y + 2 + BAR / 2))
      const text = valueText(bar.placed, metric)
      marks.push({
        kind: 'text',
        x: right + GAP + valueWidth,
        y: y + 11,
        text,
        token: 'ink',
        isBold: true,
        anchor: 'end',
      })
      const change = changeText(bar)
      if (change !== '')
        marks.push({ kind: 'text', x: right + 2 * GAP + valueWidth, y: y + 11, text: change, token: changeToken(bar) })
      y += STEP
    }
    const base = bars.find(({ placed }) => placed.isBase)
    if (base && bars.length > 1) {
      const at = x(scaledMean(base, metric))
      marks.push({
        kind: 'line',
        paths: [
          [
            [at, barsTop],
            [at, y - 2],
          ],
        ],
        token: 'accent',
        width: 1,
        isDotted: true,
      })
    }
    if (!shared || isNarrow)
      marks.push({
        kind: 'line',
        paths: [
          [
            [zero, barsTop],
            [zero, y - 2],
          ],
        ],
        token: 'axis',
        width: 1,
      })
    y = Math.max(y, isNarrow ? y : from + (words === '' ? STEP : 2 * STEP))
    targets.push({
      ...{ x: 0, y: from - 3, w: Math.min(width, right + 3 * GAP + valueWidth + changeWidth), h: y - from + 4 },
      tip: {
        title: isByMetric ? name : `${metric.figure.label}${name === '' ? '' : `, ${name}`}`,
        rows: bars.map(bar => factsOf(bar.side, bar.placed, metric)),
      },
    })
    y += GROUP_GAP
  }
  if (shared && !isNarrow)
    marks.push({
      kind: 'line',
      paths: [
        [
          [shared(0), plotTop + AXIS - 4],
          [shared(0), y],
        ],
      ],
      token: 'axis',
      width: 1,
    })
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
  // A margin in the colour of the ground keeps it visible on its bar.
  return [
    { kind: 'line', paths, token: 'surface', width: 3 },
    { kind: 'line', paths, token: 'ink', width: 1 },
  ]
}
