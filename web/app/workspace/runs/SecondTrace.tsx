import { useActions } from '../../context'
import { pasteFromClipboard } from '../../usePaste'
import './second-trace.css'

/** How to add a second run, above a single one. */
export function SecondTrace() {
  const actions = useActions()
  return (
    <section className="second-trace" aria-labelledby="second-title">
      <h2 id="second-title">Add a second trace to compare</h2>
      <p>Drop it anywhere on this page: it is drawn next to this one, on the same axes.</p>
      <button type="button" className="button" onClick={() => actions.pickFiles('files')}>
        Open files
      </button>
      <button type="button" className="button" onClick={() => actions.pickFiles('folder')}>
        Open folder
      </button>
      <button type="button" className="button" onClick={() => actions.show({ kind: 'addresses' })}>
        Open URL
      </button>
      <button type="button" className="button" onClick={() => void pasteFromClipboard(actions)}>
        Paste text
      </button>
    </section>
  )
}
