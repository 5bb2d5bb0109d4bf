/**
 * The font of PNGs, which must not depend on what a machine has: Roboto (Apache-2.0), with letters of Latin, Greek and
 * Cyrillic.
 */
import medium from 'roboto-fontface/fonts/roboto/Roboto-Medium.woff?inline'
import regular from 'roboto-fontface/fonts/roboto/Roboto-Regular.woff?inline'
import { type Font, readFont } from './font'

export type FontWeight = 400 | 600

const bytesOf = (dataUrl: string): Buffer => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')

export const loadFonts = (): Readonly<Record<FontWeight, Font>> => ({
  400: readFont(bytesOf(regular)),
  600: readFont(bytesOf(medium)),
})

/** Width of a text, px. */
export function textWidth(font: Font, text: string, size: number): number {
  let width = 0
  for (const character of text) width += font.advance(font.glyphOf(character.codePointAt(0) ?? 0))
  return (width * size) / font.unitsPerEm
}
