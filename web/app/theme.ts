/** Light or dark: the system's setting until the user chooses. */
import { useCallback, useState } from 'react'
import { storeChoice, storedChoice } from '../state/choice'

export type Theme = 'light' | 'dark'

const KEY = 'seekscope.theme'

function storedTheme(): Theme | undefined {
  const value = storedChoice(KEY)
  return value === 'light' || value === 'dark' ? value : undefined
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
    storeChoice(KEY, next)
    choose(next)
  }, [])
  return { theme, toggle }
}
