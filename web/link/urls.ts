/**
 * Trace URLs in a link, in their order, each with the checksum of its file. Hostile URLs are rejected with a reason.
 */
import { type LinkField, type LinkProblem, problemOf } from './fields'

/** Where a file was fetched from. */
export interface TraceUrl {
  /** Absolute, http or https. */
  readonly url: string
  /** SHA-256 of the content, 64 hex digits; absent where it is unknown. */
  readonly sha?: string
}

const MAX_URLS = 20
const MAX_URL_LENGTH = 8 * 1024

/** Why a URL is rejected; undefined when it is accepted. */
export function urlProblem(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH) return 'URL longer than 8 kB.'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f-\u009f]/.test(text)) return 'URL contains spaces or control characters.'
  if (!URL.canParse(text)) return 'Not a valid URL.'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'Only http and https URLs can be opened.'
  if (username !== '' || password !== '') return 'URL contains a user name or password.'
  return undefined
}

/**
 * Reads the URLs. A `sha` belongs to the `url` before it; after a rejected URL it is skipped, so that it never checks
 * another file.
 */
export function urlsOf(
  fields: readonly LinkField[],
  problem: (problem: LinkProblem) => void,
): readonly TraceUrl[] | undefined {
  const urls: TraceUrl[] = []
  /** What happened to the URL that the next `sha` belongs to. */
  let last: 'none' | 'rejected' | 'accepted' = 'none'
  for (const { key, value } of fields) {
    if (key === 'url') {
      const why = urls.length === MAX_URLS ? `Only the first ${MAX_URLS} URLs are opened.` : urlProblem(value)
      if (why !== undefined) problem(problemOf(key, value, why))
      else urls.push({ url: new URL(value).href })
      last = why === undefined ? 'accepted' : 'rejected'
    } else if (key === 'sha') {
      const sha = /^[0-9a-f]{64}$/i.exec(value)?.[0].toLowerCase()
      const previous = urls.at(-1)
      if (sha === undefined || last === 'none')
        problem(problemOf(key, value, last === 'none' ? 'No URL precedes it.' : undefined))
      else if (previous && last === 'accepted') urls[urls.length - 1] = { ...previous, sha }
      if (last === 'accepted') last = 'none'
    }
  }
  return urls.length > 0 ? urls : undefined
}
