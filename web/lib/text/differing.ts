/** What tells names apart that share long parts: file names of a series of recordings. */

export interface DifferingName {
  /** What all names begin with. */
  readonly head: string
  /** What differs; never empty. */
  readonly part: string
  /** What all names end with. */
  readonly tail: string
}

/** A word with the separators behind it, so that the words joined are the name. Versions (`6.1.0`) are one word. */
const wordsOf = (name: string): readonly string[] => name.match(/[^-_,\s/]+[-_,\s/]*|[-_,\s/]+/g) ?? []

const sharedCount = (lists: readonly (readonly string[])[]): number => {
  const [first = [], ...rest] = lists
  const end = first.findIndex((word, i) => rest.some(list => list[i] !== word))
  return end < 0 ? first.length : end
}

/**
 * Splits names at words that all of them share at both ends. `undefined` where nothing is shared, or where one name
 * would have nothing left: then no part tells them apart.
 */
export function splitByDifference(names: readonly string[]): readonly DifferingName[] | undefined {
  if (names.length < 2) return undefined
  const lists = names.map(wordsOf)
  const head = sharedCount(lists)
  const tail = sharedCount(lists.map(list => list.slice(head).toReversed()))
  if (head + tail === 0) return undefined
  const split = lists.map(list => {
    const end = list.length - tail
    const part = list.slice(head, end).join('')
    const name = part.replace(/[-_,\s/]+$/, '')
    return { head: list.slice(0, head).join(''), part: name, tail: part.slice(name.length) + list.slice(end).join('') }
  })
  return split.every(({ part }) => part !== '') ? split : undefined
}

/** Elides the middle of a text that is longer than `length`: `ext4-buffered…-linux-`. */
export function elide(text: string, length: number): string {
  if (text.length <= length) return text
  const end = Math.floor((length - 1) / 3)
  return `${text.slice(0, length - 1 - end)}\u2026${end > 0 ? text.slice(-end) : ''}`
}
