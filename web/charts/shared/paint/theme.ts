/**
 * Colours for canvases, read from the CSS custom properties of the current theme. A theme change repaints without new
 * queries.
 */
import { useSyncExternalStore } from 'react'
import { inTheme, type Palette } from './palette'

/** Created once, as is what watches it: Chromium keeps every MediaQueryList for a long time. */
let system: MediaQueryList | undefined
const systemTheme = (): MediaQueryList => {
  system ??= matchMedia('(prefers-color-scheme: dark)')
  return system
}

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? systemTheme().matches : theme === 'dark'
}

/** The value of a custom property in the current theme. */
export const resolveColour = (value: string): string => inTheme(value, isDark())

const watchers = new Set<() => void>()
let watching = false

function watchTheme(changed: () => void): () => void {
  watchers.add(changed)
  if (!watching) {
    watching = true
    const tell = () => {
      for (const watcher of watchers) watcher()
    }
    new MutationObserver(tell).observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'style'],
    })
    systemTheme().addEventListener('change', tell)
  }
  return () => {
    watchers.delete(changed)
  }
}

/** Whether the theme is dark; renders again when that changes. */
export function useDarkTheme(): boolean {
  return useSyncExternalStore(watchTheme, isDark)
}

/** The theme and the colours of runs that the page sets; renders again when one of them changes. */
export const useColours = (): string =>
  useSyncExternalStore(watchTheme, () => `${isDark()} ${document.documentElement.style.cssText}`)

/** Reads the current values of tokens. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const colours = new Map<string, string>()
  return token => {
    const cached = colours.get(token)
    if (cached !== undefined) return cached
    const value = resolveColour(style.getPropertyValue(`--${token}`))
    colours.set(token, value)
    return value
  }
}

function watchSize(changed: () => void): () => void {
  addEventListener('resize', changed)
  return () => removeEventListener('resize', changed)
}

/** The height of the seek map, which low windows have less of; renders again when it changes. */
export const useMapHeight = (): string =>
  useSyncExternalStore(watchSize, () => getComputedStyle(document.documentElement).getPropertyValue('--row-seek'))
