/** The first entries of each kind, in their order, and by kind how many more there are. */
export function firstOfEach<T>(
  entries: readonly T[],
  kindOf: (entry: T) => string,
  most: number,
): { readonly first: readonly T[]; readonly more: readonly (readonly [string, number])[] } {
  const counts = new Map<string, number>()
  const first = entries.filter(entry => {
    const count = (counts.get(kindOf(entry)) ?? 0) + 1
    counts.set(kindOf(entry), count)
    return count <= most
  })
  return { first, more: [...counts].flatMap(([kind, count]) => (count > most ? [[kind, count - most] as const] : [])) }
}
