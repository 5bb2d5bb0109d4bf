/** How a trace is cut into sections, and who reads which, in the page and on the command line. */

/** Sections that may wait for their turn, per helper. */
export const AHEAD = 2

/** Of five sections in a row, those for the helper of two workers. */
const HELPED = [true, false, true, true, false]

/**
 * Whether a section is for a helper. Of two workers, the first joins what the other reads, which takes a third of
 * the time of reading it, and has two of five left to read; of more, it has enough to do with joining.
 */
export const isHelped = (section: number, workers: number): boolean =>
  workers !== 2 || HELPED[section % HELPED.length] === true

/** The next section for a helper. */
export const nextHelped = (section: number, workers: number): number =>
  isHelped(section + 1, workers) ? section + 1 : nextHelped(section + 1, workers)

/** File and first byte of each excerpt, from the list of the engine. */
export const excerptsOf = (wanted: Float64Array): readonly (readonly [file: number, at: number])[] =>
  Array.from({ length: wanted.length / 2 }, (_, i) => [wanted[2 * i] ?? 0, wanted[2 * i + 1] ?? 0])
