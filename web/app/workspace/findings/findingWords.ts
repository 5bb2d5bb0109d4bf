/** Sentences and figures of the engine's comparison, with the numbers of the page. */
import {
  type CompareDocument,
  type ComparedFigure,
  type Comparison,
  type Finding,
  type FindingCode,
  type Sentence,
  STATE_NAMES,
} from '../../../engine/protocol'
import { quantity } from '../../../lib/format'
import { STATE_TOKENS, STATES } from './states'

/** A sentence of the engine; `plain` where a snapshot that was made by hand lacks its parts. */
export function sentenceText(
  parts: Sentence | undefined,
  plain: string,
  { sides }: Pick<CompareDocument, 'sides'>,
): string {
  if (parts === undefined) return plain
  return parts
    .map(part =>
      typeof part === 'string'
        ? part
        : 'side' in part
          ? (sides[part.side]?.label ?? '')
          : quantity(part.unit, part.value),
    )
    .join('')
}

export interface FindingFigure {
  readonly key: string
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The figures of a finding, in the order of the table; those without an entry there are left out. */
export function figuresOf({ figures }: Finding, tableFigures: readonly ComparedFigure[]): readonly FindingFigure[] {
  return tableFigures.flatMap(({ key, label, unit }) => {
    const sideValues = figures[key]
    return sideValues
      ? [{ key, label, before: quantity(unit, sideValues[0]), after: quantity(unit, sideValues[1]) }]
      : []
  })
}

/** The changed settings of a finding; `undefined`: not set. */
export function settingsOf({ settings = [] }: Finding): readonly FindingFigure[] {
  const value = (text: string | null) => text ?? 'not set'
  return settings.map(({ name, devices = [], values: [before, after] }) => ({
    key: [...devices, name].join(' '),
    label: devices.length > 0 ? `${devices.join(', ')}: ${name}` : name,
    before: value(before),
    after: value(after),
  }))
}

/** Codes of findings that name no mechanism. */
const NO_MECHANISM: readonly FindingCode[] = [
  'no-real-difference',
  'setting-changed',
  'not-the-same-work',
  'trace-incomplete',
]

/** Whether it is only certain that the block layer behaves differently, not that it took longer. */
export const onlyBehaves = ({ outcome }: Comparison, { code }: Finding): boolean =>
  (outcome === 'unsure' || outcome === 'equal') && !NO_MECHANISM.includes(code)

/** Why a total of single runs is unsure although its interval excludes 1: what the engine measured on repeats. */
export function repeatsDiffer({ outcome, threshold, side }: Comparison, { sides, baseline }: CompareDocument): string {
  const single = [side, baseline].every(index => sides[index]?.runs.length === 1)
  return outcome === 'unsure' && single
    ? `Between such single runs, less than ${Math.round(threshold * 100)}% can be noise. `
    : ''
}

export interface LostTimePart {
  readonly name: string
  readonly token: string
  /** Additional time, ns; negative for less time. */
  readonly ns: number
}

/** The additional time in parts that add up to the total; empty for devices without states. */
export const lostParts = ({ lost_ns: lost }: Comparison): readonly LostTimePart[] =>
  lost === undefined ? [] : STATES.map(key => ({ name: STATE_NAMES[key], token: STATE_TOKENS[key], ns: lost[key] }))

/** Units of times that are listed together, ns. */
const TIME_UNITS = [
  { per: 1e9, unit: 's' },
  { per: 1e6, unit: 'ms' },
  { per: 1e3, unit: '\u00b5s' },
] as const

/**
 * Times with their signs in one unit, with three decimals, so that listed parts add up to their listed sum but for the
 * rounding of the last digit: `+1.401 s`, `\u22120.038 s`.
 */
export function signedTimes(times: readonly number[]): readonly string[] {
  const largest = Math.max(...times.map(Math.abs))
  const { per, unit } = TIME_UNITS.find(candidate => largest >= candidate.per) ?? TIME_UNITS[2]
  return times.map(ns => {
    const digits = Math.abs(ns / per).toFixed(3)
    const sign = Number(digits) === 0 ? '' : ns < 0 ? '\u2212' : '+'
    return `${sign}${digits} ${unit}`
  })
}

/** Why the total of the parts is not certain, in words for its heading; empty if it is. */
export function lostWords({ outcome, margin, work }: Comparison, base: string): string {
  const sure =
    outcome === 'equal'
      ? `equal to within ${Math.round((margin ?? 0) * 100)}%`
      : outcome === 'unsure'
        ? 'unsure: more runs would tell'
        : 'the four parts add up to the difference'
  return `${work.same ? 'For the same work' : `Scaled to the bytes of ${base}`}: ${sure}`
}
