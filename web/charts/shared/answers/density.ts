/** The five density steps of a map: one scale for all visible runs. */

/** 0 for nothing, else 1..5: 1 + floor(5 log n / log max), at most 5. */
export function densityStep(n: number, max: number): number {
  if (n <= 0) return 0
  if (n <= 1 || max <= 1) return 1
  return Math.min(5, 1 + Math.floor((5 * Math.log(n)) / Math.log(max)))
}

/** Steps of every count up to `max`, as a table for painting many cells. */
export function densityTable(max: number): Uint8Array {
  const table = new Uint8Array(Math.min(max, 65_535) + 1)
  for (let n = 1; n < table.length; n += 1) table[n] = densityStep(n, max)
  return table
}
