/** The rows of the table of steps: good as it was given, the commits in the order of the history, and bad. */
import { drawnFigures } from '../../bisect/sides'
import { needsFinding, presenceText, shortHash } from '../../bisect/words'
import type { BisectLevel, BisectVerdict, PrintedBisection, PrintedCommit } from '../../engine/protocol'
import { count } from '../../lib/format'

export interface StepLine {
  /** Number of the step; the name of a side that was given. */
  readonly step: string
  readonly commit?: string
  readonly subject: string
  readonly runs?: number
  /** Levels of the two drawn figures; absent where no run has them. */
  readonly main?: BisectLevel
  readonly finding?: BisectLevel
  /** Whether it has the finding, and whether only that decided. */
  readonly mechanism: string
  readonly verdict: PrintedCommit['verdict']
  readonly isFirstBad: boolean
}

function givenLine(document: PrintedBisection, side: BisectVerdict): StepLine {
  const { main, finding } = drawnFigures(document)
  const [commit, ...others] = document.endpoints.find(candidate => candidate.side === side)?.commits ?? []
  const level = main?.[side]
  const again = document.anchors.some(anchor => anchor.side === side) ? ', measured again' : ''
  return {
    step: side,
    ...(commit !== undefined && { commit: shortHash(commit) }),
    subject: `given as ${side}${others.length > 0 ? `, and ${count(others.length)} more` : ''}${again}`,
    ...(level && { main: level, runs: level.runs }),
    ...(finding && { finding: finding[side] }),
    mechanism: '',
    verdict: side,
    isFirstBad: false,
  }
}

function mechanismOf(commit: PrintedCommit, mainLabel: string | undefined): string {
  const presence = presenceText(commit) ?? ''
  return needsFinding(commit) ? `${presence}; ${mainLabel} alone is undecided` : presence
}

export function stepLines(document: PrintedBisection): readonly StepLine[] {
  const { main, finding } = drawnFigures(document)
  const lines = document.commits.map((row): StepLine => {
    const levelOf = (key: string | undefined) => row.evidence.find(figure => figure.key === key)?.commit
    const [mainLevel, findingLevel] = [levelOf(main?.key), levelOf(finding?.key)]
    return {
      step: String(row.step),
      ...(row.commit !== undefined && { commit: shortHash(row.commit) }),
      subject: row.subject ?? '',
      runs: row.runs,
      ...(mainLevel && { main: mainLevel }),
      ...(findingLevel && { finding: findingLevel }),
      mechanism: mechanismOf(row, main?.label),
      verdict: row.verdict,
      isFirstBad: row.commit !== undefined && row.commit === document.first_bad,
    }
  })
  return main ? [givenLine(document, 'good'), ...lines, givenLine(document, 'bad')] : lines
}

/** The largest value that is drawn of a figure, so that all fit on an axis from 0. */
export function axisEnd(levels: readonly (BisectLevel | undefined)[]): number {
  const ends = levels.flatMap(level => (level ? [level.value, ...level.ci95] : []))
  return Math.max(Number.MIN_VALUE, ...ends) * 1.02
}
