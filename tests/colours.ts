/** Colours of tokens.css as people see them: contrast (WCAG 2), lightness (CIELAB), distance and hue (OKLab). */
import { readFileSync } from 'node:fs'
import { alphaOf, inTheme, type Rgb, rgbOf } from '../web/charts/shared/paint/palette'

const TOKENS_CSS = readFileSync(new URL('../web/app/tokens.css', import.meta.url), 'utf8')

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Tokens with their values in a theme; a value counts where it stands first, as in `paletteOf` of the command line. */
export function tokensIn(theme: Theme): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const [, name = '', value = ''] of TOKENS_CSS.matchAll(/--([\w-]+):\s*([^;]+);/g))
    if (!values.has(name)) values.set(name, inTheme(value, theme === 'dark'))
  return values
}

/** Tokens that are a single colour. */
export const coloursIn = (theme: Theme): ReadonlyMap<string, string> =>
  new Map([...tokensIn(theme)].filter(([, value]) => /^#\w+$/.test(value)))

type Matrix = readonly [Rgb, Rgb, Rgb]

const product = (matrix: Matrix, [x, y, z]: Rgb): Rgb => {
  const [first, second, third] = matrix.map(([a, b, c]) => a * x + b * y + c * z)
  return [first ?? 0, second ?? 0, third ?? 0]
}

/** Red, green, blue 0..1, proportional to light. */
const linear = (colour: string): Rgb => {
  const [r, g, b] = rgbOf(colour).map(byte => {
    const c = byte / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return [r ?? 0, g ?? 0, b ?? 0]
}

const luminance = (colour: string): number => {
  const [r, g, b] = linear(colour)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** L* of a colour, 0 to 100: how light it is, without its hue. */
export function lightness(colour: string): number {
  const y = luminance(colour)
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y
}

/** A colour over a ground that shines through. */
export function over(colour: string, ground: string): string {
  const alpha = alphaOf(colour)
  const [top, below] = [rgbOf(colour), rgbOf(ground)]
  const mixed = top.map((byte, i) => Math.round(byte * alpha + (below[i] ?? 0) * (1 - alpha)))
  return `#${mixed.map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}

/** What eyes without one kind of cones see: Machado, Oliveira and Fernandes 2009, severity 1.0, on linear light. */
export const VISIONS = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
} as const satisfies Record<string, Matrix>

export type Vision = keyof typeof VISIONS

const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]

/** Lightness, green to red, blue to yellow. */
function oklab(colour: string, vision: Vision = 'normal'): Rgb {
  const [r, g, b] = product(VISIONS[vision], linear(colour)).map(c => Math.min(1, Math.max(0, c)))
  const [l, m, s] = product(TO_CONES, [r ?? 0, g ?? 0, b ?? 0]).map(Math.cbrt)
  return product(TO_LAB, [l ?? 0, m ?? 0, s ?? 0])
}

/** Chroma, and hue in degrees. */
export function hueOf(colour: string): { readonly chroma: number; readonly hue: number } {
  const [, a, b] = oklab(colour)
  return { chroma: Math.hypot(a, b), hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 }
}

/** The least OKLab distance between two of the colours, times 100. */
export function leastDistance(colours: readonly string[], vision: Vision): number {
  const seen = colours.map(colour => oklab(colour, vision))
  const distances = seen.flatMap((one, i) =>
    seen.slice(i + 1).map(other => 100 * Math.hypot(...one.map((v, k) => v - (other[k] ?? 0)))),
  )
  return Math.min(...distances)
}
