/** A sample: its files are fetched from the page's own host, and its runs replace those of the page. */
import { asEngineError } from '../engine/errors'
import type { FoundFile } from '../ingest/found'
import { fetchMail, fetchRun, type Sample } from '../ingest/samples'
import { EMPTY_PAGE } from '../state/page'
import { removeAllRuns, startTrace } from './run'
import type { Session } from './session'

export async function openSample(session: Session, sample: Sample): Promise<void> {
  const { store, update } = session
  update(page => ({ ...page, sorting: true }))
  try {
    const fetched = await Promise.all(sample.runs.map(run => fetchRun(run)))
    // On an empty page the view of a link is set before its runs are opened, and stays.
    const { trail, view, linkProblems, finding, named, ...settings } =
      store.getState().runs.length === 0 ? store.getState() : EMPTY_PAGE
    const { geometry = sample.geometry, title = sample.title } = settings
    removeAllRuns(session)
    const restored = {
      trail,
      view,
      linkProblems,
      title,
      ...(finding !== undefined && { finding }),
      ...(named && { named }),
      ...(geometry && { geometry }),
    }
    update(page => ({ ...page, ...restored, sample: sample.id }))
    sample.runs.forEach((run, i) => {
      const facts = { kernel: run.kernel, deviceNames: run.deviceNames }
      startTrace(session, { name: run.folder, label: run.label, parts: fetched[i] ?? [], facts }, geometry)
    })
  } catch (reason) {
    reportMissing(session, reason)
  }
}

/** The mail among the samples: opened like a text that was dropped. */
export async function openSampleMail(
  session: Session,
  open: (files: readonly FoundFile[]) => Promise<unknown>,
): Promise<void> {
  try {
    await open([await fetchMail()])
  } catch (reason) {
    reportMissing(session, reason)
  }
}

function reportMissing({ update }: Session, reason: unknown) {
  const error = {
    ...asEngineError(reason, 'sample-missing'),
    remedy: 'Copy the folder samples/ to the folder of the page, or drop your own traces.',
  }
  update(page => ({
    ...page,
    sorting: false,
    dialog: { kind: 'errors', title: 'The sample could not be fetched', errors: [error] },
  }))
}
