/** `seekscope bisect --report`: the bisection as its log tells it. */

import { ascii } from '../../web/lib/format'
import { shellQuoted } from '../../web/lib/text/shell'
import { print } from '../output/output'
import { NAME } from '../program/about'
import { escapeMarkdown } from '../program/markdown'
import { SetupError } from '../program/usage'
import { commitsBetween, hasAncestor, inOrder } from './git'
import { type AnchorRow, type JournalRow, type LoggedEvidence, openJournal, rowsSince, type StepRow } from './journal'
import { SHORT_HASH } from './step'
import { levelText, staleWords } from './words'

type ReportFormat = 'text' | 'json' | 'markdown'

/** A row per commit; the last step of a commit that was tested again. */
interface ReportedCommit {
  readonly step: number
  readonly commit?: string
  readonly subject?: string
  readonly runs: number
  readonly verdict: StepRow['verdict']
  /** The figure that decided, or would have. */
  readonly figure?: LoggedEvidence
  /** The figure of the finding. */
  readonly mechanism?: LoggedEvidence
  readonly finding?: StepRow['finding']
  readonly stale?: string
  readonly reason: string
}

/** The document of `--json`. */
interface BisectReport {
  readonly schema: 1
  readonly started?: string
  readonly seconds: number
  readonly steps: number
  readonly runs: number
  readonly skipped: number
  /** New measurements of good and bad. */
  readonly anchors: readonly AnchorRow[]
  /** In the order of the history, the oldest first. */
  readonly commits: readonly ReportedCommit[]
  /** Absent until it is found. */
  readonly first_bad?: string
  /** Commits that may still be the first bad one; absent where git does not tell. */
  readonly remaining?: readonly string[]
  /** The command to continue, or to check what was found. */
  readonly next: readonly string[]
  /** Lines for the mail; none until it is found. */
  readonly mail: readonly string[]
}

/** Prints the last bisection of the log. Throws SetupError without one. */
export async function report(state: string | undefined, format: ReportFormat): Promise<void> {
  const { folder, rows } = openJournal(state)
  const last = rows.at(-1)
  if (!last) throw new SetupError(`${folder}: no step was logged yet`)
  const found = reportOf(rowsSince(rows, last.start))
  await print(
    format === 'json' ? `${JSON.stringify(found)}\n` : format === 'markdown' ? markdownOf(found) : textOf(found),
  )
}

export function reportOf(rows: readonly JournalRow[]): BisectReport {
  const steps = rows.filter(row => row.kind === 'step')
  const anchors = rows.filter(row => row.kind === 'anchor')
  const commits = reportedCommits(steps)
  const remaining = remainingCommits(steps)
  const [only] = remaining ?? []
  const firstBad = remaining?.length === 1 ? only : undefined
  const sum = (value: (row: JournalRow) => number) => rows.reduce((total, row) => total + value(row), 0)
  const runs = steps.reduce((total, row) => total + row.runs, 0)
  const started = rows[0]?.start
  return {
    schema: 1,
    ...(started !== undefined && { started }),
    seconds: Math.round(sum(row => row.seconds) * 1000) / 1000,
    steps: steps.length,
    runs,
    skipped: commits.filter(({ verdict }) => verdict === 'skip').length,
    anchors,
    commits,
    ...(firstBad !== undefined && { first_bad: firstBad }),
    ...(remaining && { remaining }),
    next: nextCommands(steps, firstBad),
    mail: firstBad === undefined ? [] : mailLines(firstBad, steps, runs),
  }
}

function reportedCommits(steps: readonly StepRow[]): readonly ReportedCommit[] {
  const byCommit = new Map(steps.map((row, i) => [row.commit ?? `step ${i + 1}`, { row, step: i + 1 }]))
  const names = steps.flatMap(({ commit }) => commit ?? [])
  const order = names.length === steps.length ? inOrder([...new Set(names)]) : [...byCommit.keys()]
  return order.flatMap(name => {
    const entry = byCommit.get(name)
    return entry ? [reportedCommit(entry.row, entry.step)] : []
  })
}

