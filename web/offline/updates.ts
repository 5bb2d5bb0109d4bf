/** Stores the hosted app for offline use, and reports when its host has a newer one. */
import { isOwn } from '../ingest/url'
import { isOneFile } from '../lib/ownFile'
import { TAKE_OVER } from './messages'

const loaded = (): Promise<void> =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise(resolve => window.addEventListener('load', () => resolve(), { once: true }))

/**
 * A page of `seekscope open` has traces of its own host in its URL: it is not stored, because that host ends with the
 * command.
 */
const isPassing = (): boolean =>
  new URLSearchParams(location.hash.slice(1)).getAll('url').some(url => URL.canParse(url) && isOwn(new URL(url)))

/**
 * Tells `found` of a newer app that is fetched and waits; what it gets loads that one in place of this. Never by
 * itself. Begins after `first`: what the page waits for does not share the line with what is stored.
 */
export async function keepOffline(found: (update: () => void) => void, first: Promise<unknown>): Promise<void> {
  if (import.meta.env.DEV || isOneFile() || isPassing() || !('serviceWorker' in navigator)) return
  await Promise.all([loaded(), first])
  const { serviceWorker } = navigator
  const registration = await serviceWorker.register(new URL('sw.js', document.baseURI))
  const update = () => {
    serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    // Another window may have let it take over already.
    if (registration.waiting) registration.waiting.postMessage(TAKE_OVER)
    else location.reload()
  }
  const look = () => {
    // Without a controller it is the first one, and this page is as new.
    if (registration.waiting && serviceWorker.controller) found(update)
  }
  // The browser looks for a newer one while the page loads: it may be there, or on its way, before the page can listen.
  const follow = () => registration.installing?.addEventListener('statechange', look)
  look()
  follow()
  registration.addEventListener('updatefound', follow)
}
