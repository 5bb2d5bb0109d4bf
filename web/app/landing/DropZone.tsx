import { counted } from '../../lib/format'
import { useActions, usePage } from '../context'
import { MISSING_REMEDY, type MissingViews, missingTitle } from '../shared/missing'
import { unpackingWords } from '../shared/unpacking'
import { pasteFromClipboard } from '../usePaste'

/** Formats that the engine reads, as the landing page names them. */
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
  'tar, zip, gzip, bzip2, xz, zstd, mails of these',
]

const titleOf = (dragged: number | undefined): string =>
  dragged === undefined
    ? 'Drop traces anywhere on this page'
    : dragged === 0
      ? 'Release to open'
      : `Release to open ${counted(dragged, 'item')}`

export interface DropZoneProps {
  /** Number of items that are being dragged over the page. */
  readonly dragged: number | undefined
  /** Set when something is open that cannot be shown yet. */
  readonly missing: MissingViews | undefined
}

/** Where to drop, though drops work anywhere on the page. */
export function DropZone({ dragged, missing }: DropZoneProps) {
  const actions = useActions()
  const { pickFiles, stop } = actions
  const sorting = usePage(p => p.sorting)
  const unpacking = usePage(p => p.unpacking)
  const state = missing?.failed ? 'failed' : sorting || missing ? 'busy' : 'ready'
  return (
    <section className="drop-zone" data-dragged={dragged !== undefined} data-state={state} aria-labelledby="drop-title">
      <div>
        <h2 id="drop-title" aria-live="polite">
          {unpacking
            ? unpackingWords(unpacking)
            : sorting
              ? 'Inspecting files…'
              : missing
                ? missingTitle(missing)
                : titleOf(dragged)}
        </h2>
        <p>
          {missing?.failed
            ? `What you opened is kept. ${MISSING_REMEDY}`
            : dragged === undefined
              ? 'Two or more to compare, or one to explore. Folders work too; files of one trace are grouped automatically.'
              : 'Files are read locally, in this browser. Names and contents are visible only after the drop.'}
        </p>
        {dragged === undefined && !missing?.failed && (
          <p>
            Mails, tables and outputs of benchmarks (fio, dd, sysbench, iostat, btt, …) open, too: their results are
            compared without a trace.
          </p>
        )}
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
        ) : missing ? (
          <>
            {missing.failed && (
              <button type="button" className="button primary large" onClick={missing.retry}>
                Retry
              </button>
            )}
            <button type="button" className="button large" onClick={actions.removeAll}>
              Cancel
            </button>
          </>
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
