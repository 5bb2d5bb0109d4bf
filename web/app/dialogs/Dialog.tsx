import { type ReactNode, useEffect, useId, useRef } from 'react'

export interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  /** A sign before the title: `!` where something is wrong. */
  readonly sign?: ReactNode
  readonly lead?: string
  /** Whether the dialog uses the full width of the page. */
  readonly wide?: boolean
  onClose(): void
}

/** A modal dialog. The browser keeps the focus inside; Esc and a click outside close it. */
export function Dialog({ title, sign, lead, wide, children, onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog?.open) dialog?.showModal()
    // `preventScroll`: a long text starts at its top, although the focused button is at its end.
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true })
    dialog?.scrollTo(0, 0)
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it, by the browser
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onClose={onClose}
      onClick={event => event.target === ref.current && onClose()}
    >
      <div className="dialog-inside">
        <header className="dialog-head">
          {sign && (
            <span className="dialog-sign" aria-hidden="true">
              {sign}
            </span>
          )}
          <div>
            <h2 id={id}>{title}</h2>
            {lead && <p>{lead}</p>}
          </div>
        </header>
        {children}
      </div>
    </dialog>
  )
}

export interface DialogFootProps {
  /** Label of the button that closes. */
  readonly close?: string
  /** Buttons after the one that closes. */
  readonly children?: ReactNode
  onClose(): void
}

/** The buttons of a dialog without a form: the one that closes comes first and has the focus. */
export function DialogFoot({ close = 'Close', children, onClose }: DialogFootProps) {
  return (
    <footer className="dialog-foot">
      <button type="button" className="button primary large" data-first onClick={onClose}>
        {close}
      </button>
      {children}
    </footer>
  )
}
