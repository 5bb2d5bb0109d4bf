/** A text as rows of known heights: only those in sight are drawn, also of a text of a million lines. */
import type { BlockReading, TextReading } from '../../engine/protocol'

/** Longer lines go on in the next row. */
export const MAX_ROW = 400

/** A part of a line, or the controls of a block above its first line. */
export interface TextRow {
  readonly kind: 'line' | 'heading' | 'controls'
  /** Index of the shown line; of controls the first one of their block. */
  readonly line: number
  /** Its first character. */
  readonly start: number
  /** Index of the block whose heading or controls it is, or in which the line is. */
  readonly block?: number
}

/** Heights of rows, px. */
export type RowHeights = Readonly<Record<TextRow['kind'], number>>

export interface TextRows {
  readonly lines: readonly string[]
  readonly rows: readonly TextRow[]
  /** Top of each row, and the end of the last one, px. */
  readonly tops: Float64Array
}

/** `controls`: blocks have controls above them. */
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

/** Index of the row at a height, within the rows. */
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
  const from = (wanted: number) => {
    let [low, high] = [0, used.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((used[middle]?.[0] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
  return [from(line), from(line + 1)]
}

/** A label of a side in the heading of a table. */
export interface SideLabel {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly side: string
}

const isWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter)

/** The first place of a label where it is no part of a longer word; -1 without one. */
function placeOfLabel(text: string, label: string): number {
  if (label === '') return -1
  for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1))
    if (!isWord(text[at - 1]) && !isWord(text[at + label.length])) return at
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

/** Of a line as people count them: in the file, where that is encoded and has others. */
export const lineNumber = ({ file_lines }: Pick<TextReading, 'file_lines'>, line: number): number =>
  file_lines?.[line] ?? line + 1

/** `lines 5 to 15`. */
export function linesInWords({ lines: [first, last] }: BlockReading, text: Pick<TextReading, 'file_lines'>): string {
  const [from, to] = [lineNumber(text, first), lineNumber(text, last)]
  return from === to ? `line ${from}` : `lines ${from} to ${to}`
}
