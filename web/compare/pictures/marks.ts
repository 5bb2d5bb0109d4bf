/**
 * The marks of a picture, in CSS px: the page shows them as SVG, the command line writes SVG and PNG. Colours are
 * tokens of web/app/tokens.css.
 */

import type { Tip } from '../../charts/shared/frame/tips'
import { runToken } from '../../charts/shared/paint/palette'
import { deviationOf, deviationText, rangeOfCell } from '../deviation'
import { meanText } from '../matrix/matrixText'
import { VERDICT_WORDS } from '../verdicts'
import type { MetricCells, PlacedCell, Side } from './sides'

export interface BoxMark {
  readonly kind: 'box'
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly token: string
}

export interface LineMark {
  readonly kind: 'line'
  /** Polylines as lists of points `[x, y]`. */
  readonly paths: readonly (readonly (readonly [number, number])[])[]
  readonly token: string
  readonly width: number
  /** Letter of the run whose dash pattern the line has. */
  readonly dashOf?: string
  readonly isDotted?: true
}

interface AreaMark {
  readonly kind: 'area'
  readonly points: readonly (readonly [number, number])[]
  readonly token: string
  readonly opacity: number
}

export interface TextMark {
  readonly kind: 'text'
  readonly x: number
  /** Position of the text's baseline. */
  readonly y: number
  readonly text: string
  readonly token: string
  readonly isBold?: true
  readonly anchor?: 'middle' | 'end'
}

export type Mark = BoxMark | LineMark | AreaMark | TextMark

/** A part of a picture with a tooltip, in the order of keyboard focus. */
export interface PictureTarget {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly tip: Tip
}

export interface PictureDrawing {
  readonly width: number
  readonly height: number
  readonly marks: readonly Mark[]
  readonly targets: readonly PictureTarget[]
}

/** Returns the width of a text at 11 px, px. */
export type MeasureText = (text: string, isBold?: boolean) => number

export const FONT_SIZE = 11
const BADGE = 14
const LINE = 18

/** Shortens a long name in the middle: names usually differ at their ends. */
export function fitText(text: string, room: number, measure: MeasureText, isBold = false): string {
  if (measure(text, isBold) <= room) return text
  for (let length = text.length - 1; length > 1; length -= 1) {
    const behind = Math.floor(length / 2)
    const cut = `${text.slice(0, length - behind)}\u2026${text.slice(text.length - behind)}`
    if (measure(cut, isBold) <= room) return cut
  }
  return '\u2026'
}

/** The letter of a side on its colour. */
export function badge({ letter }: Side, x: number, y: number): readonly Mark[] {
  return [
    { kind: 'box', x, y, w: BADGE, h: BADGE, token: runToken(letter) },
    { kind: 'text', x: x + BADGE / 2, y: y + 11, text: letter, token: 'surface', isBold: true, anchor: 'middle' },
  ]
}

/** Marks of the legend; none for a single side. */
export function legend(
  sides: readonly Side[],
  width: number,
  measure: MeasureText,
): { readonly marks: readonly Mark[]; readonly height: number } {
  if (sides.length < 2) return { marks: [], height: 0 }
  const marks: Mark[] = []
  let [x, y] = [0, 0]
  for (const side of sides) {
    const behind = side.isBase ? ' (baseline)' : ''
    const name = `${fitText(side.name, width - BADGE - 6 - measure(behind), measure)}${behind}`
    const wide = BADGE + 6 + measure(name)
    if (x > 0 && x + wide > width) [x, y] = [0, y + LINE]
    marks.push(...badge(side, x, y))
    marks.push({ kind: 'text', x: x + BADGE + 6, y: y + 11, text: name, token: 'ink-2' })
    x += wide + 18
  }
  return { marks, height: y + LINE + 6 }
}

/** The value of a cell with the digits of the matrix: `349`, `349 ± 5`. */
export function valueText({ cell }: PlacedCell, { view: { scale } }: MetricCells): string {
  const deviation = deviationOf(cell)
  const sd = deviation === undefined ? '' : ` ${deviationText(deviation, scale)}`
  return `${meanText(cell, scale)}${sd}${cell.unreliable ? '\u2020' : ''}`
}

/** Letter, value with unit, number of runs, and change of a side. Its name is in the legend: a tooltip is narrow. */
export function factsOf(side: Side, placed: PlacedCell, metric: MetricCells): readonly string[] {
  const { change, n } = placed.cell
  const changed = change ? `${change.text}, ${VERDICT_WORDS[change.verdict]}` : placed.isBase ? 'baseline' : ''
  return [side.letter, `${valueText(placed, metric)} ${metric.view.scale.unit}`.trimEnd(), `n ${n}`, changed]
}

/** Both ends of a spread, in the unit of the matrix; `undefined` if it is unknown. */
export function rangeOf({ cell }: PlacedCell, { view: { scale } }: MetricCells): readonly [number, number] | undefined {
  const range = rangeOfCell(cell)
  return range && [range.min / scale.per, range.max / scale.per]
}

const NOUNS: Readonly<Record<string, string>> = {
  side: 'side',
  group: 'group',
  metric: 'metric',
  panel: 'panel',
  curve: 'run',
}

/** What is not drawn, for the caption: `Not drawn: 19 more metrics.` */
export function leftWords(omitted: readonly { readonly count: number; readonly kind: string }[]): string {
  if (omitted.length === 0) return ''
  const parts = omitted.map(({ count, kind }) => `${count} more ${NOUNS[kind] ?? kind}${count === 1 ? '' : 's'}`)
  return `Not drawn: ${parts.join(', ')}.`
}
