/** Addresses of traces in a link, in their order, each with what is known of its content. Hostile ones are refused with a reason. */
import { type LinkField, type LinkProblem, problemOf } from './fields'

/** Where a file was fetched from. */
export interface TraceUrl {
  /** Absolute, http or https. */
  readonly url: string
  /** First 16 hex digits of the SHA-256 of the content; absent where it is unknown. */
  readonly sha?: string
}

const MOST_URLS = 20
const LONGEST_URL = 8 * 1024

/** Why an address is not taken; nothing when it is. */
export function whyNot(text: string): string | undefined {
  if (text.length > LONGEST_URL) return 'An address has at most 8 kB.'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f-\u009f]/.test(text)) return 'There are spaces or control characters in it.'
  if (!URL.canParse(text)) return 'This is no address.'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'Only addresses with http and https are opened.'
  if (username !== '' || password !== '') return 'There is a name or a password in it.'
  return undefined
}

/** `sha` stands behind its `url`. */
export function urlsOf(fields: readonly LinkField[], problem: (problem: LinkProblem) => void): readonly TraceUrl[] | undefined {
  const urls: TraceUrl[] = []
  /** The address that a `sha` would be about, and whether it was taken. */
  let last: 'none' | 'refused' | 'taken' = 'none'
  for (const { key, value } of fields) {
    if (key === 'url') {
      const why = urls.length === MOST_URLS ? `At most ${MOST_URLS} addresses are opened.` : whyNot(value)
      if (why !== undefined) problem(problemOf(key, value, why))
      else urls.push({ url: new URL(value).href })
      last = why === undefined ? 'taken' : 'refused'
    } else if (key === 'sha') {
      const sha = /^([0-9a-f]{16})([0-9a-f]{48})?$/i.exec(value)?.[1]?.toLowerCase()
      const of = urls.at(-1)
      if (sha === undefined || last === 'none') problem(problemOf(key, value, last === 'none' ? 'There is no address before it.' : undefined))
      else if (of && last === 'taken') urls[urls.length - 1] = { ...of, sha }
      if (last === 'taken') last = 'none'
    }
  }
  return urls.length > 0 ? urls : undefined
}