function reportedCommit(row: StepRow, step: number): ReportedCommit {
  const { commit, subject, runs, verdict, evidence, decided_by = 0, finding, reason } = row
  const figure = evidence[decided_by]
  const mechanism = evidence.find(({ of_finding }) => of_finding)
  const stale = figure && staleWords(figure)
  return {
    step,
    ...(commit !== undefined && { commit }),
    ...(subject !== undefined && { subject }),
    runs,
    verdict,
    ...(figure && { figure }),
    ...(mechanism && { mechanism }),
    ...(finding && { finding }),
    ...(stale !== undefined && { stale }),
    reason,
  }
}

/**
 * The commits that may be the first bad one, by the verdicts of the log and the commits that git was told. Absent
 * where no bad commit is known, or git does not know it. A good commit that comes after a bad one, such as its revert,
 * does not say that what is before it is good.
 */
function remainingCommits(steps: readonly StepRow[]): readonly string[] | undefined {
  const latest = new Map(steps.flatMap(row => (row.commit === undefined ? [] : [[row.commit, row.verdict] as const])))
  const judged = (verdict: StepRow['verdict']) => [...latest].flatMap(([name, is]) => (is === verdict ? [name] : []))
  const good = new Set([...steps.flatMap(({ bounds }) => bounds.good), ...judged('good')])
  const bad = new Set([...steps.flatMap(({ bounds }) => bounds.bad ?? []), ...judged('bad')])
  for (const name of judged('bad')) good.delete(name)
  for (const name of judged('good')) bad.delete(name)
  const ranges = [...bad].flatMap(name => {
    const before = [...good].filter(commit => !hasAncestor(commit, name))
    const commits = before.length > 0 ? commitsBetween(before, name) : undefined
    return commits && commits.length > 0 ? [commits] : []
  })
  return ranges.sort((a, b) => a.length - b.length)[0]
}

function nextCommands(steps: readonly StepRow[], firstBad: string | undefined): readonly string[] {
  const [first] = steps
  const last = steps.at(-1)
  if (!first || !last) return []
  const command = [NAME, ...last.argv].map(shellQuoted).join(' ')
  if (firstBad === undefined) return [`git bisect run ${command}`]
  // The newest kernel without the commit must be like good again. A step knows only what was bad before it, so the
  // first one has the commit that `git bisect start` was told.
  const newest = first.bounds.bad ?? firstBad
  return [
    `git checkout ${newest.slice(0, SHORT_HASH)} && git revert --no-edit ${firstBad.slice(0, SHORT_HASH)}`,
    command,
  ]
}

function mailLines(firstBad: string, steps: readonly StepRow[], runs: number): readonly string[] {
  const row = steps.findLast(({ commit }) => commit === firstBad)
  const subject = row?.subject === undefined ? '' : ` ("${row.subject}")`
  return [
    `Bisected-by: ${NAME}, ${ascii.counted(steps.length, 'step')}, ${ascii.counted(runs, 'run')}`,
    `#regzbot introduced: ${firstBad.slice(0, SHORT_HASH)}${subject}`,
  ]
}

const HEADINGS = ['step', 'commit', 'runs', 'figure', '95% interval', 'finding', 'verdict', 'subject'] as const

function cells({ step, commit, subject, runs, verdict, figure, mechanism, finding }: ReportedCommit) {
  const value = figure?.commit
  const interval = value && figure ? value.ci95.map(end => ascii.quantity(figure.unit, end)).join(' to ') : '-'
  const share = mechanism?.commit ? ascii.quantity(mechanism.unit, mechanism.commit.value) : ''
  const presence = finding?.present === undefined ? '-' : finding.present ? 'present' : 'absent'
  return [
    String(step),
    commit?.slice(0, SHORT_HASH) ?? '-',
    String(runs),
    value && figure ? ascii.quantity(figure.unit, value.value) : '-',
    interval,
    [presence, share].filter(Boolean).join(' '),
    verdict,
    subject ?? '',
  ]
}

