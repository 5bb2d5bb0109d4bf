/** How a trace is cut into sections, and who reads which, in the page and on the command line. */

/** Sections that may wait for their turn, per helper. */
export const AHEAD = 2

/**
 * Every how many sections one is for a helper, from the first on. Of two workers, the first reads every second section; of more, it has enough to
 * do with joining what the others read.
 */
export const strideOf = (workers: number): number => (workers === 2 ? 2 : 1)

/** File and first byte of each excerpt, from the list of the engine. */
export const excerptsOf = (wanted: Float64Array): readonly (readonly [file: number, at: number])[] =>
  Array.from({ length: wanted.length / 2 }, (_, i) => [wanted[2 * i] ?? 0, wanted[2 * i + 1] ?? 0])
