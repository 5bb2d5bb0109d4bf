import { counted } from '../../lib/format'
import { useActions, usePage } from '../context'
import { unpackingWords } from '../shared/unpacking'
import { pasteFromClipboard } from '../usePaste'

/** Formats that the engine reads. */
const FORMATS = [
  '.blktrace.N per CPU',
  'blkparse text or -d dump',
  'ftrace text',
  'trace.dat',
  'perf.data',
  'trace-cmd report',
  'perf script',
  'biosnoop',
  'fio logs',
  'tar, zip, gzip, bzip2, xz, zstd of these',
]

/** Where to drop, though drops work anywhere on the page. `dragged`: number of items being dragged. */
export function DropZone({ dragged, sorting }: { dragged: number | undefined; sorting: boolean }) {
  const actions = useActions()
  const { pickFiles, stop } = actions
  const unpacking = usePage(p => p.unpacking)
  const title =
    dragged === undefined ? 'Drop traces anywhere on this page' : dragged === 0 ? 'Release to open' : `Release to open ${counted(dragged, 'item')}`
  return (
    <section className="drop-zone" data-dragged={dragged !== undefined} aria-labelledby="drop-title">
      <div>
        <h2 id="drop-title" aria-live="polite">
          {unpacking ? unpackingWords(unpacking) : sorting ? 'Inspecting files…' : title}
        </h2>
        <p>
          {dragged === undefined
            ? 'Two or more to compare, or one to explore. Folders work too; files of one trace are grouped automatically.'
            : 'Files are read locally, in this browser. Names and contents are visible only after the drop.'}
        </p>
        <ul className="formats" aria-label="Supported formats">
          {FORMATS.map(f => (
            <li key={f}>{f}</li>
          ))}
        </ul>
      </div>
      <div className="drop-buttons">
        {sorting ? (
          <button type="button" className="button large" onClick={stop}>
            Cancel
          </button>
        ) : (
          <>
            <button type="button" className="button primary large" onClick={() => pickFiles('files')}>
              Open files <kbd>O</kbd>
            </button>
            <button type="button" className="button large" onClick={() => pickFiles('folder')}>
              Open folder
            </button>
            <button type="button" className="button large" onClick={() => actions.show({ kind: 'addresses' })}>
              Open URL
            </button>
            <button type="button" className="button large" onClick={() => void pasteFromClipboard(actions)}>
              Paste
            </button>
          </>
        )}
      </div>
    </section>
  )
}
