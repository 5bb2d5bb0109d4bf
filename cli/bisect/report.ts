/** `seekscope bisect --report`: the bisection as its log tells it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BISECTION_KIND, BISECTION_SCHEMA, MAX_BISECTION_BYTES } from '../../web/bisect/document'
import { MAX_SIDE_RUNS } from '../../web/bisect/sides'
import { bisectionText, COLUMN_NAMES, cellsOf, headline, introduction, remarks } from '../../web/bisect/text'
import { nextTitle, shortHash, TITLES } from '../../web/bisect/words'
import type { BisectVerdict, PrintedBisection, PrintedCommit, PrintedSide } from '../../web/engine/protocol'
import { ascii } from '../../web/lib/format'
import { shellQuoted } from '../../web/lib/text/shell'
import { type SelectedRun, selectedRuns } from '../fleet/digests'
import { print } from '../output/output'
import { complain } from '../output/progress'
import { NAME } from '../program/about'
import { escapeMarkdown } from '../program/markdown'
import { SetupError } from '../program/usage'
import { commitsBetween, hasAncestor, inOrder, subjectOf } from './git'
import { type Journal, type JournalRow, openJournal, rowsSince, type StepRow } from './journal'

type ReportFormat = 'text' | 'json' | 'markdown'

/** Prints the last bisection of the log. Throws SetupError without one. */
export async function report(state: string | undefined, format: ReportFormat): Promise<void> {
  const journal = openJournal(state)
  const last = journal.rows.at(-1)
  if (!last) throw new SetupError(`${journal.folder}: no step was logged yet`)
  const rows = rowsSince(journal.rows, last.start)
  const bisection = bisectionOf(rows)
  await print(
    format === 'json'
      ? await documentText(journal, rows, bisection)
      : format === 'markdown'
        ? markdownOf(bisection)
        : bisectionText(bisection),
  )
}

/** The document, with the digests of both sides unless it would become larger than a page reads. */
async function documentText(
  journal: Journal,
  rows: readonly JournalRow[],
  bisection: PrintedBisection,
): Promise<string> {
  const sides: PrintedSide[] = []
  for (const side of bisection.sides) {
    const file = digestsFile(journal, rows, bisection, side)
    sides.push({ ...side, digests: file !== undefined && existsSync(file) ? await digestsIn(file, side) : [] })
  }
  const text = `${JSON.stringify({ ...bisection, sides })}\n`
  if (Buffer.byteLength(text) <= MAX_BISECTION_BYTES) return text
  complain(journal.folder, 'bisection-too-large', 'The report has no digests: with them the page could not open it.')
  return `${JSON.stringify(bisection)}\n`
}

/**
 * The file with the digests of a side. A commit that was neither tested nor given to this command has none: the user
 * told git about it.
 */
function digestsFile(
  journal: Journal,
  rows: readonly JournalRow[],
  { endpoints }: PrintedBisection,
  { side, commit, step }: PrintedSide,
): string | undefined {
  const inLog = (name: string | undefined) => (name === undefined ? undefined : join(journal.folder, name))
  if (step !== undefined) return inLog(rows.filter(row => row.kind === 'step')[step - 1]?.digests)
  const commits = endpoints.find(candidate => candidate.side === side)?.commits ?? []
  if (commits.length !== 1 || commits[0] !== commit) return undefined
  const again = rows.findLast(row => row.kind === 'anchor' && row.side === side)
  return inLog(again?.digests) ?? journal.endpointFile(side)
}

/** The first digests in a file, whose runs have the commit of their side as their group. */
async function digestsIn(file: string, { side, commit }: PrintedSide): Promise<readonly string[]> {
  const group = commit === undefined ? side : shortHash(commit)
  const runs: SelectedRun['run'][] = []
  for await (const { run } of selectedRuns({ files: [file] })) if (runs.push(run) === MAX_SIDE_RUNS) break
  return runs.map(({ device: _, ...contents }, i) =>
    JSON.stringify({ ...contents, label: runs.length === 1 ? group : `${group} ${i + 1}`, group }),
  )
}

export function bisectionOf(rows: readonly JournalRow[]): PrintedBisection {
  const steps = rows.filter(row => row.kind === 'step')
  const { remaining, sides, between } = boundsOf(steps)
  const [only] = remaining ?? []
  const firstBad = remaining?.length === 1 ? only : undefined
  const commits = printedCommits(steps).map(row => (mends(row, firstBad) ? { ...row, mends: true } : row))
  const seconds = rows.reduce((total, row) => total + row.seconds, 0)
  const runs = steps.reduce((total, row) => total + row.runs, 0)
  const started = rows[0]?.start
  const { good = [], bad } = steps[0]?.bounds ?? {}
  const candidates = bad === undefined || good.length === 0 ? undefined : commitsBetween(good, bad)?.length
  return {
    schema: BISECTION_SCHEMA,
    kind: BISECTION_KIND,
    ...(started !== undefined && { started }),
    seconds: Math.round(seconds * 1000) / 1000,
    steps: steps.length,
    runs,
    skipped: commits.filter(({ verdict }) => verdict === 'skip').length,
    ...(candidates !== undefined && { candidates }),
    endpoints: [
      { side: 'good', commits: good },
      { side: 'bad', commits: bad === undefined ? [] : [bad] },
    ],
    anchors: rows.flatMap((row, i) => {
      const before = rows.slice(0, i).filter(({ kind }) => kind === 'step')
      return row.kind === 'anchor' ? [{ ...row, steps: before.length }] : []
    }),
    commits,
    ...(firstBad !== undefined && { first_bad: firstBad }),
    ...(remaining && { remaining }),
    sides,
    ...(between !== undefined && { between }),
    next: nextCommands(steps, firstBad),
    mail: firstBad === undefined ? [] : mailLines(firstBad, steps, runs),
  }
}

