/** Colours for canvases, read from the CSS custom properties of the current theme. A theme change repaints without new queries. */
import { useSyncExternalStore } from 'react'

/** A colour by its token's name: `density-1`, `op-read`, `ink`. */
export type Palette = (token: string) => string

export const OP_TOKENS = ['op-read', 'op-write', 'op-discard', 'op-flush'] as const
export const ALIGNMENT_TOKENS = ['al-full', 'al-unit', 'al-inside', 'al-straddle'] as const
export const PROCESS_TOKENS = ['proc-1', 'proc-2', 'proc-3', 'proc-4', 'proc-5', 'proc-other'] as const
export const DENSITY_TOKENS = ['density-1', 'density-2', 'density-3', 'density-4', 'density-5'] as const
/** Ordered layers (size, latency): the density steps, and ink for the sixth. */
export const ORDERED_TOKENS = [...DENSITY_TOKENS, 'ink'] as const
export const SYNC_TOKENS = ['proc-1', 'proc-2', 'proc-3', 'proc-4'] as const

/** The current theme: the chosen one and the system's, as one comparable string. */
function themeNow(): string {
  return `${document.documentElement.dataset.theme ?? ''}/${matchMedia('(prefers-color-scheme: dark)').matches}`
}

function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', changed)
  return () => {
    observer.disconnect()
    system.removeEventListener('change', changed)
  }
}

/** The theme's key: changes exactly when colours do. */
export function useTheme(): string {
  return useSyncExternalStore(watchTheme, themeNow)
}

/** Reads the current values of tokens. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const known = new Map<string, string>()
  return token => {
    const cached = known.get(token)
    if (cached !== undefined) return cached
    const value = style.getPropertyValue(`--${token}`).trim()
    known.set(token, value)
    return value
  }
}

/** Red, green, blue 0..255 of a `#rrggbb` token. */
export function rgbOf(colour: string): readonly [number, number, number] {
  const n = Number.parseInt(colour.slice(1), 16)
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255]
}

const COLOURED = 'ABCDEF'

/** Token of a run's colour; from the seventh on that of the sixth, distinguished by letter and dash. */
export const runToken = (letter: string): string => `run-${COLOURED.includes(letter) ? letter.toLowerCase() : 'f'}`

/** Dash pattern of a run's curve; empty is solid. */
export function runDash(palette: Palette, letter: string): readonly number[] {
  return palette(`${runToken(letter)}-dash`)
    .split(/\s+/)
    .map(Number)
    .filter(Number.isFinite)
}
