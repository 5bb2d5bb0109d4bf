/** The service worker: keeps the whole app for when there is no network. It takes over from an older one only when told to. */
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { TAKE_OVER } from './messages'

declare const self: ServiceWorkerGlobalScope
/** Every file of `dist/` with the hash of its content; written by the build (`scripts/finish`). */
declare const PRECACHE: { readonly url: string; readonly revision: string }[]

precacheAndRoute(PRECACHE, { ignoreURLParametersMatching: [/./], cleanURLs: false })
cleanupOutdatedCaches()

self.addEventListener('message', ({ data }) => {
  if (data === TAKE_OVER) void self.skipWaiting()
})
