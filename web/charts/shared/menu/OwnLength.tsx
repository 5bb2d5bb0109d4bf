/**
 * The buttons that draw each run over its own length and on one scale again. Each gives way to the other, with the
 * focus.
 */
import { flushSync } from 'react-dom'
import type { ChartFrame } from '../answers/shown'

function changeLengths({ actions }: Pick<ChartFrame, 'actions'>, enabled: boolean): void {
  flushSync(() => actions.setOwnLengths(enabled))
  document
    .querySelector<HTMLElement>(`[data-lengths="${enabled ? 'one-scale' : 'own'}"]`)
    ?.focus({ preventScroll: true })
}

export function StretchButton({ frame, letter }: { readonly frame: ChartFrame; readonly letter: string }) {
  return (
    <button type="button" className="link" data-lengths="own" onClick={() => changeLengths(frame, true)}>
      Stretch {letter} to its own length
    </button>
  )
}

export function OneScaleButton({ frame }: { readonly frame: ChartFrame }) {
  return (
    <button
      type="button"
      data-lengths="one-scale"
      title="Each run is drawn over its own length"
      onClick={() => changeLengths(frame, false)}
    >
      One scale
    </button>
  )
}
