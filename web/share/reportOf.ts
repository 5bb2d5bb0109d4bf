/** The page as one HTML file. DOM-free: the command line makes its reports with it. */
import type { Link } from '../link/link'
import { openSnapshotOf } from '../state/address/snapshots'
import { numbered } from '../state/annotations/annotations'
import { annotationsText } from '../state/annotations/annotationText'
import { comparisonOfRuns } from '../state/comparing/comparing'
import { resultLayout } from '../state/comparing/results'
import { type Page, titleOf } from '../state/page'
import { viewFragment } from './address'
import { reportFile } from './report'
import { type IncludedNames, takeSnapshot } from './take'

/** `app`: the text of `seekscope.html`; `sums` of the traces. Rejects with an EngineError. */
export async function reportOf(page: Page, included: IncludedNames, app: string, sums?: Link['sums']): Promise<string> {
  const [snapshot, text] = await Promise.all([snapshotText(page, included), comparisonText(page, included)])
  const notes = annotationsText(numbered(page.annotations, page.runs))
  return reportFile(app, {
    snapshot,
    view: viewFragment(page, sums),
    title: titleOf(page),
    words: [text ?? '', notes].filter(part => part !== '').join('\n'),
  })
}

/** A snapshot of the open traces; without any, the one from which the page was opened. */
async function snapshotText(page: Page, included: IncludedNames): Promise<string> {
  const taken = openSnapshotOf(page) ?? (await takeSnapshot(page, 'File', included))
  if (taken === undefined) throw new Error('There is no complete trace on the page.')
  return taken.text
}

async function comparisonText(page: Page, { names }: IncludedNames): Promise<string | undefined> {
  const { runs, results, view } = page
  const asked = comparisonOfRuns(page)
  if (runs.length === 0) {
    const layout = view.matrix && resultLayout(view.matrix)
    return results?.client.text({ tables: results.document.tables, ...(layout && { layout }) })
  }
  const client = runs.find(run => run.id === asked?.runs[0])?.client
  if (!asked || !client || runs.some(run => run.snapshot && !run.snapshot.pieces)) return undefined
  return (await client.query('compareText', { ...asked.ask, anonymous: !names })).text
}
