/** Light or dark: the system's setting until the user chooses. The choice is stored where the browser allows it. */
import { useCallback, useState } from 'react'

export type Theme = 'light' | 'dark'

const KEY = 'seekscope.theme'

function storedTheme(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : undefined
  } catch {
    return undefined // storage is blocked: use the system's setting
  }
}

function storeTheme(theme: Theme) {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    return // storage is blocked: the choice lasts until the page is closed
  }
}

const systemTheme = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

/**
 * Sets the theme on the root element. Called before the first paint, so that the page does not flash in the other
 * theme.
 */
export function applyTheme(theme: Theme | undefined = storedTheme()): void {
  if (theme) document.documentElement.dataset.theme = theme
}

export function useTheme(): { readonly theme: Theme; toggle(): void } {
  const [choice, choose] = useState(storedTheme)
  const theme = choice ?? systemTheme()
  const toggle = useCallback(() => {
    const next = (storedTheme() ?? systemTheme()) === 'dark' ? 'light' : 'dark'
    applyTheme(next)
    storeTheme(next)
    choose(next)
  }, [])
  return { theme, toggle }
}
