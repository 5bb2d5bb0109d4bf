import { useCallback, useEffect, useState } from 'react'
import { copyText } from './files'

const SHOWN_MS = 2000

/** Copies text to the clipboard. The notice of success or failure is `undefined` before and 2 s after. */
export function useCopy(): readonly [notice: string | undefined, copy: (text: string) => Promise<void>] {
  const [notice, setNotice] = useState<string>()
  useEffect(() => {
    if (notice === undefined) return
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const copy = useCallback(async (text: string) => setNotice((await copyText(text)) ? 'Copied' : 'Clipboard blocked. Select and copy manually.'), [])
  return [notice, copy]
}
