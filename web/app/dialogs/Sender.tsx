/** Another page hands over files: opened only when the reader says so. */
import { counted, size } from '../../lib/format'
import type { Dialog as Open } from '../../state/page'
import { useActions } from '../context'
import { Dialog } from './Dialog'
import './addresses.css'

const MOST_NAMED = 20

export function Sender({ dialog }: { readonly dialog: Extract<Open, { kind: 'sender' }> }) {
  const { close, consent } = useActions()
  const { id, origin, names, bytes, replaces } = dialog
  const replaced = replaces > 0 ? ` They take the place of the ${counted(replaces, 'run')} shown now.` : ''
  return (
    <Dialog
      title={`Open ${counted(names.length, 'file')} from ${new URL(origin).host}?`}
      lead={`The page at ${origin} hands over ${counted(names.length, 'file')} (${size(bytes)}) and is told which runs were opened; it sees nothing else of this page.${replaced}`}
      onClose={close}
    >
      <ul className="addresses-hosts">
        <li>
          <ul>
            {names.slice(0, MOST_NAMED).map((name, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names need not differ, and the list does not change
              <li key={i} className="mono">
                {name}
              </li>
            ))}
            {names.length > MOST_NAMED && <li>{counted(names.length - MOST_NAMED, 'more file')}</li>}
          </ul>
        </li>
      </ul>
      <p className="caption">If you agree, you are not asked about {new URL(origin).host} again until this page is closed or loaded anew.</p>
      <footer className="dialog-foot">
        <button type="button" className="button primary large" onClick={() => consent(id)}>
          Open
        </button>
        <button type="button" className="button large" data-first onClick={close}>
          Not now
        </button>
      </footer>
    </Dialog>
  )
}
