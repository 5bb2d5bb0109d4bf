/** The single-file app contains the documents as one page, which opens in a tab. */
import { isOneFile, ownFile } from '../lib/ownFile'

const BOOK = 'docs/all.html'
const LICENSES = 'licenses.html'

/** `docs/measures.html#figures` is `#measures.html/figures` there (`scripts/docs/book.ts`). */
const placeOf = (href: string): string => `#${href.replace('docs/', '').replace('#', '/')}`

/** With the colours of this page. */
async function address(): Promise<string> {
  const text = await (await ownFile(BOOK)).text()
  const { theme } = document.documentElement.dataset
  const html = theme ? text.replace('<html ', () => `<html data-theme="${theme}" `) : text
  return URL.createObjectURL(new Blob([html], { type: 'text/html' }))
}

/** Takes over the links to documents, from the page's start on. */
export function openDocuments(): void {
  if (!isOneFile()) return
  document.addEventListener('click', event => {
    const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : undefined
    if (!href?.startsWith('docs/') && href !== LICENSES) return
    event.preventDefault()
    void address().then(url => window.open(url + placeOf(href)))
  })
}
