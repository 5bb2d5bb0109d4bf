/** Repetitions, and the figures that stand for them. */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/**
 * The value below which this share of the values is; NaN of none.
 * @param {readonly number[]} values @param {number} share
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/**
 * Works so many times, one after another: two at once would measure each other.
 * @template T @param {number} count @param {() => Promise<T>} work
 */
export async function repeat(count, work) {
  /** @type {T[]} */
  const results = []
  while (results.length < count) results.push(await work())
  return results
}
