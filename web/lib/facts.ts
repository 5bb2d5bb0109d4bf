/** Formats facts that were read from notes. */
import type { Fact } from '../engine/generated/protocol'
import { quantity } from './format'

/** A fact as text: `2.69 MB/s`, `2,693/s`, `randread`. */
export function factValue({ value, unit }: Fact): string {
  if (typeof value === 'string') return value
  return unit ? quantity(unit, value) : String(value)
}

/** Facts by subject, in the order of the text; `undefined`: the complete text. */
export function bySubject(facts: readonly Fact[]): readonly (readonly [string | undefined, readonly Fact[]])[] {
  const groups = new Map<string | undefined, Fact[]>()
  for (const fact of facts) groups.set(fact.of, [...(groups.get(fact.of) ?? []), fact])
  return [...groups]
}
