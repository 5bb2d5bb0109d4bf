/** Series of builds with known changes, from a seed. */

/** Numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

interface MadeNoise {
  /** Standard deviation of a run, as a share. */
  readonly runs?: number
  /** Standard deviation of what all runs of a build share. */
  readonly builds?: number
  /** Correlation of that between adjacent builds. */
  readonly alike?: number
  readonly repeats?: number
}

/** Builds with a figure of 100 times `level`. */
export function madeBuilds(
  random: () => number,
  count: number,
  level: (build: number) => number,
  { runs = 0.01, builds = 0, alike = 0, repeats = 3 }: MadeNoise = {},
): readonly (readonly number[])[] {
  let shared = 0
  return Array.from({ length: count }, (_, i) => {
    shared = alike * shared + Math.sqrt(1 - alike * alike) * builds * normal(random)
    return Array.from({ length: repeats }, () => 100 * level(i) * Math.exp(shared + runs * normal(random)))
  })
}
