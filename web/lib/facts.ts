/** Facts of notes, formatted. */
import type { Fact, FactUnit } from '../engine/generated/protocol'
import { count, duration, figure, size } from './format'

const UNITS: Readonly<Record<FactUnit, (n: number) => string>> = {
  ns: duration,
  bytes: size,
  'bytes/s': n => `${size(n)}/s`,
  '1/s': n => `${figure(n)}/s`,
  sectors: n => `${count(n)} sectors`,
  sector: count,
  KiB: n => `${count(n)} KiB`,
  events: count,
}

/** `2.69 GiB`, `2,693/s`, `randread`. */
export function factValue({ value, unit }: Fact): string {
  if (typeof value === 'string') return value
  return unit ? UNITS[unit](value) : String(value)
}

/** Facts by subject, in the order of the text; `undefined`: the complete text. */
export function bySubject(facts: readonly Fact[]): readonly (readonly [string | undefined, readonly Fact[]])[] {
  const groups = new Map<string | undefined, Fact[]>()
  for (const fact of facts) groups.set(fact.of, [...(groups.get(fact.of) ?? []), fact])
  return [...groups]
}
