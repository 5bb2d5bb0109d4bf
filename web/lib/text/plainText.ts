/** Text of others, to be shown as text: without characters that cannot be seen or that turn other text around. */

/**
 * Control and format characters (bidi overrides, joiners, soft hyphens), separators of lines, private use, lone
 * surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]+/gu
/** More marks on one letter are drawn over the lines around it. */
const PILES = /(\p{M}{4})\p{M}+/gu

/** One line of at most `most` characters, cut between characters. Looks at no more of a text than that could need. */
export function plainText(text: string, most: number): string {
  const shown = text
    .slice(0, most * 8)
    .replace(UNSEEN, ' ')
    .replace(PILES, '$1')
    .replace(/\s+/gu, ' ')
    .trim()
  return [...shown].slice(0, most).join('').trim()
}

/** Signs with a usual spelling in ASCII. */
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

/** In ASCII: letters without their accents, `?` for what has no spelling. */
export const asciiText = (text: string): string =>
  [...text.normalize('NFKD')]
    .map(c => SPELLED[c] ?? c)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?')

/** How much room characters take. */
interface CharacterRoom {
  widthOf(text: string): number
  /** The longest beginning that fits. */
  headOf(text: string, room: number): string
}

const ONE_EACH: CharacterRoom = { widthOf: text => text.length, headOf: (text, room) => text.slice(0, room) }

/** Lines of at most `width`; the lines after the first begin with `indent`. Longer words are cut. */
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
