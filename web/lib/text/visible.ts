/**
 * Text from inputs (process names, file names, messages, notes), made harmless for a terminal: what moves the
 * cursor, changes the terminal or the direction of text is shown as JSON writes it, `\u001b`. So a JSON document
 * stays the same document.
 */

/** C0, DEL, C1; characters of format (zero width, direction, tags); line and paragraph separators. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

/** Escapes control characters in lines; tabs and line feeds stay. */
export const visible = (text: string): string => text.replace(CONTROL, c => (c === '\n' || c === '\t' ? c : escaped(c)))

/** Escapes all control characters, for a single line. */
export const visibleLine = (text: string): string => text.replace(CONTROL, escaped)

/** Escapes all strings of a document that is printed as text. */
export function visibleIn<T>(value: T): T {
  if (typeof value === 'string') return visibleLine(value) as T
  if (Array.isArray(value)) return value.map(visibleIn) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visibleIn(inner)])) as T
}
