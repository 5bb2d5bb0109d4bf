import { useCallback, useEffect, useState } from 'react'
import { copyText } from './files'

const SHOWN_MS = 2000

/** A promise for text that is made on request. */
export type CopiedText = string | Promise<string>

/** Copies text to the clipboard. The notice of success or failure is `undefined` before and 2 s after. */
export function useCopy(): readonly [notice: string | undefined, copy: (text: CopiedText) => Promise<void>] {
  const [notice, setNotice] = useState<string>()
  useEffect(() => {
    if (notice === undefined) return
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const copy = useCallback(async (text: CopiedText) => {
    try {
      setNotice((await copyText(await text)) ? 'Copied' : 'Clipboard blocked. Select and copy manually.')
    } catch {
      setNotice('Copy failed')
    }
  }, [])
  return [notice, copy]
}
