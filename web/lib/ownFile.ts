/** The app's own files: beside the page where it is hosted, inside the page where that is one file (`scripts/finish`). */

/** The hosted app as one file. */
export const ONE_FILE = 'seekscope.html'

const carried = (path: string): HTMLScriptElement | undefined =>
  [...document.querySelectorAll<HTMLScriptElement>('script[data-file]')].find(script => script.dataset.file === path)

/** Whether this page is the app as one file, which asks nobody for anything. */
export const isOneFile = (): boolean => document.querySelector('script[data-file]') !== null

/** Whether a file can be asked for: a report leaves some out. A hosted page answers only when it is asked. */
export const isCarried = (path: string): boolean => !isOneFile() || carried(path) !== undefined

/** A file by its path below the page, `samples/x.gz`. Rejects as `fetch` does, or when this one file does not hold it. */
export async function ownFile(path: string): Promise<Response> {
  if (!isOneFile()) return fetch(new URL(path, document.baseURI))
  const script = carried(path)
  if (!script) throw new Error(`${path} is not in this file`)
  const packed = Uint8Array.from(atob(script.text), c => c.charCodeAt(0))
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(bytes, { headers: { 'content-type': script.dataset.type ?? '' } })
}
