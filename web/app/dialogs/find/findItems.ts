/** What `Ctrl K` finds, and how it is searched. Pure: the dialog gives it the page. */

type FindGroup = 'Commands' | 'Findings' | 'Figures' | 'Runs' | 'Processes' | 'Terms'

export interface FindItem {
  readonly group: FindGroup
  readonly label: string
  /** Shown behind the label, and searched, too. */
  readonly detail?: string
  /** Keys of a command, as they are listed. */
  readonly keys?: readonly string[]
  run(): void
}

/** More entries than that are no answer: another word is faster than reading them. */
export const MAX_FOUND = 60

/** How well a label matches: its beginning, the beginning of a word, anywhere; `undefined`: not at all. */
function rankOf({ label, detail = '' }: FindItem, words: readonly string[]): number | undefined {
  const [name, all] = [label.toLowerCase(), `${label} ${detail}`.toLowerCase()]
  if (!words.every(word => all.includes(word))) return undefined
  const [first = ''] = words
  if (name.startsWith(first)) return 0
  if (name.includes(` ${first}`)) return 1
  return name.includes(first) ? 2 : 3
}

/** Entries with all words of the query, the best ones first; those of equal rank stay in their order. */
export function findItems(items: readonly FindItem[], query: string): readonly FindItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return items
    .flatMap(item => {
      const rank = rankOf(item, words)
      return rank === undefined ? [] : [{ item, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_FOUND)
    .map(({ item }) => item)
}
