/** The order of names with numbers in them: `build 9` before `build 10`, `6.12-rc1` before `6.12`, `6.1` before `6.12`. */

const collator = new Intl.Collator('en', { numeric: true })

/** A release candidate comes before its release, which is the same name without it. */
const plainOf = (name: string): string => name.replace(/-rc\d+/, '')
const candidate = (name: string): string | undefined => /-rc(\d+)/.exec(name)?.[1]

export function naturalOrder(a: string, b: string): number {
  const [rcA, rcB] = [candidate(a), candidate(b)]
  const plain = collator.compare(plainOf(a), plainOf(b))
  if (plain !== 0 || rcA === rcB) return plain
  if (rcA === undefined) return 1
  return rcB === undefined ? -1 : Number(rcA) - Number(rcB)
}
