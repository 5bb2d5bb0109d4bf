/** The app as one HTML file, the base of reports. */
import { fetchOwnFile, isOneFile, ONE_FILE } from '../lib/ownFile'
import { appPage, PLACE } from './report'

const elements = (within: Element, selector: string): readonly string[] =>
  [...within.querySelectorAll(selector)].map(element => element.outerHTML)

/** The source of this page, without what the app drew and without the report's contents. */
const ownSource = (): string =>
  appPage(
    elements(document.head, 'meta, link, style'),
    elements(document.body, 'script[data-file], script[type=module]'),
  )

/**
 * The text of `seekscope.html`: fetched from the page's host, or taken from this page if it is that file. Rejects when
 * the host lacks it.
 */
export async function appAsOneFile(): Promise<string> {
  if (isOneFile()) return ownSource()
  const response = await fetchOwnFile(ONE_FILE)
  const text = response.ok ? await response.text() : ''
  if (!text.includes(PLACE)) throw new Error(`${ONE_FILE} is missing: the host returned ${response.status}`)
  return text
}