/** What was found, or what remains. */
function headline({ first_bad, remaining, steps, runs, skipped, seconds }: BisectReport): string {
  const cost = `${ascii.counted(steps, 'step')}, ${ascii.counted(runs, 'run')}, ${skipped} skipped, ${ascii.duration(seconds * 1e9)}`
  const found =
    first_bad !== undefined
      ? `${first_bad.slice(0, SHORT_HASH)} is the first bad commit`
      : remaining
        ? `The first bad commit is one of ${ascii.count(remaining.length)}`
        : 'The first bad commit is not known yet'
  return `${found}: ${cost}.`
}

/** The levels that commits were judged by, as the last step knew them. */
function judgedBy({ commits }: BisectReport): string | undefined {
  const last = [...commits].sort((a, b) => b.step - a.step).find(({ figure }) => figure)
  if (!last?.figure) return undefined
  const { label, unit, good, bad } = last.figure
  const followed = last.finding ? `, finding ${last.finding.code}` : ''
  return `Judged by ${label}${followed}: good ${levelText(unit, good)}, bad ${levelText(unit, bad)}.`
}

/** What a reader should know before believing it. */
function remarks({ commits, anchors, first_bad }: BisectReport): readonly string[] {
  const reverting = commits.filter(
    ({ commit, verdict }) =>
      first_bad !== undefined && commit !== undefined && verdict === 'good' && hasAncestor(commit, first_bad),
  )
  return [
    ...anchors.map(({ side, runs, time }) => `${side} was measured again at ${time}, ${ascii.counted(runs, 'run')}.`),
    ...commits.flatMap(({ step, verdict, stale, reason }) =>
      stale !== undefined || verdict === 'skip' ? [`Step ${step}: ${reason}`] : [],
    ),
    ...reverting.map(
      ({ step, commit, subject }) =>
        `Step ${step}: ${commit?.slice(0, SHORT_HASH)} comes after the first bad commit and is good: ${subject ?? ''}`,
    ),
  ]
}

function textOf(found: BisectReport): string {
  const notes = remarks(found)
  const table = [[...HEADINGS], ...found.commits.map(cells)]
  const widths = HEADINGS.map((_, i) => Math.max(...table.map(row => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[
    headline(found),
    judgedBy(found) ?? '',
    '',
    ...table.map(line),
    '',
    ...notes,
    ...(notes.length > 0 ? [''] : []),
    found.first_bad === undefined ? 'To continue:' : 'To check that it is the cause:',
    ...found.next.map(command => `    ${command}`),
    ...(found.mail.length > 0 ? ['', 'For the mail:', ...found.mail.map(text => `    ${text}`)] : []),
  ].join('\n')}\n`
}

function markdownOf(found: BisectReport): string {
  const row = (texts: readonly string[]) => `| ${texts.join(' | ')} |`
  const notes = remarks(found)
  const block = (lines: readonly string[]) => ['```', ...lines, '```']
  return `${[
    `**${escapeMarkdown(headline(found))}**`,
    '',
    escapeMarkdown(judgedBy(found) ?? ''),
    '',
    row(HEADINGS),
    row(HEADINGS.map(() => '---')),
    ...found.commits.map(commit => row(cells(commit).map(escapeMarkdown))),
    '',
    ...notes.map(text => `- ${escapeMarkdown(text)}`),
    ...(notes.length > 0 ? [''] : []),
    found.first_bad === undefined ? 'To continue:' : 'To check that it is the cause:',
    '',
    ...block(found.next),
    ...(found.mail.length > 0 ? ['', 'For the mail:', '', ...block(found.mail)] : []),
  ].join('\n')}\n`
}
