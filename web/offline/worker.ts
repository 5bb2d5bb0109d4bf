/**
 * The service worker: keeps every file of `dist/` for use without a network, and nothing from other hosts. It
 * replaces an older one only on request. Caches belong to the origin, which it may share with other applications: it
 * uses one, with the name of this app and its folder, removes old files from it, and deletes none.
 */
import { setCacheNameDetails } from 'workbox-core'
import { precacheAndRoute } from 'workbox-precaching'
import { TAKE_OVER } from './messages'

declare const self: ServiceWorkerGlobalScope
/**
 * Every file of `dist/`, with the hash of its content unless its name has one; written by the build (`scripts/finish`).
 */
declare const PRECACHE: (string | { readonly url: string; readonly revision: string })[]

// The name ends with the folder (`registration.scope`).
setCacheNameDetails({ prefix: 'seekscope' })
precacheAndRoute(PRECACHE, { ignoreURLParametersMatching: [/./], cleanURLs: false })

self.addEventListener('message', ({ data }) => {
  if (data === TAKE_OVER) void self.skipWaiting()
})
