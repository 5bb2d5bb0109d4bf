/** False discovery rate by Benjamini and Hochberg: of what is reported, at most this share is expected to be chance. */

/**
 * False discovery rates (Benjamini and Hochberg) of the p values `p`. `tests` is the number of all tests, including
 * those without a result, which have no value in `p`.
 */
export function falseDiscoveryRates(p: readonly number[], tests: number): readonly number[] {
  const order = p.map((_, i) => i).sort((a, b) => (p[a] ?? 1) - (p[b] ?? 1))
  const rates = new Array<number>(p.length).fill(1)
  let minRate = 1
  for (let rank = order.length; rank > 0; rank--) {
    const index = order[rank - 1] ?? 0
    minRate = Math.min(minRate, ((p[index] ?? 1) * Math.max(tests, p.length)) / rank)
    rates[index] = minRate
  }
  return rates
}
