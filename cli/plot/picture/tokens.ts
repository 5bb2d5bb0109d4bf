/** Colours and sizes of the page's tokens, for pictures without a page. */
import css from '../../../web/app/tokens.css?raw'
import { inTheme, type Palette } from '../../../web/charts/shared/paint/palette'

/** The first value of a token counts: later ones are of narrow screens. */
export function paletteOf(dark: boolean): Palette {
  const values = new Map<string, string>()
  for (const [, name = '', value = ''] of css.matchAll(/--([\w-]+):\s*([^;]+);/g))
    if (!values.has(name)) values.set(name, inTheme(value, dark))
  return token => {
    const value = values.get(token)
    if (value === undefined) throw new Error(`there is no token ${token}`)
    return value
  }
}
