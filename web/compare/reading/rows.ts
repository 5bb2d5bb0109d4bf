/** A text as rows of known heights: only those in sight are drawn, also of a text of a million lines. */
import type { BlockReading, TextReading } from '../../engine/protocol'

/** Maximum number of characters in a row; longer lines continue in the next row. */
export const MAX_ROW = 400

/** A part of a line, or the controls of a block above its first line. */
export interface TextRow {
  readonly kind: 'line' | 'heading' | 'controls'
  /** Index of the line; for controls, of the first line of their block. */
  readonly line: number
  /** Index of the row's first character in the line. */
  readonly start: number
  /** Index of the block that the row belongs to. */
  readonly block?: number
}

/**
 * Height of each kind of row, px; they must be those of reading.css, because rows are placed without measuring them.
 */
export type RowHeights = Readonly<Record<TextRow['kind'], number>>

export interface TextRows {
  readonly lines: readonly string[]
  readonly rows: readonly TextRow[]
  /** Top of each row, and the end of the last one, px. */
  readonly tops: Float64Array
}

/** Splits a text into rows and computes where each begins. `controls`: blocks have a row of controls above them. */
export function rowsOf({ text, blocks }: TextReading, heights: RowHeights, controls: boolean): TextRows {
  const lines = text.split('\n')
  const headings = new Map(blocks.flatMap(({ heading }, i) => (heading ? [[heading[0], i] as const] : [])))
  const rows: TextRow[] = []
  let next = 0
  for (const [line, { length }] of lines.entries()) {
    while (next < blocks.length && line > (blocks[next]?.lines[1] ?? 0)) next++
    const begins = line === blocks[next]?.lines[0]
    if (controls && begins) rows.push({ kind: 'controls', line, start: 0, block: next })
    const heading = headings.get(line)
    if (heading !== undefined) {
      rows.push({ kind: 'heading', line, start: 0, block: heading })
      continue
    }
    const block = line >= (blocks[next]?.lines[0] ?? Number.POSITIVE_INFINITY) ? { block: next } : undefined
    for (let start = 0; start === 0 || start < length; start += MAX_ROW)
      rows.push({ kind: 'line', line, start, ...block })
  }
  const tops = new Float64Array(rows.length + 1)
  for (const [i, { kind }] of rows.entries()) tops[i + 1] = (tops[i] ?? 0) + heights[kind]
  return { lines, rows, tops }
}

/** Index of the row at a height, px; the first or last row outside of them. */
export function rowAt({ rows, tops }: TextRows, height: number): number {
  let [low, high] = [0, rows.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((tops[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** Index of the row with a character of a line. */
export function rowOf({ rows }: TextRows, line: number, character: number): number {
  let [low, high] = [0, rows.length - 1]
  const isBehind = (row: TextRow | undefined) =>
    row !== undefined &&
    (row.line > line || (row.line === line && row.kind !== 'controls' && row.start > Math.max(0, character)))
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (isBehind(rows[middle])) high = middle - 1
    else low = middle
  }
  return low
}

/** Indices of the first place in a line and of the first one behind it, of places in the order of the text. */
export function placesIn(
  used: readonly (readonly [line: number, ...rest: number[]])[],
  line: number,
): readonly [number, number] {
  const firstPlace = (target: number) => {
    let [low, high] = [0, used.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((used[middle]?.[0] ?? 0) < target) low = middle + 1
      else high = middle
    }
    return low
  }
  return [firstPlace(line), firstPlace(line + 1)]
}

/** A label of a side in the heading of a table. */
export interface SideLabel {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly side: string
}

const isWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter)

/** Index of a label that is not part of a longer word; -1 without one. */
function placeOfLabel(text: string, label: string): number {
  if (label === '') return -1
  for (let position = text.indexOf(label); position >= 0; position = text.indexOf(label, position + 1))
    if (!isWord(text[position - 1]) && !isWord(text[position + label.length])) return position
  return -1
}

/** Where the columns of blocks name their sides: above the first number that was used. */
export function sideLabels(lines: readonly string[], { blocks, used }: TextReading): readonly SideLabel[] {
  return blocks
    .filter(({ sides }) => sides.length > 1)
    .flatMap(({ lines: [first, last], sides }) => {
      const [number] = placesIn(used, first)
      const end = Math.min(last, (used[number]?.[0] ?? first) - 1)
      return sides.flatMap(side => {
        for (let line = first; line <= end; line++) {
          const start = placeOfLabel(lines[line] ?? '', side)
          if (start >= 0) return [{ line, start, end: start + side.length, side }]
        }
        return []
      })
    })
    .sort((a, b) => a.line - b.line || a.start - b.start)
}

/**
 * Number of a line as people count it, from 1; for an encoded mail, in the file, whose lines differ from those of the
 * decoded text.
 */
export const lineNumber = ({ file_lines }: Pick<TextReading, 'file_lines'>, line: number): number =>
  file_lines?.[line] ?? line + 1

/** The lines of a block: `lines 5 to 15`. */
export function linesInWords({ lines: [first, last] }: BlockReading, text: Pick<TextReading, 'file_lines'>): string {
  const [firstNumber, to] = [lineNumber(text, first), lineNumber(text, last)]
  return firstNumber === to ? `line ${firstNumber}` : `lines ${firstNumber} to ${to}`
}
