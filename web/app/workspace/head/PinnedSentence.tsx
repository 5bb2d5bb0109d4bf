import { type ReactNode, type RefObject, useEffect, useState } from 'react'

interface PinnedSentenceProps {
  readonly bar: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/**
 * Keeps the sentence in sight while the page below it is scrolled. It lies over the page, so nothing moves when it
 * appears. It repeats the sentence of the bar, so screen readers skip it.
 */
export function PinnedSentence({ bar, children }: PinnedSentenceProps) {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const { current } = bar
    const scroller = current?.closest('.body')
    if (!current || !scroller) return
    const observer = new IntersectionObserver(
      ([entry]) => entry && setAway(entry.boundingClientRect.bottom <= (entry.rootBounds?.top ?? 0)),
      { root: scroller },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [bar])
  return (
    <div className="pinned-sentence" aria-hidden="true">
      {isAway && <p>{children}</p>}
    </div>
  )
}
