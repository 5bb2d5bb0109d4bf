/** A request's life as steps: when each was, how long it took, and how that compares with the run's median. */
import type { Life, QueryAnswer, Stage } from '../../engine/protocol'

export interface Step {
  /** Q, G, I, D, C. */
  readonly letter: string
  readonly name: string
  /** ns since the trace's start. */
  readonly at: number
  /** ns since the step before; absent for the first. */
  readonly took?: number
  /** Stage from the step before to this one, where it has a name. */
  readonly stage?: Stage
  /** Median of that stage over the run, ns. */
  readonly median?: number
  /** Token of the stage's colour. */
  readonly token?: string
}

const NAMES = [
  ['Q', 'bio queued', 'queued'],
  ['G', 'request allocated', 'allocated'],
  ['I', 'given to the scheduler', 'inserted'],
  ['D', 'issued to the driver', 'issued'],
  ['C', 'completed', 'completed'],
] as const

const STAGES: Readonly<Record<string, Stage>> = { QG: 'q2g', GI: 'g2i', ID: 'i2d', DC: 'd2c', GD: 'g2d', QD: 'q2d', QC: 'q2c' }
const TOKENS: Readonly<Record<string, string>> = { G: 'st-q2g', I: 'st-g2i', D: 'st-i2d', C: 'st-d2c' }

/** Steps that the trace has, in the order of time. */
export function stepsOf(life: Life, medians: QueryAnswer<'stages'>['stages'] = []): readonly Step[] {
  const steps: Step[] = []
  for (const [letter, name, key] of NAMES) {
    const at = life[key]
    if (at === undefined) continue
    const before = steps.at(-1)
    const stage = before && STAGES[before.letter + letter]
    const median = medians.find(m => m.stage === stage)?.median
    const token = before === undefined ? undefined : TOKENS[letter]
    steps.push({
      letter,
      name,
      at,
      ...(before && { took: at - before.at }),
      ...(stage && { stage }),
      ...(median !== undefined && { median }),
      ...(token && { token }),
    })
  }
  return steps
}

/** From the first to the last step, ns; absent for a request that only has one. */
export function lengthOf(steps: readonly Step[]): number | undefined {
  const [first, last] = [steps[0], steps.at(-1)]
  return first === undefined || last === undefined || first === last ? undefined : last.at - first.at
}

/** What is named inside the longest segment. */
export const SEGMENT_WORDS: Readonly<Record<string, string>> = {
  G: 'allocating',
  I: 'given to the scheduler',
  D: 'held by the scheduler',
  C: 'in the device',
}

/** Letters above the bar: at their place, but never over each other. `apart` is the least distance, same unit as `width`. */
export function placeLetters(steps: readonly Step[], width: number, apart: number): readonly number[] {
  const first = steps[0]?.at ?? 0
  const span = lengthOf(steps) ?? 1
  const places = steps.map(step => ((step.at - first) / span) * width)
  for (let i = 1; i < places.length; i += 1) places[i] = Math.max(places[i] ?? 0, (places[i - 1] ?? 0) + apart)
  let limit = width
  for (let i = places.length - 1; i >= 0; i -= 1) {
    places[i] = Math.min(places[i] ?? 0, limit)
    limit = (places[i] ?? 0) - apart
  }
  return places
}