/** Whether a commit is good although the first bad one comes before it: a revert of that, for example. */
const mends = ({ commit, verdict }: PrintedCommit, firstBad: string | undefined): boolean =>
  firstBad !== undefined && commit !== undefined && verdict === 'good' && hasAncestor(commit, firstBad)

/** A row per commit; the last step of a commit that was tested again. */
function printedCommits(steps: readonly StepRow[]): readonly PrintedCommit[] {
  const byCommit = new Map(steps.map((row, i) => [row.commit ?? `step ${i + 1}`, { row, step: i + 1 }]))
  const names = steps.flatMap(({ commit }) => commit ?? [])
  const order = names.length === steps.length ? inOrder([...new Set(names)]) : [...byCommit.keys()]
  return order.flatMap(name => {
    const entry = byCommit.get(name)
    return entry ? [printedCommit(entry.row, entry.step)] : []
  })
}

function printedCommit(row: StepRow, step: number): PrintedCommit {
  const { commit, subject, runs, verdict, evidence, decided_by, finding, contradicted, reason } = row
  return {
    step,
    ...(commit !== undefined && { commit }),
    ...(subject !== undefined && { subject }),
    runs,
    verdict,
    evidence,
    ...(decided_by !== undefined && { decided_by }),
    ...(finding && { finding }),
    contradicted,
    reason,
  }
}

/**
 * The commits that may be the first bad one, by the verdicts of the log and the commits that git was told, and the
 * good and the bad commit around them. What git does not tell is absent. A good commit that comes after a bad one, such
 * as its revert, does not say that what is before it is good.
 */
function boundsOf(steps: readonly StepRow[]): Pick<PrintedBisection, 'remaining' | 'sides' | 'between'> {
  const latest = new Map(steps.flatMap(row => (row.commit === undefined ? [] : [[row.commit, row.verdict] as const])))
  const judged = (verdict: StepRow['verdict']) => [...latest].flatMap(([name, is]) => (is === verdict ? [name] : []))
  const good = new Set([...steps.flatMap(({ bounds }) => bounds.good), ...judged('good')])
  const bad = new Set([...steps.flatMap(({ bounds }) => bounds.bad ?? []), ...judged('bad')])
  for (const name of judged('bad')) good.delete(name)
  for (const name of judged('good')) bad.delete(name)
  const ranges = [...bad].flatMap(name => {
    const before = [...good].filter(commit => !hasAncestor(commit, name))
    const remaining = before.length > 0 ? commitsBetween(before, name) : undefined
    return remaining && remaining.length > 0 ? [{ name, remaining }] : []
  })
  const [nearest] = ranges.sort((a, b) => a.remaining.length - b.remaining.length)
  if (!nearest) return { sides: [] }
  const { name, remaining } = nearest
  const distances = [...good].flatMap(commit => {
    const between = commitsBetween([commit], name)
    return between && between.length > 0 ? [{ commit, between: between.length - 1 }] : []
  })
  const [last] = distances.sort((a, b) => a.between - b.between)
  if (!last) return { remaining, sides: [] }
  return {
    remaining,
    sides: [sideOf('good', last.commit, steps), sideOf('bad', name, steps)],
    between: last.between,
  }
}

function sideOf(side: BisectVerdict, commit: string, steps: readonly StepRow[]): PrintedSide {
  const index = steps.findLastIndex(row => row.commit === commit && row.verdict === side)
  const subject = steps[index]?.subject ?? subjectOf(commit)
  return {
    side,
    commit,
    ...(subject !== undefined && { subject }),
    ...(index >= 0 && { step: index + 1 }),
    digests: [],
  }
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
  return [`git checkout ${shortHash(newest)} && git revert --no-edit ${shortHash(firstBad)}`, command]
}

function mailLines(firstBad: string, steps: readonly StepRow[], runs: number): readonly string[] {
  const row = steps.findLast(({ commit }) => commit === firstBad)
  const subject = row?.subject === undefined ? '' : ` ("${row.subject}")`
  return [
    `Bisected-by: ${NAME}, ${ascii.counted(steps.length, 'step')}, ${ascii.counted(runs, 'run')}`,
    `#regzbot introduced: ${shortHash(firstBad)}${subject}`,
  ]
}

function markdownOf(bisection: PrintedBisection): string {
  const { commits, next, mail } = bisection
  const row = (texts: readonly string[]) => `| ${texts.join(' | ')} |`
  const notes = remarks(bisection)
  const block = (lines: readonly string[]) => ['```', ...lines, '```']
  return `${[
    `**${escapeMarkdown(headline(bisection))}**`,
    '',
    escapeMarkdown(introduction(bisection).join(' ')),
    '',
    row(COLUMN_NAMES),
    row(COLUMN_NAMES.map(() => '---')),
    ...commits.map(commit => row(cellsOf(commit).map(escapeMarkdown))),
    '',
    ...notes.map(text => `- ${escapeMarkdown(text)}`),
    ...(notes.length > 0 ? [''] : []),
    `${nextTitle(bisection)}:`,
    '',
    ...block(next),
    ...(mail.length > 0 ? ['', `${TITLES.mail}:`, '', ...block(mail)] : []),
  ].join('\n')}\n`
}
