/** The report of a bisection, and the comparison of its two sides. */
import { bisectionTooLarge, MAX_BISECTION_BYTES, readBisection } from '../../bisect/document'
import { sideDigests } from '../../bisect/sides'
import { asEngineError } from '../../engine/errors'
import type { EngineError } from '../../engine/protocol'
import type { FoundFile } from '../../ingest/found'
import { EMPTY_PAGE, type PageBisection } from '../../state/page'
import type { Session } from '../session'
import { openStored } from './stored'

const SEVERAL: EngineError = {
  code: 'several-bisections',
  message: 'These files are reports of several bisections.',
  remedy: 'Open one of them at a time.',
}

async function readFile({ name, blob, source }: FoundFile): Promise<PageBisection> {
  if (blob.size > MAX_BISECTION_BYTES) throw bisectionTooLarge(name, blob.size)
  const text = await blob.text().catch(reason => {
    throw asEngineError(reason, 'unreadable-file')
  })
  return { document: readBisection(text, name), name, ...(source && { urls: [source] }) }
}

/** Opens a report; everything else that is open is closed. `text`: its view, as in a link. */
export async function openBisection(session: Session, files: readonly FoundFile[], text = ''): Promise<void> {
  const { store, update, cancelAll } = session
  const [file] = files
  if (!file) return
  try {
    if (files.length > 1) throw SEVERAL
    const bisection = await readFile(file)
    cancelAll()
    store.getState().fleet?.client.close()
    store.setState(({ linkProblems }) => ({ ...EMPTY_PAGE, linkProblems, bisection }), true)
    const rows = new URLSearchParams(text).get('compare')?.split(',').map(Number) ?? []
    if (rows.length > 0) await openSides(session, rows)
  } catch (reason) {
    const title = files.length === 1 ? `${file.name} could not be opened` : 'The bisections could not be opened'
    update(page => ({ ...page, sorting: false, dialog: { kind: 'errors', title, errors: [asEngineError(reason)] } }))
  }
}

/** Opens runs of the two sides, by their numbers among the digests: those of the good commit come first. */
export async function openSides(session: Session, rows: readonly number[]): Promise<void> {
  const { store, update } = session
  const { bisection } = store.getState()
  if (!bisection) return
  const digests = sideDigests(bisection.document)
  const chosen = rows.flatMap(row => {
    const text = digests[row]
    return text === undefined ? [] : [{ row, text }]
  })
  if (chosen.length === 0) return
  try {
    await openStored(session, {
      texts: chosen.map(({ text }) => text),
      devs: [],
      origins: chosen.map(({ row }) => ({ row })),
    })
  } catch (reason) {
    const title = 'The two commits could not be compared'
    update(page => ({ ...page, dialog: { kind: 'errors', title, errors: [asEngineError(reason)] } }))
  }
}
