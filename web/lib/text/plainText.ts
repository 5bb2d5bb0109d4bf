/** Cleans untrusted text: removes characters that are invisible or that reverse the text around them. */

/**
 * Control and format characters (bidi overrides, joiners, soft hyphens), separators of lines, private use, lone
 * surrogates.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]+/gu
/** A letter keeps four combining marks; more would be drawn over adjacent lines. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu

/**
 * One line of at most `maxLength` characters, cut between characters. Reads only the beginning of a long text, so
 * that a hostile one costs no time.
 */
export function plainText(text: string, maxLength: number): string {
  const cleaned = text
    .slice(0, maxLength * 8)
    .replace(INVISIBLE, ' ')
    .replace(STACKED_MARKS, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  return [...cleaned].slice(0, maxLength).join('').trim()
}

/** ASCII spellings of characters that Unicode does not decompose to ASCII. */
const ASCII_SPELLINGS: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u2026': '...',
  '\u00d7': 'x',
  '\u00b5': 'u',
  '\u03bc': 'u',
  '\u2192': '->',
  '\u00df': 'ss',
}

/** Converts to ASCII: letters lose their accents; characters without a spelling become `?`. */
export const asciiText = (text: string): string =>
  [...text.normalize('NFKD')]
    .map(c => ASCII_SPELLINGS[c] ?? c)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?')

/** Width of text in columns: a terminal gives wide characters two. */
interface CharacterRoom {
  widthOf(text: string): number
  /** The longest prefix that fits into `room` columns. */
  headOf(text: string, room: number): string
}

const ONE_COLUMN_EACH: CharacterRoom = { widthOf: text => text.length, headOf: (text, room) => text.slice(0, room) }

/**
 * Wraps text into lines of at most `width` columns; lines after the first begin with `indent`. Longer words are
 * split.
 */
export function wrapped(
  text: string,
  width: number,
  indent = '',
  { widthOf, headOf } = ONE_COLUMN_EACH,
): readonly string[] {
  const lines: string[] = []
  let line = ''
  const roomLeft = () => width - (lines.length > 0 ? indent.length : 0)
  const endLine = () => {
    lines.push((lines.length > 0 ? indent : '') + line)
    line = ''
  }
  for (const word of text.split(' ')) {
    let rest = word
    if (line !== '' && widthOf(line) + 1 + widthOf(rest) > roomLeft()) endLine()
    while (widthOf(rest) > roomLeft()) {
      line = headOf(rest, roomLeft())
      rest = rest.slice(line.length)
      endLine()
    }
    line = line === '' ? rest : `${line} ${rest}`
  }
  if (line !== '' || lines.length === 0) endLine()
  return lines
}
