/**
 * The only way to another host. The page's own policy (`connect-src 'self'`) makes the browser refuse every request that leaves its host;
 * `fetch.html`, a page with nothing in it but a policy that allows them, lends its `fetch` for one address that the reader confirmed.
 */

export interface FetchFrame {
  readonly fetch: typeof fetch
  /** To be called when the answer was read to its end: the frame goes, and what is under way with it. */
  end(): void
}

/** As `fetch.html` has it. */
const ALLOWED = 'connect-src http: https:'

/** Rejects where the frame cannot be loaded. */
export function openFetchFrame(): Promise<FetchFrame> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = 'Fetches confirmed addresses'
  frame.src = new URL('fetch.html', document.baseURI).href
  const end = () => frame.remove()
  return new Promise((resolve, reject) => {
    frame.addEventListener('load', () => {
      // Where it is missing, hosts answer with other pages, and browsers with one that is out of reach.
      const policy = frame.contentDocument?.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')?.content
      const window = policy?.includes(ALLOWED) ? frame.contentWindow : undefined
      if (window) return resolve({ fetch: (window as Window & typeof globalThis).fetch.bind(window), end })
      end()
      reject(new Error('fetch.html could not be loaded'))
    })
    document.body.append(frame)
  })
}
