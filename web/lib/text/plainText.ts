/** Cleans untrusted text: removes characters that are invisible or that reverse the text around them. */

/**
 * Control and format characters (bidi overrides, joiners, soft hyphens), separators of lines, private use, lone
 * surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]+/gu
/** More than four combining marks per letter would be drawn over adjacent lines. */
const PILES = /(\p{M}{4})\p{M}+/gu

/**
 * One line of at most `maxLength` characters, cut between characters. Reads only the beginning of a long text, so
 * that a hostile one costs no time.
 */
export function plainText(text: string, maxLength: number): string {
  const shown = text
    .slice(0, maxLength * 8)
    .replace(UNSEEN, ' ')
    .replace(PILES, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  return [...shown].slice(0, maxLength).join('').trim()
}

/** Characters with a common spelling in ASCII. */
const SPELLED: Readonly<Record<string, string>> = {
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
    .map(c => SPELLED[c] ?? c)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?')

/** Measures text in columns. */
interface CharacterRoom {
  widthOf(text: string): number
  /** The longest prefix that fits into `room` columns. */
  headOf(text: string, room: number): string
}

const ONE_EACH: CharacterRoom = { widthOf: text => text.length, headOf: (text, room) => text.slice(0, room) }

/**
 * Wraps text into lines of at most `width` columns; lines after the first begin with `indent`. Longer words are
 * split.
 */
export function wrapped(text: string, width: number, indent = '', { widthOf, headOf } = ONE_EACH): readonly string[] {
  const lines: string[] = []
  let line = ''
  const room = () => width - (lines.length > 0 ? indent.length : 0)
  const end = () => {
    lines.push((lines.length > 0 ? indent : '') + line)
    line = ''
  }
  for (const word of text.split(' ')) {
    let rest = word
    if (line !== '' && widthOf(line) + 1 + widthOf(rest) > room()) end()
    while (widthOf(rest) > room()) {
      line = headOf(rest, room())
      rest = rest.slice(line.length)
      end()
    }
    line = line === '' ? rest : `${line} ${rest}`
  }
  if (line !== '' || lines.length === 0) end()
  return lines
}
