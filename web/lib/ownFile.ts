/** The app's files: next to the hosted page, or inside the single-file app (`scripts/finish`). */

/** The single-file app, next to the hosted page. */
export const ONE_FILE = 'seekscope.html'

const carriedFile = (path: string): HTMLScriptElement | undefined =>
  [...document.querySelectorAll<HTMLScriptElement>('script[data-file]')].find(script => script.dataset.file === path)

/** Whether this page is the single-file app, which has no network access. */
export const isOneFile = (): boolean => document.querySelector('script[data-file]') !== null

/**
 * Whether a file is available: a report lacks some. A hosted page cannot know before the request; the result is true
 * then.
 */
export const isCarried = (path: string): boolean => !isOneFile() || carriedFile(path) !== undefined

/** A file by its path relative to the page, `samples/x.gz`. Rejects like `fetch`, or when the single file lacks it. */
export async function fetchOwnFile(path: string): Promise<Response> {
  if (!isOneFile()) return fetch(new URL(path, document.baseURI))
  const script = carriedFile(path)
  if (!script) throw new Error(`${path} is not in this file`)
  const packed = Uint8Array.from(atob(script.text), c => c.charCodeAt(0))
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(bytes, { headers: { 'content-type': script.dataset.type ?? '' } })
}
