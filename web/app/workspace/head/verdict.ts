/** The second line of the verdict: how large the difference is, and what is certain about it. */
import type { ComparisonOutcome, Sentence, Verdict } from '../../../engine/protocol'
import { quantity } from '../../../lib/format'

/** The verdict whose mark and colour an outcome has, and its word. */
export const OUTCOMES: Readonly<Record<ComparisonOutcome, readonly [Verdict, string]>> = {
  slower: ['worse', 'slower'],
  faster: ['better', 'faster'],
  equal: ['equal', 'equal within noise'],
  unsure: ['unsure', 'unsure'],
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
