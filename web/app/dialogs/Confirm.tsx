/**
 * The button that agrees to what another page or a link wants. In a frame it works once the reader could see the
 * dialog, or in a tab of its own.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { followSight, isFramed, reportsSight } from '../../lib/framed'

export interface ConfirmProps {
  /** What the button does; the one for a new tab adds that. */
  readonly children: ReactNode
  readonly disabled?: boolean
  /** Called when the user confirms; absent: the button submits the form around it. */
  onConfirm?(): void
  /** Asks again in a new tab, which no other page can cover. */
  onNewTab(): void
}

export function Confirm({ children, disabled = false, onConfirm, onNewTab }: ConfirmProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isVisible, setVisible] = useState(!isFramed())
  useEffect(() => {
    const dialog = button.current?.closest('dialog')
    return dialog && isFramed() ? followSight(dialog, setVisible) : undefined
  }, [])
  return (
    <>
      {(!isFramed() || reportsSight()) && (
        <button
          ref={button}
          type={onConfirm ? 'button' : 'submit'}
          className="button primary large"
          disabled={disabled || !isVisible}
          title={isVisible ? undefined : 'Available once this dialog was visible for half a second'}
          onClick={onConfirm}
        >
          {children}
        </button>
      )}
      {isFramed() && (
        <button type="button" className="button large" disabled={disabled} onClick={onNewTab}>
          {children} in a new tab
        </button>
      )}
    </>
  )
}
