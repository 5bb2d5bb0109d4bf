/**
 * The groups of runs that are shown together, as recorded: none where all belong to one, which has nothing to be
 * compared with.
 */
export const severalGroups = (noted: readonly (string | undefined)[]): readonly (string | undefined)[] =>
  new Set(noted).size < 2 ? noted.map(() => undefined) : noted
