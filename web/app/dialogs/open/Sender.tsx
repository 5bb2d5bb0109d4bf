/** Another page wants to open files here: asks the user first. */
import { counted, size } from '../../../lib/format'
import type { Dialog as Open } from '../../../state/page'
import { useActions } from '../../context'
import { Confirm } from '../Confirm'
import { Dialog } from '../Dialog'
import './addresses.css'

const MAX_NAMED = 20

export function Sender({ dialog }: { readonly dialog: Extract<Open, { kind: 'sender' }> }) {
  const { close, consent } = useActions()
  const { id, origin, names, bytes, replaces } = dialog
  const files = counted(names.length, 'file')
  const lead = [
    `${origin} wants to open ${files} (${size(bytes)}) and will learn which runs were opened.`,
    'It cannot see anything else on this page.',
    ...(replaces > 0 ? [`They replace the ${counted(replaces, 'run')} open now.`] : []),
  ].join(' ')
  return (
    <Dialog title={`Open ${files} from ${new URL(origin).host}?`} lead={lead} onClose={close}>
      <ul className="addresses-hosts">
        <li>
          <ul>
            {names.slice(0, MAX_NAMED).map((name, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list does not change
              <li key={i} className="mono">
                {name}
              </li>
            ))}
            {names.length > MAX_NAMED && <li>{counted(names.length - MAX_NAMED, 'more file')}</li>}
          </ul>
        </li>
      </ul>
      <p className="caption">
        If you open them, {new URL(origin).host} can open more files until you close or reload this page. You are asked
        again before they replace anything of yours.
      </p>
      <footer className="dialog-foot">
        <Confirm onConfirm={() => consent(id, 'here')} onNewTab={() => consent(id, 'tab')}>
          Open
        </Confirm>
        <button type="button" className="button large" data-first onClick={close}>
          Cancel
        </button>
      </footer>
    </Dialog>
  )
}
