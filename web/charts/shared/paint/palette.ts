/** Colours and sizes that charts take from tokens.css. Pure; `theme.ts` reads the tokens of the page. */
import { ALIGNMENT_CLASSES, type AlignmentClass } from '../../../engine/protocol'

/** A colour by its token's name: `density-1`, `op-read`, `ink`. */
export type Palette = (token: string) => string

export const OP_TOKENS = ['op-read', 'op-write', 'op-discard', 'op-flush'] as const
export const ALIGNMENT_TOKENS = ['al-full', 'al-unit', 'al-inside', 'al-straddle'] as const
export const alignmentToken = (cls: AlignmentClass): string => ALIGNMENT_TOKENS[ALIGNMENT_CLASSES.indexOf(cls)] ?? 'ink'
export const PROCESS_TOKENS = ['proc-1', 'proc-2', 'proc-3', 'proc-4', 'proc-5', 'proc-other'] as const
/** By the slots of files and structures. */
export const OBJECT_TOKENS = ['ob-1', 'ob-2', 'ob-3', 'ob-journal', 'ob-inodes', 'ob-meta', 'ob-none'] as const
export const DENSITY_TOKENS = ['density-1', 'density-2', 'density-3', 'density-4', 'density-5'] as const
/** Ordered layers (size, latency): the density steps, and ink for the sixth. */
export const ORDERED_TOKENS = [...DENSITY_TOKENS, 'ink'] as const
/** Async, sync, FUA, flush. */
export const SYNC_TOKENS = ['proc-5', 'proc-2', 'proc-4', 'op-flush'] as const

/** Custom properties are not computed: `light-dark(#fff, #000)` is read as it is in tokens.css. */
const LIGHT_DARK = /^light-dark\(\s*([^,]+?)\s*,\s*([^)]+?)\s*\)$/

/** The value of a token in a theme. */
export function inTheme(value: string, dark: boolean): string {
  const [, light, other] = LIGHT_DARK.exec(value.trim()) ?? []
  return (dark ? other : light) ?? value.trim()
}

/** The hexadecimal digits of a colour as bytes; minified colours have one digit per channel. */
function bytesOf(colour: string): readonly number[] {
  const digits = colour.slice(1)
  const full = digits.length < 6 ? [...digits].map(d => d + d).join('') : digits
  return (full.match(/../g) ?? []).map(byte => Number.parseInt(byte, 16))
}

/** Red, green, blue 0..255. */
export type Rgb = readonly [number, number, number]

/** The colour of a `#rrggbb` token. */
export function rgbOf(colour: string): Rgb {
  const [r = 0, g = 0, b = 0] = bytesOf(colour)
  return [r, g, b]
}

/** Opacity 0..1 of a `#rrggbbaa` token. */
export const alphaOf = (colour: string): number => (bytesOf(colour)[3] ?? 255) / 255

/** Heights of the share of partial stripes, of the gap below it, and of the stripe, px. */
export interface StripeSizes {
  readonly share: number
  readonly gap: number
  readonly stripe: number
}

/** Sizes in px that charts share with the page's grid. */
export interface ChartSizes {
  readonly axis: number
  readonly gap: number
  readonly seekMap: number
  readonly depth: number
  readonly starved: number
  readonly rate: number
  readonly lane: number
  readonly latency: number
  readonly overlay: number
  readonly percentiles: number
  readonly requestSizes: number
  readonly stripes: StripeSizes
  readonly timeAxis: number
}

export function readSizes(palette: Palette): ChartSizes {
  const px = (token: string): number => Number.parseFloat(palette(token)) || 0
  return {
    axis: px('axis-w'),
    gap: px('gap-runs'),
    seekMap: px('row-seek'),
    depth: px('row-depth'),
    starved: px('row-starved'),
    rate: px('row-rate'),
    lane: px('row-lane'),
    latency: px('row-heat'),
    overlay: px('row-overlay'),
    percentiles: px('row-percentiles'),
    requestSizes: px('row-sizes'),
    stripes: { share: px('row-stripes-share'), gap: px('row-stripes-gap'), stripe: px('row-stripes') },
    timeAxis: px('time-axis'),
  }
}

/** Token of a run's colour, by its badge: that of its side, so the runs of a group (`A1`, `A2`) have one colour. */
export const runToken = (letter: string): string => `run-${letter.charAt(0).toLowerCase()}`

/** The letters with a dash pattern. */
const DASHES = 'abcdefghijklmnopqrst'

/** Token of a run's dash pattern. Every other pattern, so the runs of two groups differ from each other, too. */
function dashToken(letter: string): string {
  const number = Number(letter.slice(1)) || 1
  const place = DASHES.indexOf(letter.charAt(0).toLowerCase()) + 2 * (number - 1)
  return `run-${DASHES.charAt(place % DASHES.length)}-dash`
}

/** Dash pattern of a run's curve; empty is solid. */
export function runDash(palette: Palette, letter: string): readonly number[] {
  return palette(dashToken(letter)).split(/\s+/).map(Number).filter(Number.isFinite)
}
