/**
 * The only way to another host. The page's own policy (`connect-src 'self'`) makes the browser refuse every request
 * that leaves its host; `fetch.html`, an empty page whose policy allows them, provides its `fetch` for one URL that
 * the user confirmed.
 */

export interface FetchFrame {
  readonly fetch: typeof fetch
  /** To be called when the response was read: removes the frame, and ends its requests. */
  end(): void
}

/** The policy of `fetch.html`; another page in its place is rejected. */
const ALLOWED = 'connect-src http: https:'

/** Loads the frame; rejects if it cannot be loaded. */
export function openFetchFrame(): Promise<FetchFrame> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.title = 'Fetches confirmed addresses'
  frame.src = new URL('fetch.html', document.baseURI).href
  const end = () => frame.remove()
  return new Promise((resolve, reject) => {
    frame.addEventListener('load', () => {
      // For a missing file, hosts return other pages, and browsers an error page without access.
      const policy = frame.contentDocument?.querySelector<HTMLMetaElement>(
        'meta[http-equiv="Content-Security-Policy"]',
      )?.content
      const window = policy?.includes(ALLOWED) ? frame.contentWindow : undefined
      if (window) return resolve({ fetch: (window as Window & typeof globalThis).fetch.bind(window), end })
      end()
      reject(new Error('fetch.html could not be loaded'))
    })
    document.body.append(frame)
  })
}
