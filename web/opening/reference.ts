/**
 * Opens the fetched files of a reference link, in the batches in which they were opened originally: the batch decides
 * which files form one trace.
 */
import type { FoundFile } from '../ingest/found'
import { problemOf } from '../link/fields'
import { put } from '../state/page'
import { batchesOf, type Reference, windowIn } from '../state/runs/sources'
import type { WindowOf } from './drop'
import { dropRun } from './run'
import type { Session } from './session'

const CHANGED = 'has changed since the link was created: figures, times and runs may differ.'
const NOT_CHECKED = 'could not be checked against the file that the link was created with.'

/** `fetched` has one entry per URL of the link; `undefined` where it could not be fetched. */
export async function openReference(
  session: Session,
  { urls, opened, gone: removed, windows }: Reference,
  fetched: readonly (FoundFile | undefined)[],
  open: (files: readonly FoundFile[], windowOf: WindowOf) => Promise<unknown>,
): Promise<void> {
  const { store, update } = session
  const changed = urls.flatMap(({ url, sha }, i) => {
    const [name, found] = [fetched[i]?.name, fetched[i]?.source?.sha]
    if (sha === undefined || name === undefined || found === sha) return []
    return [problemOf('sha', url, `${name} ${found === undefined ? NOT_CHECKED : CHANGED}`)]
  })
  update(page => ({ ...page, opening: true, linkProblems: [...page.linkProblems, ...changed] }))
  const before = session.lastTrace()
  for (const batch of batchesOf(fetched, opened)) {
    const files = batch.flatMap(file => file ?? [])
    if (files.length > 0) await open(files, trace => windowIn(windows, trace - before))
  }
  // The link numbers all its traces: with one missing, the numbers would name other traces.
  if (fetched.every(file => file !== undefined)) {
    const traces = [...new Set(store.getState().runs.map(run => run.trace))].sort((a, b) => a - b)
    for (const run of store.getState().runs)
      if (removed?.includes(traces.indexOf(run.trace) + 1)) dropRun(session, run.id)
  }
  update(page => put(page, 'opening', undefined))
}
