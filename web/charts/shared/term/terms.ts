/** The terms that the page explains where they stand. `docs/terms.md` is their only home. */
import table from '../../../../docs/terms.md?raw'

export interface Term {
  /** Its spelling in the table: the first one. */
  readonly name: string
  readonly spellings: readonly string[]
  readonly meaning: string
}

const ROW = /^\| ([^|]+) \| ([^|]+) \|$/gm

export const TERMS: readonly Term[] = [...table.matchAll(ROW)].flatMap(([, names = '', meaning = '']) => {
  const spellings = names.split(', ')
  const [name] = spellings
  return name === undefined || name === 'term' ? [] : [{ name, spellings, meaning }]
})

const BY_SPELLING = new Map(TERMS.flatMap(term => term.spellings.map(word => [word.toLowerCase(), term] as const)))

export const termOf = (word: string): Term | undefined => BY_SPELLING.get(word.toLowerCase())

/** Longer spellings first: `queue depth` before a word of it. */
const PATTERN = new RegExp(
  `(?<![\\w-])(${[...BY_SPELLING.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?![\\w-])`,
  'gi',
)

/** Splits a text at the first occurrence of each term: plain texts, and words with their term. */
export function splitAtTerms(text: string): readonly (string | { readonly word: string; readonly term: Term })[] {
  const parts: (string | { readonly word: string; readonly term: Term })[] = []
  const seen = new Set<Term>()
  let end = 0
  for (const { index, 0: word } of text.matchAll(PATTERN)) {
    const term = termOf(word)
    if (term === undefined || seen.has(term)) continue
    seen.add(term)
    if (index > end) parts.push(text.slice(end, index))
    parts.push({ word, term })
    end = index + word.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}
