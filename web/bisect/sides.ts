/** The two commits of a bisection that are compared: the last good and the first bad one. */
import type { BisectEvidence, BisectLevel, BisectVerdict, PrintedBisection, PrintedSide } from '../engine/protocol'
import { findingFigure, lastJudged, otherFigure } from './document'

/** Maximum number of runs of a side that are compared: a page has twenty letters. */
export const MAX_SIDE_RUNS = 10

export const sideNamed = ({ sides }: PrintedBisection, side: BisectVerdict): PrintedSide | undefined =>
  sides.find(candidate => candidate.side === side)

/** The digests that are compared, those of the good commit first; none unless both sides have some. */
export function sideDigests(bisection: PrintedBisection): readonly string[] {
  const sides = (['good', 'bad'] as const).map(
    side => sideNamed(bisection, side)?.digests.slice(0, MAX_SIDE_RUNS) ?? [],
  )
  return sides.every(digests => digests.length > 0) ? sides.flat() : []
}

/** The figures that the page draws: one as a value with its interval, that of the finding as a bar. */
export interface DrawnFigures {
  /** Beside that of the finding; without a finding, the deciding one. */
  readonly main?: BisectEvidence
  /** Of the finding; absent where it is the only figure or there is no finding. */
  readonly finding?: BisectEvidence
}

/** The figures, with the levels of good and bad as the last step knew them. */
export function drawnFigures(bisection: PrintedBisection): DrawnFigures {
  const last = lastJudged(bisection)
  if (!last) return {}
  const other = otherFigure(last)
  const finding = findingFigure(last)
  const main = other ?? finding
  return { ...(main && { main }), ...(other && finding && { finding }) }
}

/** The level of a side in a figure: as its step measured it, or as it was given. */
export function sideLevel(
  { commits }: PrintedBisection,
  { side, step }: PrintedSide,
  figure: BisectEvidence,
): BisectLevel | undefined {
  if (step === undefined) return figure[side]
  const tested = commits.find(commit => commit.step === step)
  return tested?.evidence.find(({ key }) => key === figure.key)?.commit
}
