/** The first `limit` entries of each kind, in their order, and the number of further entries by kind. */
export function firstOfEach<T>(
  entries: readonly T[],
  kindOf: (entry: T) => string,
  limit: number,
): { readonly first: readonly T[]; readonly more: readonly (readonly [string, number])[] } {
  const counts = new Map<string, number>()
  const first = entries.filter(entry => {
    const count = (counts.get(kindOf(entry)) ?? 0) + 1
    counts.set(kindOf(entry), count)
    return count <= limit
  })
  return {
    first,
    more: [...counts].flatMap(([kind, count]) => (count > limit ? [[kind, count - limit] as const] : [])),
  }
}
