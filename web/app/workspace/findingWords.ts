/** What the engine says of a comparison, as the page prints it. */
import type { ComparedFigure, Comparison, Finding } from '../../engine/protocol'
import { count, duration, figure, rate, share, size } from '../../lib/format'

/** The engine writes for mails, in ASCII: `x19`, `-48%`, `802 us`. */
export const printed = (sentence: string): string =>
  sentence
    .replace(/\(x(?=\d)/g, '(\u00d7')
    .replace(/\(-(?=\d)/g, '(\u2212')
    .replace(/(?<=\d) us\b/g, ' \u00b5s')

/** Value of a figure in its own unit. */
export function quantity(unit: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return '-'
  switch (unit) {
    case 'ns':
      return duration(value)
    case 'share':
      return share(value)
    case 'bytes':
      return size(value)
    case 'bytes/s':
      return rate(value)
    case 'count':
      return count(value)
    case '1/s':
      return `${figure(value)}/s`
    case 'sectors':
      return `${figure(value)} sectors`
    default:
      return figure(value)
  }
}

export interface Told {
  readonly key: string
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The figures that a finding speaks of, in the order of the table; those without an entry there are left out. */
export function figuresOf({ figures }: Finding, all: readonly ComparedFigure[]): readonly Told[] {
  return all.flatMap(({ key, label, unit }) => {
    const both = figures[key]
    return both ? [{ key, label, before: quantity(unit, both[0]), after: quantity(unit, both[1]) }] : []
  })
}

export interface LostPart {
  readonly name: string
  readonly token: string
  /** ns; less when negative. */
  readonly ns: number
}

const PARTS = [
  ['starved', 'starved: idle while requests wait', '--starved'],
  ['busy_waiting', 'busy while others wait', '--comp-held'],
  ['busy', 'busy, none waiting', '--comp-ok'],
  ['nobody', 'nobody asks', '--sunken'],
] as const

/** Where the time went, in parts that add up to the whole; nothing where the device does not tell. */
export const lostParts = ({ lost_ns: lost }: Comparison): readonly LostPart[] =>
  lost === undefined ? [] : PARTS.map(([key, name, token]) => ({ name, token, ns: lost[key] }))

/** `+1.40 s`, `−0.2 s`. */
export const signedTime = (ns: number): string => (ns > 0 ? `+${duration(ns)}` : duration(ns))

/** What the bars add up to. */
export function lostWords(comparison: Comparison, labels: { readonly other: string; readonly base: string }): string {
  const total = comparison.lost_ns?.total ?? 0
  const much = duration(Math.abs(total))
  if (comparison.outcome === 'equal') return `${labels.other} took ${much} ${total < 0 ? 'less' : 'more'} for the same work, within the noise; where:`
  return `For the same work ${labels.other} took ${much} ${total < 0 ? 'less' : 'more'} than ${labels.base}; where it went:`
}
