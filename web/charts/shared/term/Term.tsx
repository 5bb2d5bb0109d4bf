/** Words that explain themselves: a dotted underline, and a sentence on hover and focus. */
import { useEffect, useRef } from 'react'
import { splitAtTerms, termOf } from './terms'
import './term.css'

interface TermTextProps {
  readonly text: string
  /** Whether it is inside a control, which must have no further stop for the Tab key. */
  readonly isInControl?: boolean
}

/** A text whose terms are explained. */
export function TermText({ text, isInControl = false }: TermTextProps) {
  return splitAtTerms(text).map(part =>
    typeof part === 'string' ? (
      part
    ) : (
      <span key={part.word} className="term" data-term={part.term.name} {...(!isInControl && { tabIndex: 0 })}>
        {part.word}
      </span>
    ),
  )
}

/** Least distance from the edges of the window, px. */
const EDGE = 8
const ID = 'term-tip'

/** Below an element, or above it where there is no room. */
function placeBeside({ offsetWidth, offsetHeight, style }: HTMLElement, element: Element) {
  const { left, bottom, top } = element.getBoundingClientRect()
  const below = bottom + 6
  style.left = `${Math.max(EDGE, Math.min(left, innerWidth - offsetWidth - EDGE))}px`
  style.top = `${below + offsetHeight > innerHeight - EDGE ? top - offsetHeight - 6 : below}px`
}

/**
 * Shows the sentence of the term under the pointer or with the focus. One element for the page: terms are in tables and
 * lists that are drawn often, and in boxes that would clip it.
 */
export function TermTip() {
  const tip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let shown: Element | undefined
    const hide = () => {
      shown?.removeAttribute('aria-describedby')
      shown = undefined
      if (tip.current?.matches(':popover-open')) tip.current.hidePopover()
    }
    const show = (element: Element) => {
      const meaning = termOf(element.getAttribute('data-term') ?? '')?.meaning
      if (!tip.current || meaning === undefined || element === shown) return
      hide()
      shown = element
      element.setAttribute('aria-describedby', ID)
      tip.current.textContent = meaning
      tip.current.showPopover()
      placeBeside(tip.current, element)
    }
    // The Tab key may scroll to what it gives the focus: its sentence goes along.
    const onScroll = () => {
      if (tip.current && shown && shown === document.activeElement) placeBeside(tip.current, shown)
      else hide()
    }
    const onEnter = (event: Event) => {
      const element = event.target instanceof Element ? event.target.closest('[data-term]') : null
      if (element) show(element)
      else hide()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || shown === undefined) return
      event.preventDefault()
      hide()
    }
    // A press of a control shows something else than the sentence of its term.
    const onClick = (event: Event) => event.target instanceof Element && event.target.closest('button') && hide()
    document.addEventListener('click', onClick, true)
    document.addEventListener('pointerover', onEnter)
    document.addEventListener('focusin', onEnter)
    document.addEventListener('focusout', hide)
    document.addEventListener('scroll', onScroll, true)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('click', onClick, true)
      document.removeEventListener('pointerover', onEnter)
      document.removeEventListener('focusin', onEnter)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('scroll', onScroll, true)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])
  return <div ref={tip} id={ID} role="tooltip" popover="manual" className="term-tip" />
}
