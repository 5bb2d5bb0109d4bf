/** Who reads which section of a trace, in the page and on the command line. */

/** Sections that may wait for their turn, per helper. */
export const AHEAD = 2

/**
 * Every how many sections one is for a helper, from the first on. Of two workers, the first reads every second section; of more, it has enough to
 * do with joining what the others read.
 */
export const strideOf = (workers: number): number => (workers === 2 ? 2 : 1)
