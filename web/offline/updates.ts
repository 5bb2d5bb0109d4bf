/** Stores the hosted app for offline use, and reports when its host has a newer one. */
import { isOneFile } from '../lib/ownFile'
import { TAKE_OVER } from './messages'

const pageLoad = (): Promise<void> =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise(resolve => window.addEventListener('load', () => resolve(), { once: true }))

/**
 * Stores the app for offline use, and calls `onUpdate` when a newer version has been fetched. The function that it
 * gets switches to that version and reloads the page: never without the user's consent, because open traces would be
 * lost.
 */
export async function keepOffline(onUpdate: (update: () => void) => void): Promise<void> {
  if (import.meta.env.DEV || isOneFile() || !('serviceWorker' in navigator)) return
  await pageLoad()
  const { serviceWorker } = navigator
  const registration = await serviceWorker.register(new URL('sw.js', document.baseURI))
  const update = () => {
    serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    // Another window may have let it take over already.
    if (registration.waiting) registration.waiting.postMessage(TAKE_OVER)
    else location.reload()
  }
  const reportWaiting = () => {
    // Without a controller this worker is the first one, and the page has its version.
    if (registration.waiting && serviceWorker.controller) onUpdate(update)
  }
  // The browser looks for a newer version while the page loads: it may be installed, or installing, before this
  // script listens.
  const watchInstalling = () => registration.installing?.addEventListener('statechange', reportWaiting)
  reportWaiting()
  watchInstalling()
  registration.addEventListener('updatefound', watchInstalling)
}
