/** Files from addresses that the reader gives: fetched when told to, with progress, and with a reason when it cannot be done. */
import type { EngineError } from '../engine/protocol'
import { isOneFile } from '../lib/ownFile'
import { openFetchFrame } from './fetchFrame'
import type { FoundFile } from './found'

export interface FetchProgress {
  readonly bytes: number
  /** Absent where the host does not tell. */
  readonly totalBytes?: number
}

/** Pieces are handed to the browser, which may keep them on disk, when so many bytes are held. */
const HELD = 16 << 20

/** The addresses in a text, one a line; what is none stays a text. */
export function addressesIn(text: string): readonly (URL | string)[] {
  const lines = text.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '').map(line => (/^https?:\/\/\S+$/i.test(line) && URL.canParse(line) ? new URL(line) : line))
}

/** Where the file itself lies, for pages of well-known hosts that only show it. */
export function rawAddress(url: URL): URL {
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

/** Whether the page itself came from there. */
export const isOwn = (url: URL): boolean => url.origin === location.origin

/** What may be larger is not held in memory at once, as the browser's own hash wants it. */
const MOST_HASHED = 1 << 30

/** First 16 hex digits of the SHA-256; absent where the browser has none (a page that came by http) or the file is too large. */
async function contentHash(blob: Blob): Promise<string | undefined> {
  if (!isSecureContext || blob.size > MOST_HASHED) return undefined
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())
  return Array.from(new Uint8Array(digest, 0, 8), byte => byte.toString(16).padStart(2, '0')).join('')
}

const DROP_IT = 'Open the address in a tab of its own; if the file can be downloaded there, drop it on this page.'

const problem = (url: URL, code: string, message: string, remedy: string): EngineError => ({ code, message, at: { file: url.href }, remedy })

const STATUS_REMEDIES: Readonly<Record<number, string>> = {
  401: `The host wants to know who asks, and this page sends no cookies and no names. ${DROP_IT}`,
  403: `The host wants to know who asks, and this page sends no cookies and no names. ${DROP_IT}`,
  404: 'Check the address: nothing is there under this name, or only for those who are logged in.',
}

/** Whether a page served securely may read it; browsers refuse http there, except from the machine itself. */
const isMixed = (url: URL): boolean =>
  location.protocol === 'https:' && url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)

/** What the host calls the file, else the end of its address. */
function nameOf(url: URL, headers: Headers): string {
  const told = /filename="?([^";]+)"?/.exec(headers.get('content-disposition') ?? '')?.[1]
  const last = url.pathname.split('/').at(-1)
  const name = told ?? (last === undefined || last === '' ? url.hostname : last)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Who was not asked about another host is not sent to one. */
const redirectOf = (url: URL): RequestRedirect => (isOwn(url) ? 'error' : 'follow')

const offline = (url: URL): EngineError => problem(url, 'offline', 'This machine is offline.', 'Connect it, or drop a file that lies on it.')

async function ask(url: URL, by: typeof fetch, signal: AbortSignal): Promise<Response> {
  try {
    return await by(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer', redirect: redirectOf(url) })
  } catch {
    signal.throwIfAborted()
    if (!navigator.onLine) throw offline(url)
    // Browsers do not say more, so that pages cannot explore a network.
    const message = isOwn(url)
      ? `${url.host} did not answer, or sends on to another address, which is not followed.`
      : `${url.host} did not answer, or does not let other pages read its files (CORS); browsers do not tell which.`
    throw problem(url, 'url-unreachable', message, DROP_IT)
  }
}

/** What may ask the host: this page its own, and only `fetch.html` any other. */
async function asker(url: URL): Promise<{ readonly fetch: typeof fetch; end(): void }> {
  if (isOneFile()) {
    const message = 'This page is the app as one file, which asks no host for anything; its policy makes the browser refuse it.'
    throw problem(url, 'one-file', message, DROP_IT)
  }
  if (isOwn(url)) return { fetch: window.fetch.bind(window), end: () => undefined }
  try {
    return await openFetchFrame()
  } catch {
    if (!navigator.onLine) throw offline(url)
    const message = 'The part of this page that asks other hosts, fetch.html, could not be loaded.'
    const remedy = `Check that the file was uploaded, and that the host of this page does not forbid frames of its own (X-Frame-Options). ${DROP_IT}`
    throw problem(url, 'no-fetch-page', message, remedy)
  }
}

/** Fetches one address. Throws an EngineError that says what can be done, or the signal's reason. `tell` hears of every piece. */
export async function fetchFile(given: URL, tell: (progress: FetchProgress) => void, signal: AbortSignal): Promise<FoundFile> {
  const url = rawAddress(given)
  if (isMixed(url)) {
    const message = 'The address is http, and this page came by https: the browser refuses to mix them.'
    throw problem(url, 'mixed-content', message, `Try the address with https. ${DROP_IT}`)
  }
  const host = await asker(url)
  try {
    const file = await take(url, await ask(url, host.fetch, signal), tell, signal)
    const sha = await contentHash(file.blob)
    return { ...file, source: { url: given.href, ...(sha !== undefined && { sha }) } }
  } finally {
    host.end()
  }
}

async function take(url: URL, response: Response, tell: (progress: FetchProgress) => void, signal: AbortSignal): Promise<FoundFile> {
  if (!response.ok) {
    const message = `${url.host} answered ${response.status} ${response.statusText}`.trimEnd()
    throw problem(url, 'url-status', `${message}.`, STATUS_REMEDIES[response.status] ?? DROP_IT)
  }
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    const message = 'There is a web page at this address, not a file.'
    throw problem(url, 'url-web-page', message, 'Give the address behind its download or "raw" link.')
  }
  const blob = await bodyOf(url, response, tell, signal)
  const name = nameOf(url, response.headers)
  const folder = `${url.host}${url.pathname}`.split('/').slice(0, -1).join('/')
  return { name, path: `${folder}/${name}`, blob, lastModified: 0 }
}

async function bodyOf(url: URL, response: Response, tell: (progress: FetchProgress) => void, signal: AbortSignal): Promise<Blob> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  // The length of packed data is not that of what comes out.
  const total = length > 0 && !response.headers.has('content-encoding') ? { totalBytes: length } : {}
  const blobs: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let [bytes, held] = [0, 0]
  const reader = response.body?.getReader()
  try {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      pieces.push(piece.value as Uint8Array<ArrayBuffer>)
      bytes += piece.value.byteLength
      held += piece.value.byteLength
      if (held >= HELD) {
        blobs.push(new Blob(pieces))
        pieces = []
        held = 0
      }
      tell({ bytes, ...total })
    }
  } catch {
    signal.throwIfAborted()
    const message = `The connection broke after ${bytes.toLocaleString('en-US')} bytes.`
    throw problem(url, 'url-cut', message, `Try again. ${DROP_IT}`)
  }
  return new Blob([...blobs, ...pieces])
}
