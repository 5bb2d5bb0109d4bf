/** Calls of the watch that `pageWatch.mjs` installs in the page, for measurements that use the page. */

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('./pageWatch.mjs').Watched} Watched */

/** Charts that follow a zoom at once; the others wait until the view rests. */
export const AT_ONCE = ['bands', 'seekMap', 'depth', 'starved', 'rate', 'latencyGrid']
/** Longer than the page waits before it asks for what is not urgent, ms. */
export const REST = 600

/**
 * Calls the watch inside the page. @param {Page} page @param {'idle' | 'begin' | 'end' | 'alone' | 'sinceRead'} method
 * @param {number} [argument]
 */
export const watch = (page, method, argument) =>
  page.evaluate(
    ([method, argument]) => Reflect.get(window, 'benchWatch')[method](argument),
    /** @type {const} */ ([method, argument]),
  )

/**
 * What the page did from the begin of a gesture until it rests. @param {Page} page
 * @param {() => Promise<void>} gesture
 */
export async function watched(page, gesture) {
  await watch(page, 'idle', REST)
  await watch(page, 'begin')
  await gesture()
  await watch(page, 'idle', REST)
  return /** @type {Watched} */ (await watch(page, 'end'))
}

/**
 * Time from the last input to the last answer of these kinds, ms. @param {Watched} watched
 * @param {readonly string[]} kinds
 */
export function answeredAfter({ queries, input }, kinds) {
  const times = queries.filter(q => kinds.includes(q.kind) && q.answered > input).map(q => q.answered - input)
  return times.length > 0 ? Math.max(...times) : undefined
}
