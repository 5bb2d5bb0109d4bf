/** Fetches files from URLs that the user confirmed, with progress and errors that say how to fix them. */
import type { EngineError } from '../engine/protocol'
import { count, size } from '../lib/format'
import { isOneFile } from '../lib/ownFile'
import { sha256 } from '../lib/sha256'
import { openFetchFrame } from './fetchFrame'
import type { FoundFile } from './found'

export interface FetchProgress {
  readonly bytes: number
  /** Absent when the host does not send a length. */
  readonly totalBytes?: number
}

/** Bytes that are collected in memory before they become a Blob, which the browser may store on disk. */
const MAX_CHUNK_BYTES = 16 << 20

/** The URLs in a text, one per line; a line that is no URL stays a string. */
export function urlsIn(text: string): readonly (URL | string)[] {
  const lines = text.split('\n').map(line => line.trim())
  return lines
    .filter(line => line !== '')
    .map(line => (/^https?:\/\/\S+$/i.test(line) && URL.canParse(line) ? new URL(line) : line))
}

/** The URL of the file itself, for pages of well-known hosts that only display it. */
export function rawUrl(url: URL): URL {
  const raw = new URL(url)
  const [, owner, repository, kind, ...rest] = url.pathname.split('/')
  if (url.host === 'github.com' && (kind === 'blob' || kind === 'raw')) {
    raw.host = 'raw.githubusercontent.com'
    raw.pathname = [owner, repository, ...rest].join('/')
  } else if (url.host === 'gist.github.com' && repository && kind === undefined) {
    raw.host = 'gist.githubusercontent.com'
    raw.pathname = `${owner}/${repository}/raw`
  } else if (url.pathname.includes('/-/blob/')) {
    raw.pathname = url.pathname.replace('/-/blob/', '/-/raw/')
  } else if (url.host === 'git.kernel.org') {
    raw.pathname = url.pathname.replace('/tree/', '/plain/')
  } else if (url.pathname.endsWith('/attachment.cgi')) {
    raw.searchParams.delete('action')
  } else if (url.host === 'pastebin.com' && owner && repository === undefined) {
    raw.pathname = `raw/${owner}`
  } else if (url.host === 'www.dropbox.com') {
    raw.host = 'dl.dropboxusercontent.com'
  }
  return raw
}

/** Whether a request to the URL stays on this page's host, and therefore needs no consent. */
export const isOwn = (url: URL): boolean => url.origin === location.origin

const DROP_IT = 'Open the URL in a new tab, download the file there, and drop it on this page.'

const urlError = (url: URL, code: string, message: string, remedy: string): EngineError => ({
  code,
  message,
  at: { file: url.href },
  remedy,
})

const STATUS_REMEDIES: Readonly<Record<number, string>> = {
  401: `The host requires a login, and this page sends no cookies or credentials. ${DROP_IT}`,
  403: `The host requires a login, and this page sends no cookies or credentials. ${DROP_IT}`,
  404: 'Check the URL: the file does not exist, or the host requires a login.',
}

/** Browsers refuse http requests from a page served by https, except to the machine itself. */
const isMixed = (url: URL): boolean =>
  location.protocol === 'https:' &&
  url.protocol === 'http:' &&
  !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)

/** The file name that the host sends, else the last part of the URL. */
function nameOf(url: URL, headers: Headers): string {
  const headerName = /filename="?([^";]+)"?/.exec(headers.get('content-disposition') ?? '')?.[1]
  const last = url.pathname.split('/').at(-1)
  const name = headerName ?? (last === undefined || last === '' ? url.hostname : last)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The user confirms other hosts: a request to the page's own host must not be redirected to one. */
const redirectOf = (url: URL): RequestRedirect => (isOwn(url) ? 'error' : 'follow')

const offlineError = (url: URL): EngineError =>
  urlError(url, 'offline', 'This machine is offline.', 'Connect it, or drop a local file.')

