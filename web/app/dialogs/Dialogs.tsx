import type { ComponentType } from 'react'
import type { Dialog as DialogState } from '../../state/page'
import { useActions, usePage } from '../context'
import { MISSING_REMEDY, type MissingViews, missingTitle } from '../shared/missing'
import { Dialog, DialogFoot } from './Dialog'
import './dialogs.css'

export interface DialogsProps {
  /** Component of the dialog's contents; absent until its script was loaded. */
  readonly OpenDialog: ComponentType<{ readonly dialog: DialogState }> | undefined
  readonly missing: MissingViews
}

/** Renders the open dialog, or why its script is missing. */
export function Dialogs({ OpenDialog, missing }: DialogsProps) {
  const dialog = usePage(p => p.dialog)
  return (
    dialog && (
      <div data-dialog={dialog.kind}>
        {OpenDialog ? <OpenDialog key={JSON.stringify(dialog)} dialog={dialog} /> : <MissingDialog {...missing} />}
      </div>
    )
  )
}

function MissingDialog(missing: MissingViews) {
  const { close } = useActions()
  return (
    <Dialog title={missingTitle(missing)} sign={missing.failed && '!'} onClose={close}>
      {missing.failed && <p>{MISSING_REMEDY}</p>}
      <DialogFoot onClose={close}>
        {missing.failed && (
          <button type="button" className="button large" onClick={missing.retry}>
            Retry
          </button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
