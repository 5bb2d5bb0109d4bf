import { isOwn } from '../ingest/url'

/**
 * Whether the host of this page ends with a command: `seekscope open` puts traces, or a stream, of its own host into
 * the URL. Such a page is not stored, and fetches what it needs while the host is there.
 */
export function isHostTemporary(): boolean {
  const link = new URLSearchParams(location.hash.slice(1))
  const sources = [...link.getAll('url'), ...link.getAll('live')]
  return sources.some(source => URL.canParse(source) && isOwn(new URL(source)))
}
