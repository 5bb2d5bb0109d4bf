/** Turns mean stages into segments of a bar: Q2G, G2I, I2D, D2C where the trace has them, else Q2D and D2C. */
import type { QueryAnswer, Stage } from '../../engine/protocol'
import { duration, figure } from '../../lib/format'
import type { Shown } from '../shared/answers/shown'

export interface StageSegment {
  readonly stage: Stage
  /** ns. */
  readonly mean: number
  readonly token: string
}

type StageAnswers = QueryAnswer<'stages'>['stages']

const TOKENS: Partial<Record<Stage, string>> = {
  q2g: 'st-q2g',
  g2i: 'st-g2i',
  i2d: 'st-i2d',
  g2d: 'st-i2d',
  q2d: 'st-i2d',
  d2c: 'st-d2c',
  q2c: 'st-d2c',
}
/** Ways to cut a request's life into parts that add up, finest first. */
const CUTS: readonly (readonly Stage[])[] = [
  ['q2g', 'g2i', 'i2d', 'd2c'],
  ['q2g', 'g2d', 'd2c'],
  ['q2d', 'd2c'],
  ['d2c'],
  ['q2c'],
]

const has = (stages: StageAnswers, stage: Stage): boolean => stages.some(s => s.stage === stage && s.n > 0)

/** The finest cut with all its stages in every run that has stages: bars of different cuts are not comparable. */
export function cutOf(runs: readonly StageAnswers[]): readonly Stage[] {
  const recorded = runs.filter(stages => stages.some(s => s.n > 0))
  return recorded.length === 0
    ? []
    : (CUTS.find(cut => recorded.every(stages => cut.every(stage => has(stages, stage)))) ?? [])
}

/** One run's means of the stages of a cut. */
export function segmentsOf(stages: StageAnswers, cut: readonly Stage[]): readonly StageSegment[] {
  if (!cut.some(stage => has(stages, stage))) return []
  return cut.map(stage => ({
    stage,
    mean: stages.find(s => s.stage === stage)?.mean ?? 0,
    token: TOKENS[stage] ?? 'st-d2c',
  }))
}

export const stageName = (stage: Stage): string => stage.toUpperCase()

/** The segments that people look for have their name and mean in them, where it fits; the others are in the legend. */
const NAMED = ['st-i2d', 'st-d2c']

/** `D2C 7.47`, in a unit of `per` ns; `undefined` for a segment without a name. */
export const segmentName = ({ stage, mean, token }: StageSegment, per: number): string | undefined =>
  NAMED.includes(token) ? `${stageName(stage)} ${figure(mean / per)}` : undefined

export const totalOf = (segments: readonly StageSegment[]): number => segments.reduce((sum, s) => sum + s.mean, 0)

/** What sentences call the chart. */
export const NOUN = 'Stages'

export function words(run: Shown, segments: readonly StageSegment[]): string {
  if (segments.length === 0) return `${NOUN} of ${run.letter}: no visible request completed.`
  return `${NOUN} of ${run.letter}, mean per request: ${segments.map(s => `${stageName(s.stage)} ${duration(s.mean)}`).join(', ')}; ${duration(totalOf(segments))} in total.`
}
