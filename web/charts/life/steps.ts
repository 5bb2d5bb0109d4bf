/** A request's life as steps: time, duration, and the run's median for comparison. */
import type { Life, QueryAnswer, Stage } from '../../engine/protocol'

export interface LifeStep {
  /** Q, G, I, D, C. */
  readonly letter: string
  readonly name: string
  /** ns since the trace's start. */
  readonly time: number
  /** ns since the previous step; absent for the first. */
  readonly took?: number
  /** Stage from the previous step to this one, where it has a name. */
  readonly stage?: Stage
  /** Median of that stage over the run, ns. */
  readonly median?: number
  /** Token of the stage's colour. */
  readonly token?: string
}

const NAMES = [
  ['Q', 'bio queued', 'queued'],
  ['G', 'request allocated', 'allocated'],
  ['I', 'inserted in scheduler', 'inserted'],
  ['D', 'issued to the driver', 'issued'],
  ['C', 'completed', 'completed'],
] as const

const STAGES: Readonly<Record<string, Stage>> = {
  QG: 'q2g',
  GI: 'g2i',
  ID: 'i2d',
  DC: 'd2c',
  GD: 'g2d',
  QD: 'q2d',
  QC: 'q2c',
}
const TOKENS: Readonly<Record<string, string>> = { G: 'st-q2g', I: 'st-g2i', D: 'st-i2d', C: 'st-d2c' }

/** Steps that the trace has, in time order. */
export function stepsOf(life: Life, medians: QueryAnswer<'stages'>['stages'] = []): readonly LifeStep[] {
  const steps: LifeStep[] = []
  for (const [letter, name, key] of NAMES) {
    const time = life[key]
    if (time === undefined) continue
    const before = steps.at(-1)
    const stage = before && STAGES[before.letter + letter]
    const median = medians.find(m => m.stage === stage)?.median
    const token = before === undefined ? undefined : TOKENS[letter]
    steps.push({
      letter,
      name,
      time: time,
      ...(before && { took: time - before.time }),
      ...(stage && { stage }),
      ...(median !== undefined && { median }),
      ...(token && { token }),
    })
  }
  return steps
}

/** From the first to the last step, ns; absent for a request with a single step. */
export function lengthOf(steps: readonly LifeStep[]): number | undefined {
  const [first, last] = [steps[0], steps.at(-1)]
  return first === undefined || last === undefined || first === last ? undefined : last.time - first.time
}

/** Text inside a segment with room for it. */
export const SEGMENT_WORDS: Readonly<Record<string, string>> = {
  G: 'allocating',
  I: 'inserted',
  D: 'waiting in the scheduler',
  C: 'in the device',
}

/** Positions of letters above the bar, without overlaps. `apart` is the least distance, in the unit of `width`. */
export function placeLetters(steps: readonly LifeStep[], width: number, apart: number): readonly number[] {
  const first = steps[0]?.time ?? 0
  const span = lengthOf(steps) ?? 1
  const places = steps.map(step => ((step.time - first) / span) * width)
  for (let i = 1; i < places.length; i += 1) places[i] = Math.max(places[i] ?? 0, (places[i - 1] ?? 0) + apart)
  let limit = width
  for (let i = places.length - 1; i >= 0; i -= 1) {
    places[i] = Math.min(places[i] ?? 0, limit)
    limit = (places[i] ?? 0) - apart
  }
  return places
}
