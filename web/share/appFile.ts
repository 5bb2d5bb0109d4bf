/** The app as one file, to be saved or made a report of. */
import { isOneFile, ONE_FILE, ownFile } from '../lib/ownFile'
import { PLACE, SNAPSHOT_ID, VIEW_ID, WORDS_ID } from './report.js'

/** Of this document before the app has drawn into it: module scripts run once it is whole. */
const untouched = typeof document !== 'undefined' && isOneFile() ? document.documentElement.cloneNode(true) : undefined

/** The document as it came, without what made it a report. */
function source(root: HTMLElement): string {
  const copy = root.cloneNode(true) as HTMLElement
  copy.querySelectorAll(`#${VIEW_ID}, #${WORDS_ID}`).forEach(element => {
    element.remove()
  })
  copy.querySelector(`#${SNAPSHOT_ID}`)?.replaceWith(new Comment(PLACE.slice(4, -3)))
  const title = copy.querySelector('title')
  if (title) title.textContent = 'Seekscope'
  return `<!doctype html>\n${copy.outerHTML}\n`
}

/** The text of `seekscope.html`: fetched from beside the hosted page, or this very file. Rejects when the host has not got it. */
export async function appAsOneFile(): Promise<string> {
  if (untouched) return source(untouched as HTMLElement)
  const response = await ownFile(ONE_FILE)
  const text = response.ok ? await response.text() : ''
  if (!text.includes(PLACE)) throw new Error(`${ONE_FILE} is not there: the host answered ${response.status}`)
  return text
}
