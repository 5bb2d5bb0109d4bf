/** Lines of text of which stretches have a colour on a terminal. */
import { visibleLine } from '../../web/lib/text/visible'

/** Meaning of a colour. It never stands alone: text shows the same. */
export type Hue = 'read' | 'write' | 'discard' | 'starved' | 'lost' | 'failed' | 'faint'

export interface Span {
  readonly text: string
  readonly hue?: Hue
}

export type StyledLine = readonly Span[]

/** Parameters of "select graphic rendition": blue, yellow, green, bright yellow, red, bright red, dim. */
const CODES: Readonly<Record<Hue, number>> = {
  read: 34,
  write: 33,
  discard: 32,
  starved: 93,
  lost: 31,
  failed: 91,
  faint: 2,
}

const painted = (text: string, hue: Hue | undefined): string =>
  hue === undefined || text.trim() === '' ? text : `\u001b[${CODES[hue]}m${text}\u001b[0m`

/** Joins lines, without trailing blanks, each ended by a line feed. */
export function styledText(lines: readonly StyledLine[], coloured: boolean): string {
  return lines
    .map(line => {
      const last = line.findLastIndex(({ text }) => text.trim() !== '')
      const spans = line
        .slice(0, last + 1)
        .map(({ text, hue }, i) => ({ text: visibleLine(i === last ? text.trimEnd() : text), hue }))
      return `${spans.map(({ text, hue }) => (coloured ? painted(text, hue) : text)).join('')}\n`
    })
    .join('')
}
