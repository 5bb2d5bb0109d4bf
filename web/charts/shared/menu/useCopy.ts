import { useCallback, useEffect, useState } from 'react'
import { copyPng, copyText } from './files'

const SHOWN_MS = 2000
const COPIED = 'Copied'

/** A promise for text that is made on request. */
type CopiedText = string | Promise<string>

interface Copying {
  /** Whether it worked: absent before, and 2 s after. */
  readonly notice: string | undefined
  copy(text: CopiedText): Promise<void>
  copyPicture(picture: Promise<Blob>): Promise<void>
}

const BLOCKED = 'Clipboard blocked.'

/** Copies text and pictures to the clipboard. */
export function useCopy(): Copying {
  const [notice, setNotice] = useState<string>()
  useEffect(() => {
    if (notice === undefined) return
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const copy = useCallback(async (text: CopiedText) => {
    try {
      setNotice((await copyText(await text)) ? COPIED : `${BLOCKED} Select and copy manually.`)
    } catch {
      setNotice('Copy failed')
    }
  }, [])
  const copyPicture = useCallback(async (picture: Promise<Blob>) => {
    setNotice((await copyPng(picture)) ? COPIED : `${BLOCKED} Save the picture instead.`)
  }, [])
  return { notice, copy, copyPicture }
}
