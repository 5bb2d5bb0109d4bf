/**
 * The single-file app contains its documents as one page, which opens in a new tab; elsewhere they are files next to
 * the page.
 */
import { LICENSES } from '../lib/docs'
import { fetchOwnFile, isOneFile } from '../lib/ownFile'

const BOOK = 'docs/all.html'

/** `docs/measures.html#figures` is `#measures.html/figures` there (`scripts/docs/book.ts`). */
const placeOf = (href: string): string => `#${href.replace('docs/', '').replace('#', '/')}`

/** The URL of the documents as a page in the current theme. */
async function address(): Promise<string> {
  const text = await (await fetchOwnFile(BOOK)).text()
  const { theme } = document.documentElement.dataset
  const html = theme ? text.replace('<html ', () => `<html data-theme="${theme}" `) : text
  return URL.createObjectURL(new Blob([html], { type: 'text/html' }))
}

/** Redirects links to documents in the single-file app. Called once at start. */
export function openDocuments(): void {
  if (!isOneFile()) return
  document.addEventListener('click', event => {
    const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : undefined
    if (!href?.startsWith('docs/') && href !== LICENSES) return
    event.preventDefault()
    void address().then(url => window.open(url + placeOf(href)))
  })
}
