/** Cursor, readout and preview of one plot. Updated through the DOM: nothing here renders while the pointer moves. */
import { useEffect, useRef } from 'react'
import { duration } from '../../../lib/format'
import type { ChartFrame } from '../answers/shown'
import { xOf } from '../paint/viewport'

export interface PlotOverlayProps {
  readonly frame: ChartFrame
  readonly plot: string
  /** The values of the plot at a time, in words. */
  readonly readout: ((t: number) => string | undefined) | undefined
  /** Also shows the commit button of a drag in the timeline. */
  readonly first: boolean
}

export function PlotOverlay({ frame, plot, readout, first }: PlotOverlayProps) {
  const line = useRef<HTMLDivElement>(null)
  const words = useRef<HTMLDivElement>(null)
  const preview = useRef<HTMLDivElement>(null)
  const commit = useRef<HTMLButtonElement>(null)
  const { live, plotWidth, actions } = frame
  const { range } = frame.view

  useEffect(() => {
    const x = xOf(range, plotWidth)
    return live.watch(state => {
      if (!line.current || !words.current || !preview.current || !commit.current) return
      const cursorX = state.cursor === undefined ? -1 : x(state.cursor)
      const inside = cursorX >= 0 && cursorX <= plotWidth
      line.current.hidden = !inside
      if (inside) line.current.style.transform = `translateX(${cursorX.toFixed(1)}px)`
      const reading = inside && state.cursor !== undefined ? readout?.(state.cursor) : undefined
      words.current.hidden = reading === undefined
      if (reading !== undefined) {
        words.current.textContent = reading
        const isAtEnd = cursorX + 8 + reading.length * 6.6 > plotWidth
        words.current.style.transform = isAtEnd
          ? `translateX(${cursorX - 6}px) translateX(-100%)`
          : `translateX(${cursorX + 6}px)`
      }
      const drag = state.preview
      preview.current.hidden = drag === undefined
      if (drag === undefined) return
      const [x0, x1] = [Math.max(0, Math.min(plotWidth, x(drag.t0))), Math.max(0, Math.min(plotWidth, x(drag.t1)))]
      preview.current.style.setProperty('--x0', `${x0.toFixed(1)}px`)
      preview.current.style.setProperty('--x1', `${x1.toFixed(1)}px`)
      preview.current.dataset.handles = String(x(drag.t0) >= 0 && x(drag.t1) <= plotWidth)
      commit.current.hidden = !(state.origin === plot || (state.origin === undefined && first))
      commit.current.textContent = `Zoom to ${duration(drag.t1 - drag.t0)}`
      commit.current.style.left = `${Math.min(Math.max((x0 + x1) / 2, 62), plotWidth - 62)}px`
    })
  }, [live, range, plotWidth, readout, plot, first])

  return (
    <div className="plot-over">
      <div ref={preview} className="plot-preview" hidden>
        <div className="plot-veil plot-veil-left" />
        <div className="plot-veil plot-veil-right" />
        <div className="plot-range" />
        <div className="plot-handle plot-handle-left" />
        <div className="plot-handle plot-handle-right" />
        <button
          ref={commit}
          type="button"
          className="plot-commit"
          tabIndex={-1}
          onClick={() => actions.commit(live.get().preview)}
        />
      </div>
      <div ref={line} className="plot-cursor" hidden />
      <div ref={words} className="plot-readout" hidden />
    </div>
  )
}
