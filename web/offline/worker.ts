/** The service worker: keeps every file of `dist/` for use without a network, and nothing from other hosts. It replaces an older one only on request. */
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { TAKE_OVER } from './messages'

declare const self: ServiceWorkerGlobalScope
/** Every file of `dist/`, with the hash of its content unless its name has one; written by the build (`scripts/finish`). */
declare const PRECACHE: (string | { readonly url: string; readonly revision: string })[]

precacheAndRoute(PRECACHE, { ignoreURLParametersMatching: [/./], cleanURLs: false })
cleanupOutdatedCaches()

self.addEventListener('message', ({ data }) => {
  if (data === TAKE_OVER) void self.skipWaiting()
})