async function ask(url: URL, fetcher: typeof fetch, signal: AbortSignal): Promise<Response> {
  try {
    return await fetcher(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer', redirect: redirectOf(url) })
  } catch {
    signal.throwIfAborted()
    if (!navigator.onLine) throw offlineError(url)
    // Browsers give no reason, so that pages cannot scan a network.
    const message = isOwn(url)
      ? `${url.host} did not respond, or redirected to another URL; redirects are not followed.`
      : [
          `${url.host} did not respond, or does not allow other pages to read its files (CORS).`,
          'Browsers do not report which.',
        ].join(' ')
    throw urlError(url, 'url-unreachable', message, DROP_IT)
  }
}

/** This page may contact only its own host; `fetch.html` contacts any other. */
async function fetcherFor(url: URL): Promise<{ readonly fetch: typeof fetch; end(): void }> {
  if (isOneFile()) {
    const message = 'This page is the single-file app. Its policy makes the browser refuse all requests to hosts.'
    throw urlError(url, 'one-file', message, DROP_IT)
  }
  if (isOwn(url)) return { fetch: window.fetch.bind(window), end: () => undefined }
  try {
    return await openFetchFrame()
  } catch {
    if (!navigator.onLine) throw offlineError(url)
    const message = 'fetch.html, the part of this page that contacts other hosts, could not be loaded.'
    const frames = 'that the host of this page allows frames from itself (X-Frame-Options)'
    throw urlError(url, 'no-fetch-page', message, `Check that fetch.html was uploaded, and ${frames}. ${DROP_IT}`)
  }
}

/** Fetches one URL. Throws an EngineError, or the signal's reason. `onProgress` is called after every chunk. */
export async function fetchFile(
  requested: URL,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
): Promise<FoundFile> {
  const url = rawUrl(requested)
  if (isMixed(url)) {
    const message = 'The URL uses http and this page https: the browser refuses mixed content.'
    throw urlError(url, 'mixed-content', message, `Try https. ${DROP_IT}`)
  }
  const host = await fetcherFor(url)
  try {
    const file = await download(url, await ask(url, host.fetch, signal), onProgress, signal)
    const sha = await checkReadable(url, file.blob)
    return { ...file, source: { url: requested.href, ...(sha !== undefined && { sha }) } }
  } finally {
    host.end()
  }
}

/**
 * Computes the checksum of a download, and so checks that it can be read: a browser without room for a Blob fails
 * only then.
 */
export async function checkReadable(url: URL, blob: Blob): Promise<string | undefined> {
  try {
    await blob.slice(-1).arrayBuffer()
    return await sha256(blob)
  } catch {
    const message = `The browser has no room for a download of ${size(blob.size)}.`
    const remedy = [
      'In a private window, downloads are kept in a part of the memory:',
      'use an ordinary window, or save the file and drop it on the page.',
    ].join(' ')
    throw urlError(url, 'url-no-room', message, remedy)
  }
}

async function download(
  url: URL,
  response: Response,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
): Promise<FoundFile> {
  if (!response.ok) {
    const message = `${url.host} returned ${response.status} ${response.statusText}`.trimEnd()
    throw urlError(url, 'url-status', `${message}.`, STATUS_REMEDIES[response.status] ?? DROP_IT)
  }
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    const message = 'The URL is a web page, not a file.'
    throw urlError(url, 'url-web-page', message, 'Use the URL of its download or "raw" link.')
  }
  const blob = await bodyOf(url, response, onProgress, signal)
  const name = nameOf(url, response.headers)
  const folder = `${url.host}${url.pathname}`.split('/').slice(0, -1).join('/')
  return { name, path: `${folder}/${name}`, blob, lastModified: 0 }
}

async function bodyOf(
  url: URL,
  response: Response,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  // With a content encoding, the length is that of the compressed data.
  const total = length > 0 && !response.headers.has('content-encoding') ? { totalBytes: length } : {}
  const blobs: Blob[] = []
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let [bytes, chunkBytes] = [0, 0]
  const reader = response.body?.getReader()
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      chunks.push(chunk.value as Uint8Array<ArrayBuffer>)
      bytes += chunk.value.byteLength
      chunkBytes += chunk.value.byteLength
      if (chunkBytes >= MAX_CHUNK_BYTES) {
        blobs.push(new Blob(chunks))
        chunks = []
        chunkBytes = 0
      }
      onProgress({ bytes, ...total })
    }
  } catch {
    signal.throwIfAborted()
    const message = `The connection was lost after ${count(bytes)} bytes.`
    throw urlError(url, 'url-cut', message, `Retry. ${DROP_IT}`)
  }
  return new Blob([...blobs, ...chunks])
}
