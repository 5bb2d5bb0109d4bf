/** Sent by the page to a waiting service worker, which then replaces the active one. */
export const TAKE_OVER = 'take over'
