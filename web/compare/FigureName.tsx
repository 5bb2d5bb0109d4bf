/** The name of a figure: a click says what it is, and leads to its chart and its definition. */
import { useLayoutEffect, useRef } from 'react'
import { placeInWindow } from '../charts/shared/menu/placeInWindow'
import { usePopup } from '../charts/shared/menu/usePopup'
import { TermText } from '../charts/shared/term/Term'
import { definedAt } from '../lib/docs'
import type { SightChart } from '../state/page'
import { type FigureLead, meaningsOf, placeOf } from './figureCharts'
import './figure-name.css'

/** The charts of the page, as far as a figure leads there. */
export interface FigureCharts {
  /** Whether the page has the chart, or can show it. */
  canShow(chart: SightChart): boolean
  show(chart: SightChart): void
}

interface FigureNameProps {
  readonly figureKey: string
  readonly label: string
  readonly charts: FigureCharts
}

export function FigureName({ figureKey, label, charts }: FigureNameProps) {
  const place = placeOf(figureKey)
  const { open, box, toggle, close, hide } = usePopup<HTMLSpanElement>()
  if (place === undefined) return <TermText text={label} />
  return (
    <span className="figure-name" ref={box}>
      <button type="button" aria-haspopup="dialog" aria-expanded={open} data-term={place.term} onClick={toggle}>
        <TermText text={label} isInControl />
      </button>
      {open && (
        <Definition
          label={label}
          place={place}
          hide={hide}
          show={
            place.chart !== undefined && charts.canShow(place.chart)
              ? chart => {
                  close()
                  charts.show(chart)
                }
              : undefined
          }
        />
      )}
    </span>
  )
}

interface DefinitionProps {
  readonly label: string
  readonly place: FigureLead
  hide(): void
  readonly show: ((chart: SightChart) => void) | undefined
}

/** Lies in the top layer, because tables scroll: it goes along with its name, and closes when that is out of sight. */
function Definition({ label, place: { chart, section, ...place }, hide, show }: DefinitionProps) {
  const popover = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const name = popover.current?.parentElement
    if (!popover.current || !name) return
    const { current } = popover
    const follow = () => {
      const { left, top, bottom } = name.getBoundingClientRect()
      if (bottom < 0 || top > innerHeight) hide()
      else placeInWindow(current, left, bottom + 4)
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (!name.contains(target as Node)) hide()
    }
    current.showPopover()
    follow()
    addEventListener('scroll', follow, true)
    document.addEventListener('focusin', onFocus)
    return () => {
      removeEventListener('scroll', follow, true)
      document.removeEventListener('focusin', onFocus)
    }
  }, [hide])
  return (
    <span ref={popover} className="figure-definition" popover="manual" role="dialog" aria-label={label}>
      {meaningsOf({ section, ...place }, label).map(sentence => (
        <span key={sentence}>{sentence}</span>
      ))}
      <span className="figure-leads">
        {chart !== undefined && show !== undefined && (
          <button type="button" className="link" onClick={() => show(chart)}>
            Show the chart
          </button>
        )}
        <a href={definedAt(section)} target="_blank" rel="noopener">
          Definition
        </a>
      </span>
    </span>
  )
}
