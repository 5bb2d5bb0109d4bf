/** The page as one file that opens from a disk, a mail or a bug tracker. */
import { type Page, titleOf } from '../state/page'
import { viewFragment } from './address'
import { appAsOneFile } from './appFile'
import { reportFile } from './report.js'
import { type Included, takeSnapshot } from './take'

/** A name that every file system takes. */
export const fileName = (title: string): string =>
  `${
    title
      .replace(/[^\p{Letter}\p{Number}.,-]+/gu, '-')
      .replace(/^[-.]+|-+$/g, '')
      .slice(0, 80) || 'comparison'
  }.html`

/** Rejects with an EngineError, or where the host has not got the app as one file. */
export async function reportOf(page: Page, included: Included): Promise<string> {
  const [app, taken, words] = await Promise.all([appAsOneFile(), textOf(page, included), wordsOf(page)])
  return reportFile(app, { snapshot: taken, view: viewFragment(page), title: titleOf(page), words })
}

/** Of the traces; without them the snapshot that the page came from. */
async function textOf(page: Page, included: Included): Promise<string> {
  const taken = page.runs.some(run => run.held) ? page.snapshot : await takeSnapshot(page, 'File', included)
  if (taken === undefined) throw new Error('There is no whole trace on the page.')
  return taken.text
}

async function wordsOf({ runs, comparison }: Page): Promise<string> {
  const client = runs.find(run => run.id === comparison?.runs[0])?.client
  if (!comparison || !client || runs.some(run => run.held && !run.held.pieces)) return ''
  return (await client.query('compareText', comparison.ask)).text
}
