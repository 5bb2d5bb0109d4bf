import { useActions } from '../../context'

/** How to add a second run; shown next to a single one. */
export function SecondTrace() {
  const actions = useActions()
  return (
    <section className="second-trace" aria-labelledby="second-title">
      <h2 id="second-title">Drop a second trace here</h2>
      <p>It is drawn next to this one, on the same axes, and the differences are listed above.</p>
      <div>
        <button type="button" className="button primary large" onClick={() => actions.pickFiles('files')}>
          Open files
        </button>
        <button type="button" className="button large" onClick={() => actions.pickFiles('folder')}>
          Open folder
        </button>
        <button type="button" className="button large" onClick={() => actions.show({ kind: 'addresses' })}>
          Open URL
        </button>
      </div>
    </section>
  )
}
