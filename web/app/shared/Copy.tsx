import { useEffect, useState } from 'react'

const SHOWN_MS = 2000

/** Puts a text on the clipboard and says so; says also when the browser refuses. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [said, say] = useState<string>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => say(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      say('Copied')
    } catch {
      say('Not allowed: select and copy')
    }
  }
  return (
    <button type="button" className="button copy" onClick={copy}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}
