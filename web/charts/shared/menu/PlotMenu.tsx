/** The menu at the pointer of a chart: what is there first, then what can be done with the chart. */
import { createContext, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type ActingChart, type ChartActions, useChartActions } from './chartActions'
import { type MenuItem, MenuList } from './MenuList'
import { placeInWindow } from './placeInWindow'

/** A place of the window, and what a menu there has beside the actions of the chart. */
export interface MenuPlace {
  readonly x: number
  readonly y: number
  readonly items: readonly MenuItem[]
  /** Gets the focus when the menu closes. */
  readonly origin?: HTMLElement | null
}

/** Opens the menu of the chart around a plot. */
export const PlotMenuContext = createContext<(place: MenuPlace) => void>(() => undefined)

/** Drawings that are not a plot, such as bars. Everything else has the browser's own menu: texts are selected there. */
const DRAWINGS = 'canvas, svg, [role=img]'

interface PlotMenuProps extends ActingChart {
  readonly section: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

export function PlotMenu({ children, ...chart }: PlotMenuProps) {
  const [place, setPlace] = useState<MenuPlace>()
  // Stays where the menu was, for the notice of what it did.
  const last = useRef(place)
  if (place) last.current = place
  const actions = useChartActions(chart)
  const { section } = chart
  useEffect(() => {
    const element = section.current
    if (element === null) return
    // Plots come first: their listeners prevent the browser's menu.
    const onMenu = (event: MouseEvent) => {
      const { target, clientX: x, clientY: y } = event
      if (event.defaultPrevented || event.shiftKey) return
      if (!(target instanceof Element) || target.closest('button, a') || !target.closest(DRAWINGS)) return
      event.preventDefault()
      setPlace({ x, y, items: [] })
    }
    element.addEventListener('contextmenu', onMenu)
    return () => element.removeEventListener('contextmenu', onMenu)
  }, [section])
  const hide = useCallback(() => setPlace(undefined), [])
  return (
    <PlotMenuContext value={setPlace}>
      {children}
      {place && (
        <MenuAt
          key={`${place.x} ${place.y}`}
          label={`${chart.title}: menu`}
          place={place}
          actions={actions}
          hide={hide}
        />
      )}
      {actions.notice !== undefined && last.current && <Notice place={last.current} text={actions.notice} />}
    </PlotMenuContext>
  )
}

function chartItems({ picture, copyCsv }: ChartActions): readonly MenuItem[] {
  if (picture === undefined) return [copyCsv]
  const saved = ({ label, run }: ChartActions['saveCsv']): MenuItem => ({ label: `Save as ${label}`, run })
  return [picture.copy, saved(picture.savePng), saved(picture.saveSvg), copyCsv]
}

interface MenuAtProps {
  readonly label: string
  readonly place: MenuPlace
  readonly actions: ChartActions
  hide(): void
}

function MenuAt({ label, place: { x, y, items, origin }, actions, hide }: MenuAtProps) {
  const box = useRef<HTMLDivElement>(null)
  const close = useCallback(() => {
    hide()
    origin?.focus({ preventScroll: true })
  }, [hide, origin])
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) hide()
    }
    // In the capture phase: Esc must not reach the page, where it steps out of the range.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    }
    const controller = new AbortController()
    const { signal } = controller
    document.addEventListener('pointerdown', onPress, { signal })
    document.addEventListener('keydown', onKey, { capture: true, signal })
    addEventListener('scroll', hide, { capture: true, signal })
    addEventListener('resize', hide, { signal })
    addEventListener('blur', hide, { signal })
    return () => controller.abort()
  }, [close, hide])
  const chart = chartItems(actions).map((item, i) => (i === 0 && items.length > 0 ? { ...item, isApart: true } : item))
  return (
    <div ref={box} className="menu">
      <MenuList
        label={label}
        items={[...items, ...chart]}
        place={list => placeInWindow(list, x, y)}
        close={close}
        hide={hide}
      />
    </div>
  )
}

function Notice({ place: { x, y }, text }: { readonly place: MenuPlace; readonly text: string }) {
  const box = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!box.current) return
    box.current.showPopover()
    placeInWindow(box.current, x, y)
  }, [x, y])
  return (
    <p ref={box} className="menu-notice" role="status" popover="manual">
      {text}
    </p>
  )
}
