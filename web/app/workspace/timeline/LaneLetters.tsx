/**
 * The letters of the runs next to the timeline. With several runs, dragging a letter or arrow keys on it shift the run
 * in time.
 */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Range } from '../../../engine/protocol'
import { width as rangeWidth } from '../../../state/range'
import { shiftsOf } from '../../../state/runs/align'
import type { Run } from '../../../state/types'
import { useActions } from '../../context'

interface LaneLettersProps {
  readonly runs: readonly Run[]
  readonly extent: Range
  /** Width of the timeline, px: it converts a drag to a time. */
  readonly width: number
  readonly laneH: number
}

export function LaneLetters({ runs, extent, width, laneH }: LaneLettersProps) {
  const actions = useActions()
  /** State of a drag: the shifts of all runs when it began, and ns per px. */
  const drag = useRef<{
    readonly id: string
    readonly x: number
    readonly from: Readonly<Record<string, number>>
    readonly perPx: number
  }>(undefined)
  const base = runs.find(r => r.baseline) ?? runs[0]
  if (runs.length < 2) {
    return (
      <div className="minimap-letters" aria-hidden="true">
        {runs.map(r => (
          <span key={r.id} style={{ height: laneH }}>
            {r.letter}
          </span>
        ))}
      </div>
    )
  }
  const place = (run: Run, shifts: Readonly<Record<string, number>>, offset: number) =>
    actions.shift({ ...shifts, [run.id]: (shifts[run.id] ?? 0) + offset })
  const onKeyDown = (run: Run) => (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    event.stopPropagation()
    place(run, shiftsOf(runs), direction * rangeWidth(extent) * (event.shiftKey ? 0.02 : 0.002))
  }
  const onPointerDown = (run: Run) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = {
      id: run.id,
      x: event.clientX,
      from: shiftsOf(runs),
      perPx: rangeWidth(extent) / Math.max(1, width),
    }
  }
  const onPointerMove = (run: Run) => (event: PointerEvent) => {
    const active = drag.current
    if (active?.id === run.id && event.clientX !== active.x)
      place(run, active.from, (event.clientX - active.x) * active.perPx)
  }
  const end = () => {
    drag.current = undefined
  }
  return (
    <div className="minimap-letters">
      {runs.map(run => {
        const seconds = ((run.shift ?? 0) - (base?.shift ?? 0)) / 1e9
        return (
          <span
            key={run.id}
            style={{ height: laneH }}
            role="slider"
            tabIndex={0}
            aria-label={`Start of ${run.letter}`}
            aria-valuenow={seconds}
            aria-valuetext={`${+seconds.toPrecision(4)} s after ${base?.letter}`}
            title={`Drag to shift ${run.letter} in time`}
            onKeyDown={onKeyDown(run)}
            onPointerDown={onPointerDown(run)}
            onPointerMove={onPointerMove(run)}
            onPointerUp={end}
            onPointerCancel={end}
          >
            {run.letter}
          </span>
        )
      })}
    </div>
  )
}
