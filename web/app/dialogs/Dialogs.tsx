import { type ComponentType, useState } from 'react'
import type { Dialog as DialogState } from '../../state/page'
import { useActions, usePage } from '../context'
import { MISSING_REMEDY, type MissingViews, missingTitle } from '../shared/missing'
import { Dialog, DialogFoot } from './Dialog'
import './dialogs.css'
import { FIND_LABEL, type FindEntry, NO_ENTRY } from './find/findEntry'

export interface OpenDialogProps {
  readonly dialog: DialogState
  /** What was typed into `Find` before its script was there. */
  readonly findEntry: FindEntry
}

export interface DialogsProps {
  /** Component of the dialog's contents; absent until its script was loaded. */
  readonly OpenDialog: ComponentType<OpenDialogProps> | undefined
  readonly missing: MissingViews
}

/** Renders the open dialog, or why its script is missing. */
export function Dialogs(props: DialogsProps) {
  const dialog = usePage(p => p.dialog)
  return dialog && <OneDialog key={JSON.stringify(dialog)} dialog={dialog} {...props} />
}

function OneDialog({ dialog, OpenDialog, missing }: DialogsProps & { readonly dialog: DialogState }) {
  const [findEntry, setFindEntry] = useState(NO_ENTRY)
  const missingFind = dialog.kind === 'find' && { entry: findEntry, onChange: setFindEntry }
  return (
    <div data-dialog={dialog.kind}>
      {OpenDialog ? (
        <OpenDialog dialog={dialog} findEntry={findEntry} />
      ) : (
        <MissingDialog {...missing} find={missingFind || undefined} />
      )}
    </div>
  )
}

interface MissingFind {
  readonly entry: FindEntry
  onChange(entry: FindEntry): void
}

function MissingDialog({ find, ...missing }: MissingViews & { readonly find: MissingFind | undefined }) {
  const { close } = useActions()
  return (
    <Dialog title={missingTitle(missing)} sign={missing.failed && '!'} onClose={close}>
      {find && <MissingFindField {...find} />}
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

/** Takes what is typed right after `Ctrl K`: without a field a space would press the button that closes. */
function MissingFindField({ entry, onChange }: MissingFind) {
  return (
    <input
      className="field"
      data-first
      type="text"
      aria-label={FIND_LABEL}
      autoComplete="off"
      spellCheck={false}
      readOnly={entry.isSubmitted}
      value={entry.query}
      onChange={event => onChange({ ...entry, query: event.target.value })}
      onKeyDown={event => event.key === 'Enter' && onChange({ ...entry, isSubmitted: true })}
    />
  )
}
