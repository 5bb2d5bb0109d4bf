/** False discovery rate by Benjamini and Hochberg: of what is reported, at most this share is expected to be chance. */

/** Rates of `p`, where so many tests were made. Those of tests without a result count, and are not in `p`. */
export function falseDiscoveryRates(p: readonly number[], tests: number): readonly number[] {
  const order = p.map((_, i) => i).sort((a, b) => (p[a] ?? 1) - (p[b] ?? 1))
  const rates = new Array<number>(p.length).fill(1)
  let least = 1
  for (let rank = order.length; rank > 0; rank--) {
    const at = order[rank - 1] ?? 0
    least = Math.min(least, ((p[at] ?? 1) * Math.max(tests, p.length)) / rank)
    rates[at] = least
  }
  return rates
}
