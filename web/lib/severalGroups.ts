/**
 * The recorded groups of runs; none if all runs are in one group, because there is no other group to compare it with.
 */
export const severalGroups = (noted: readonly (string | undefined)[]): readonly (string | undefined)[] =>
  new Set(noted).size < 2 ? noted.map(() => undefined) : noted
