/** Light or dark: the system's setting until the user chooses. The choice is stored where the browser allows it. */
import { useCallback, useState } from 'react'

export type Theme = 'light' | 'dark'

const KEY = 'seekscope.theme'

function remembered(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : undefined
  } catch {
    return undefined // storage is blocked: use the system's setting
  }
}

function remember(theme: Theme) {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    return // storage is blocked: the choice lasts until the page is closed
  }
}

const system = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

/** Before the first paint. */
export function applyTheme(theme: Theme | undefined = remembered()): void {
  if (theme) document.documentElement.dataset.theme = theme
}

export function useTheme(): { readonly theme: Theme; toggle(): void } {
  const [chosen, choose] = useState(remembered)
  const theme = chosen ?? system()
  const toggle = useCallback(() => {
    const next = (remembered() ?? system()) === 'dark' ? 'light' : 'dark'
    applyTheme(next)
    remember(next)
    choose(next)
  }, [])
  return { theme, toggle }
}
