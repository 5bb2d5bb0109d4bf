/**
 * The recorded groups of runs; none if all runs are in one group, because there is no other group to compare it with.
 */
export const groupsIfSeveral = (groups: readonly (string | undefined)[]): readonly (string | undefined)[] =>
  new Set(groups).size < 2 ? groups.map(() => undefined) : groups
