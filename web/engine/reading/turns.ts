/** Which worker reads which section of a trace, on the page and on the command line. */

/** Number of sections per helper that may be read ahead. */
export const AHEAD = 2

/** Pattern of five sections: those that the helper reads, with two workers. */
const HELPED = [true, false, true, true, false]

/**
 * Whether a helper reads a section. Joining a section takes a third of the time of reading it. With two workers, the
 * first one therefore reads two of five and joins three (2 + 3/3 = 3 units of time, as many as the helper needs).
 * With more workers, it is busy with joining.
 */
export const isHelped = (section: number, workers: number): boolean =>
  workers !== 2 || HELPED[section % HELPED.length] === true

export const nextHelped = (section: number, workers: number): number =>
  isHelped(section + 1, workers) ? section + 1 : nextHelped(section + 1, workers)

/** File and first byte of each excerpt, from the list of the engine. */
export const excerptsOf = (places: Float64Array): readonly (readonly [file: number, byte: number])[] =>
  Array.from({ length: places.length / 2 }, (_, i) => [places[2 * i] ?? 0, places[2 * i + 1] ?? 0])
