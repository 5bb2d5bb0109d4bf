import { counted } from '../../../lib/format'
import { useKeeper } from '../../useKeeper'
import { Dialog } from '../Dialog'
import './restore.css'

/** Maximum number of names that are listed. */
const MAX_NAMES = 10

/** Dropped files and folders of a kept comparison: the browser asks once more before it opens them. */
export function Restore({ names }: { readonly names: readonly string[] }) {
  const keeper = useKeeper()
  if (!keeper) return undefined
  const more = names.length - MAX_NAMES
  return (
    <Dialog
      title="Open the files again?"
      lead="They are still on your disk. The browser asks for your permission before this page can read them."
      onClose={keeper.decline}
    >
      <ul className="restore-names mono">
        {names.slice(0, MAX_NAMES).map((name, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names can be equal, and the list does not change
          <li key={i}>{name}</li>
        ))}
        {more > 0 && <li>and {counted(more, 'more file')}</li>}
      </ul>
      <footer className="dialog-foot">
        <button type="button" className="button primary large" data-first onClick={() => void keeper.allow()}>
          Open again
        </button>
        <button type="button" className="button large" onClick={keeper.decline}>
          Cancel
        </button>
      </footer>
    </Dialog>
  )
}
