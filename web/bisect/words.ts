/** What is said of a bisection: the same sentences in the report of the command line and on the page. */
import type { BisectEvidence, BisectLevel, PrintedAnchor, PrintedBisection, PrintedCommit } from '../engine/protocol'
import type { Words } from '../lib/format'
import { decidingFigure, findingFigure, lastJudged, otherFigure } from './document'

/** Digits of a commit in messages. */
const SHORT_HASH = 12

export const shortHash = (commit: string): string => commit.slice(0, SHORT_HASH)

/** Titles of the parts of a report. */
export const TITLES = {
  continue: 'To continue',
  check: 'To check that it is the cause',
  mail: 'For the mail',
} as const

export const nextTitle = ({ first_bad }: PrintedBisection): string =>
  first_bad === undefined ? TITLES.continue : TITLES.check

/** Columns of the steps. */
export const COLUMNS = {
  step: 'step',
  commit: 'commit',
  runs: 'runs',
  figure: 'figure',
  interval: '95% interval',
  finding: 'finding',
  verdict: 'verdict',
  subject: 'subject',
} as const

export const intervalText = (unit: string, { ci95: [low, high] }: BisectLevel, words: Words): string =>
  `${words.quantity(unit, low)} to ${words.quantity(unit, high)}`

/** `19.2% (18.1% to 20.3%)`. */
export const levelText = (unit: string, level: BisectLevel, words: Words): string =>
  `${words.quantity(unit, level.value)} (${intervalText(unit, level, words)})`

/** Whether a commit has the finding; absent where that was not asked. */
export const presenceText = ({ finding }: Pick<PrintedCommit, 'finding'>): string | undefined =>
  finding?.present === undefined ? undefined : finding.present ? 'present' : 'absent'

/** What to do if a commit is like neither side; undefined if it is like one of them. */
export function staleText({ place }: Pick<BisectEvidence, 'place'>): string | undefined {
  const again = 'Measure them again with --anchor good and --anchor bad if the machine has changed.'
  switch (place) {
    case 'beyond-good':
      return `It lies outside of both, beyond good: good and bad look stale. ${again}`
    case 'beyond-bad':
      return `It lies outside of both, beyond bad: good and bad look stale. ${again}`
    case 'between':
      return `It lies between both and is like neither: another commit changed it too, or good and bad are stale. ${again}`
    default:
      return undefined
  }
}

/** What was found, or what remains, without a full stop. */
export function foundText({ first_bad, remaining }: PrintedBisection, words: Words): string {
  if (first_bad !== undefined) return `${shortHash(first_bad)} is the first bad commit`
  return remaining
    ? `The first bad commit is one of ${words.count(remaining.length)}`
    : 'The first bad commit is not known yet'
}

/** `6 steps, 21 runs, 1 skipped, 48 s`. */
export const costText = ({ steps, runs, skipped, seconds }: PrintedBisection, words: Words): string =>
  `${words.counted(steps, 'step')}, ${words.counted(runs, 'run')}, ${skipped} skipped, ${words.duration(seconds * 1e9)}`

/** Between which commits the change is, and how many lie between them; without a full stop. */
export function betweenText({ sides, between }: PrintedBisection, words: Words): string | undefined {
  const [good, bad] = (['good', 'bad'] as const).map(side => sides.find(candidate => candidate.side === side)?.commit)
  if (good === undefined || bad === undefined) return undefined
  const rest =
    between === undefined ? '' : `, ${between === 0 ? 'nothing' : words.counted(between, 'commit')} in between`
  return `Between ${shortHash(good)} (good) and ${shortHash(bad)} (bad)${rest}`
}

/** The levels that commits were judged by, as the last step knew them. */
export function judgedByText(bisection: PrintedBisection, words: Words): string | undefined {
  const last = lastJudged(bisection)
  const figure = last && decidingFigure(last)
  if (!figure) return undefined
  const { label, unit, good, bad } = figure
  const followed = last.finding ? `, finding ${last.finding.code}` : ''
  return `Judged by ${label}${followed}: good ${levelText(unit, good, words)}, bad ${levelText(unit, bad, words)}.`
}

/** Whether the figure beside that of the finding would not have told a commit apart, while the finding did. */
export function needsFinding(commit: PrintedCommit): boolean {
  const other = otherFigure(commit)
  return (
    findingFigure(commit) !== undefined &&
    decidingFigure(commit)?.of_finding === true &&
    commit.verdict !== 'skip' &&
    other?.commit !== undefined &&
    other.verdict === undefined
  )
}

/** Which steps the finding decided although the other figure is undecided; undefined if none. */
export function needsFindingText({ commits }: PrintedBisection): string | undefined {
  const found = commits.filter(needsFinding)
  const [first] = found
  const [deciding, other] = [first && decidingFigure(first)?.label, first && otherFigure(first)?.label]
  if (deciding === undefined || other === undefined) return undefined
  const steps = found.map(({ step }) => step).sort((a, b) => a - b)
  return `${other} alone would not decide ${steps.length === 1 ? 'step' : 'steps'} ${steps.join(', ')}: ${deciding} does.`
}

/** `2026-11-28 22:21:40 UTC`. */
export const timeText = (time: string): string => time.replace(/^([\d-]+)T([\d:]+)(?:\.\d+)?Z$/, '$1 $2 UTC')

/** How the level of a side changed between the steps before and after it was measured again. */
function levelChange({ commits }: PrintedBisection, { side, steps }: PrintedAnchor, words: Words): string {
  const judged = commits.filter(({ evidence }) => evidence.length > 0).sort((a, b) => a.step - b.step)
  const [before, after] = [judged.findLast(({ step }) => step <= steps), judged.find(({ step }) => step > steps)]
  const figure = after && decidingFigure(after)
  const previous = before?.evidence.find(({ key }) => key === figure?.key)
  if (!figure || !previous) return ''
  const [from, to] = [previous, figure].map(({ unit, [side]: level }) => words.quantity(unit, level.value))
  return ` Its ${figure.label} went from ${from} to ${to}.`
}

/** When good and bad were measured again. */
export const anchorTexts = (bisection: PrintedBisection, words: Words): readonly string[] =>
  bisection.anchors.map(anchor => {
    const { side, runs, time, steps } = anchor
    const after = steps === 0 ? 'before the first step' : `after step ${steps}`
    const measured = `${side} was measured again ${after}, at ${timeText(time)}, ${words.counted(runs, 'run')}.`
    return measured + levelChange(bisection, anchor, words)
  })

/** What a reader should know before believing it. */
export const doubtTexts = ({ commits, remaining, first_bad }: PrintedBisection): readonly string[] =>
  commits.flatMap(commit => {
    const { step, verdict, reason, contradicted, decided_by = 0, mends, subject = '' } = commit
    const deciding = decidingFigure(commit)
    const isStale = deciding !== undefined && staleText(deciding) !== undefined
    const doubt = isStale || contradicted || decided_by > 0 ? [`Step ${step}: ${reason}`] : []
    if (mends) {
      const name = shortHash(commit.commit ?? '')
      return [...doubt, `Step ${step}: ${name} comes after the first bad commit and is good: ${subject}`]
    }
    if (verdict !== 'skip') return doubt
    const isOutside =
      first_bad !== undefined && commit.commit !== undefined && remaining?.includes(commit.commit) === false
    return [`Step ${step}: ${reason}${isOutside ? ' It is outside of what remains and changes nothing.' : ''}`]
  })
