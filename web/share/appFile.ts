/** The app as one file, to be saved or made a report of. */
import { isOneFile, ONE_FILE, ownFile } from '../lib/ownFile'
import { appPage, PLACE } from './report.js'

const elements = (within: Element, selector: string): readonly string[] => [...within.querySelectorAll(selector)].map(element => element.outerHTML)

/** This page as it came, without what the app drew and what made it a report. */
const ownSource = (): string =>
  appPage(elements(document.head, 'meta, link, style'), elements(document.body, 'script[data-file], script[type=module]'))

/** The text of `seekscope.html`: fetched from beside the hosted page, or this very page. Rejects when the host has not got it. */
export async function appAsOneFile(): Promise<string> {
  if (isOneFile()) return ownSource()
  const response = await ownFile(ONE_FILE)
  const text = response.ok ? await response.text() : ''
  if (!text.includes(PLACE)) throw new Error(`${ONE_FILE} is not there: the host answered ${response.status}`)
  return text
}
