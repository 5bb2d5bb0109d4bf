/** Styles of a part that is fetched when it is needed: the stylesheet of the page is for what is shown first. */
import { useLayoutEffect } from 'react'

export function useStyles(text: string): void {
  useLayoutEffect(() => {
    // As an object, not as an element: the policy of the page allows no inline styles.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== sheet)
    }
  }, [text])
}
