import { type ReactNode, useEffect, useId, useRef } from 'react'

export interface DialogProps {
  readonly title: string
  readonly children: ReactNode
  /** Before the title: `!` where something is wrong. */
  readonly sign?: ReactNode
  readonly lead?: string
  /** As wide as the page allows. */
  readonly wide?: boolean
  onClose(): void
}

/** A window above the page. The browser keeps the focus inside; Esc and a click beside it close it. */
export function Dialog({ title, sign, lead, wide, children, onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog?.open) dialog?.showModal()
    // A long text is read from its beginning, wherever its button is.
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
  /** On the button that closes. */
  readonly close?: string
  /** What else can be done. */
  readonly children?: ReactNode
  onClose(): void
}

/** The last line of a dialog that is read: the button that closes it comes first and has the focus. */
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
