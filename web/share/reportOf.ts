/** The page as one HTML file. DOM-free: the command line makes its reports with it. */
import { type Page, titleOf } from '../state/page'
import { viewFragment } from './address'
import { reportFile } from './report'
import { type IncludedNames, takeSnapshot } from './take'

/** `app`: the text of `seekscope.html`; `words`: of a single run, which has no comparison. Rejects with an EngineError. */
export async function reportOf(page: Page, included: IncludedNames, app: string, words = ''): Promise<string> {
  const [snapshot, text] = await Promise.all([snapshotText(page, included), comparisonText(page)])
  return reportFile(app, { snapshot, view: viewFragment(page), title: titleOf(page), words: text ?? words })
}

/** Of the traces; without them the snapshot that the page came from. */
async function snapshotText(page: Page, included: IncludedNames): Promise<string> {
  const taken = page.runs.some(run => run.snapshot) ? page.snapshot : await takeSnapshot(page, 'File', included)
  if (taken === undefined) throw new Error('There is no complete trace on the page.')
  return taken.text
}

async function comparisonText({ runs, comparison }: Page): Promise<string | undefined> {
  const client = runs.find(run => run.id === comparison?.runs[0])?.client
  if (!comparison || !client || runs.some(run => run.snapshot && !run.snapshot.pieces)) return undefined
  return (await client.query('compareText', comparison.ask)).text
}
