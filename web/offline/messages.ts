/** The page's message to a waiting service worker. */
export const TAKE_OVER = 'take over'
