/** How large the difference of a comparison is, in words. */
import { type ComparisonOutcome, FINDING_TITLES, type Sentence } from '../../engine/protocol'
import { quantity } from '../../lib/format'
import type { Page } from '../page'
import { lettersOfSide } from '../runs/letters'
import type { ComparedRuns, Run } from '../types'
import { currentComparison, isCertain, NO_DIFFERENCE } from './comparing'

export const OUTCOME_WORDS: Readonly<Record<ComparisonOutcome, string>> = {
  slower: 'slower',
  faster: 'faster',
  equal: 'equal within noise',
  unsure: 'unsure',
}

/** A value with its unit as two words: `0.675`, `MB/s`. */
const splitUnit = (text: string): readonly [string, string] => {
  const blank = text.lastIndexOf(' ')
  return blank < 0 ? [text, ''] : [text.slice(0, blank), text.slice(blank + 1)]
}

/** `1.30 → 0.675 MB/s`: the unit stands once where both values have the same. */
function fromTo(before: string, after: string): string {
  const [value, unit] = splitUnit(before)
  return unit !== '' && unit === splitUnit(after)[1] ? `${value} \u2192 ${after}` : `${before} \u2192 ${after}`
}

/** A number of a sentence with its unit, by its name in the engine; absent where the sentence has none. */
export function quantityIn(parts: Sentence | undefined, name: string): string | undefined {
  const part = parts?.find(part => typeof part !== 'string' && 'name' in part && part.name === name)
  return part !== undefined && typeof part !== 'string' && 'value' in part ? quantity(part.unit, part.value) : undefined
}

/** The total of both sides and its change; absent where the verdict has no such numbers. */
export function totalChange(
  parts: Sentence | undefined,
): { readonly change: string; readonly values: string } | undefined {
  const [value, base, change] = ['value', 'value_base', 'by'].map(name => quantityIn(parts, name))
  if (value === undefined || base === undefined || change === undefined) return undefined
  return { change, values: fromTo(base, value) }
}

/** The letters of a side: `A`, for a group, too; `A\u2013C` for runs that are not grouped on the page. */
export function lettersOf(
  { document, runs: ids }: ComparedRuns,
  side: number,
  runs: readonly Run[],
): { readonly name: string; readonly first: string } {
  const letters = document.sides[side]?.runs.map(index => runs.find(run => run.id === ids[index])?.letter ?? '') ?? []
  const [first = ''] = letters
  return { name: lettersOfSide(letters, '\u2013'), first }
}

/**
 * The verdict in one short line, with what the first finding calls it: `B slower, \u221248%; idle while requests
 * waited`.
 */
export function outcomeLine({ runs, comparison: compared }: Pick<Page, 'comparison' | 'runs'>): string | undefined {
  const current = compared && currentComparison({ runs, comparison: compared })
  if (!current) return undefined
  const { comparison, finding } = current
  const letter = isCertain(comparison) ? lettersOf(compared, comparison.side, runs).name : undefined
  const total = totalChange(comparison.verdict_parts)
  const title = finding && !NO_DIFFERENCE.includes(finding.code) ? FINDING_TITLES[finding.code] : undefined
  return [
    letter && `${letter} `,
    OUTCOME_WORDS[comparison.outcome],
    total && `, ${total.change}`,
    title && `; ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
  ]
    .filter(Boolean)
    .join('')
}
