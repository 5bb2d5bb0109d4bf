/** What text is drawn on: a grid of characters, or of the eight dots of each braille character. */
import { ascii as asciiOnly } from '../../../web/charts/shared/answers/table'
import type { Hue, Span, StyledLine } from '../../output/styled'

export type { Hue, Span, StyledLine }

export interface Screen {
  readonly columns: number
  /** Printable ASCII only; without it braille. */
  readonly ascii: boolean
  /** Colours may be the only difference between reads and writes. */
  readonly coloured: boolean
}

/** Characters of axes and marks. */
export interface GlyphSet {
  readonly side: string
  readonly tick: string
  readonly base: string
  readonly cross: string
  readonly corner: string
  readonly over: string
  readonly cut: string
  readonly lost: string
  readonly full: string
  /** From few to many. */
  readonly ramp: readonly string[]
  /** Eighths of a row, or what stands for tenths; the first is the least. */
  readonly levels: readonly string[]
}

const ASCII: GlyphSet = {
  side: '|',
  tick: '+',
  base: '-',
  cross: '+',
  corner: '+',
  over: '.',
  cut: '~',
  lost: 'x',
  full: '#',
  ramp: ['.', ':', 'o', '#', '@'],
  levels: ['.', '1', '2', '3', '4', '5', '6', '7', '8', '9', '#'],
}

const UNICODE: GlyphSet = {
  side: '\u2502',
  tick: '\u2524',
  base: '\u2500',
  cross: '\u2534',
  corner: '\u2514',
  over: '\u2508',
  cut: '\u223f',
  lost: '\u2573',
  full: '\u2588',
  ramp: ['\u00b7', '\u2591', '\u2592', '\u2593', '\u2588'],
  levels: ['\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'],
}

export const glyphs = ({ ascii }: Pick<Screen, 'ascii'>): GlyphSet => (ascii ? ASCII : UNICODE)

/** East Asian wide and fullwidth characters and emoji take two columns, marks above a character none. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NONE = /\p{M}/u

const characterWidth = (character: string): number => (NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1)

/** Columns that a text takes on a terminal. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + characterWidth(character), 0)

/** A text in the characters of the screen. */
export const spoken = (screen: Pick<Screen, 'ascii'>, text: string): string => (screen.ascii ? asciiOnly(text) : text)

/** The longest beginning of at most `room` columns; one character at least. */
export function headOf(text: string, room: number): string {
  let [fitting, used] = ['', 0]
  for (const character of text) {
    used += characterWidth(character)
    if (used > room && fitting !== '') break
    fitting += character
  }
  return fitting
}

/** At most `room` columns; what is cut off is marked. */
export function cutTo(text: string, room: number): string {
  if (widthOf(text) <= room) return text
  const head = headOf(text, room - 1)
  return room < 1 ? '' : widthOf(head) < room ? `${head}~` : '~'
}

export interface TextGrid {
  readonly width: number
  readonly height: number
  /** Outside of the grid nothing is put. */
  put(x: number, y: number, character: string, hue?: Hue): void
  /** One character per column: only for texts of narrow characters. */
  write(x: number, y: number, text: string, hue?: Hue): void
  characterAt(x: number, y: number): string
  rows(): readonly StyledLine[]
}

interface Cell {
  readonly character: string
  readonly hue?: Hue | undefined
}

const EMPTY: Cell = { character: ' ' }

/** Neighbouring cells of one hue as one span. */
function joined(cells: readonly Cell[]): StyledLine {
  const spans: { text: string; hue?: Hue }[] = []
  for (const { character, hue } of cells) {
    const last = spans.at(-1)
    if (last && last.hue === hue) last.text += character
    else spans.push({ text: character, ...(hue && { hue }) })
  }
  return spans
}

export function createGrid(width: number, height: number): TextGrid {
  const cells = Array.from({ length: height }, (): Cell[] => Array.from({ length: width }, () => EMPTY))
  const grid: TextGrid = {
    width,
    height,
    put(x, y, character, hue) {
      const row = cells[y]
      if (row && x >= 0 && x < width) row[x] = { character, hue }
    },
    write(x, y, text, hue) {
      for (const [i, character] of [...text].entries()) grid.put(x + i, y, character, hue)
    },
    characterAt: (x, y) => cells[y]?.[x]?.character ?? ' ',
    rows: () => cells.map(joined),
  }
  return grid
}

/** Bits of the dots of a braille character, by column and row. */
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const
const BLANK = 0x2800
export const DOTS_ACROSS = 2
export const DOTS_DOWN = 4

export interface DotGrid {
  /** In dots: two per column, four per row. */
  set(x: number, y: number, hue?: Hue): void
  /** Puts the dots into the grid of characters, where there are any. */
  onto(grid: TextGrid): void
}

/** The hue of a character is that of most of its dots. */
export function createDots(width: number, height: number): DotGrid {
  const bits = new Uint8Array(width * height)
  const hues = new Map<number, Map<Hue, number>>()
  return {
    set(x, y, hue) {
      const [column, row] = [Math.floor(x / DOTS_ACROSS), Math.floor(y / DOTS_DOWN)]
      if (column < 0 || column >= width || row < 0 || row >= height) return
      const cell = row * width + column
      bits[cell] = (bits[cell] ?? 0) | (DOTS[x % DOTS_ACROSS]?.[y % DOTS_DOWN] ?? 0)
      if (hue === undefined) return
      const counts = hues.get(cell) ?? new Map<Hue, number>()
      hues.set(cell, counts.set(hue, (counts.get(hue) ?? 0) + 1))
    },
    onto(grid) {
      bits.forEach((value, cell) => {
        if (value === 0) return
        const [hue] = [...(hues.get(cell) ?? [])].sort((a, b) => b[1] - a[1])[0] ?? []
        grid.put(cell % width, Math.floor(cell / width), String.fromCharCode(BLANK + value), hue)
      })
    },
  }
}
