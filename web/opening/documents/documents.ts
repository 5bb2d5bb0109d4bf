/**
 * Tables of digests and reports of bisections, and the comparison of some of their runs. In a script of its own, which
 * is fetched with the first document.
 */
import type { FoundFile } from '../../ingest/found'
import { DOCUMENT_HEAD_BYTES, documentKind } from '../../lib/documentKind'
import type { Session } from '../session'
import { openBisection, openSides } from './bisection'
import { openFleetRows, openTables } from './fleet'

/** Opens documents in place of what is open: a bisection if there is one, else tables as one fleet. */
export async function openDocuments(session: Session, files: readonly FoundFile[], view?: string): Promise<void> {
  const kinds = await Promise.all(
    files.map(async ({ blob }) => documentKind(await blob.slice(0, DOCUMENT_HEAD_BYTES).text())),
  )
  const bisections = files.filter((_, i) => kinds[i] === 'bisection')
  if (bisections.length > 0) await openBisection(session, bisections, view)
  else await openTables(session, files, view)
}

/** Compares rows of the open fleet, or runs of the sides of the open bisection. */
export const openRows = (session: Session, rows: readonly number[]): Promise<void> =>
  session.store.getState().bisection ? openSides(session, rows) : openFleetRows(session, rows)
