/** A step of `git bisect run`: records the booted kernel until it is clear whether it is good or bad. */
import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import { BISECTION_SCHEMA } from '../../web/bisect/document'
import { shortHash } from '../../web/bisect/words'
import type { BisectAnswer, BisectQuery, BisectVerdict } from '../../web/engine/protocol'
import type { DigestRow } from '../../web/export/digests'
import { loadEngine } from '../input/read/engine'
import { print } from '../output/output'
import { say } from '../output/progress'
import { SetupError } from '../program/usage'
import { bisectBounds, bisectStart, subjectOf, testedCommit } from './git'
import { type Journal, loggedAnswer, openJournal, rowsSince, type StepRow } from './journal'
import { recordRun } from './recording'
import { type AnchorRuns, type Anchors, type JudgeOptions, readAnchors, readDigests, writeDigests } from './sides'
import { judgedText, problemText } from './words'

/** Exit status of a step, as `git bisect run` takes them. */
const STATUS = { good: 0, bad: 1, skip: 125 } as const

export interface StepOptions {
  /** Directory of the log; absent: in that of git. */
  readonly state?: string
  readonly maxRuns: number
  /** Seconds; absent: no limit. */
  readonly maxTime?: number
  readonly command: readonly string[]
  readonly argv: readonly string[]
}

/** Judges a commit. The exit status of the process is the verdict. Throws UsageError and SetupError. */
export async function step(judging: JudgeOptions, options: StepOptions): Promise<void> {
  const begin = performance.now()
  const journal = openJournal(options.state)
  const start = bisectStart()
  const rows = rowsSince(journal.rows, start)
  const anchors = await readAnchors(journal, rows, judging)
  const judge = createJudge(judging, anchors, options.maxRuns)
  const { problem, difference } = judge([], false)
  if (problem) throw new SetupError(problemText(problem, judging.figure, difference))
  const commit = testedCommit()
  const name = commit === undefined ? 'the kernel' : shortHash(commit)
  const earlier = new Set([...anchors.good, ...anchors.bad].flatMap(({ checksums }) => checksums))
  for (const { digests } of rows.filter(row => row.kind === 'step'))
    if (digests !== undefined)
      for (const sum of (await readDigests([`${journal.folder}/${digests}`])).checksums) earlier.add(sum)
  const measured = await measure(journal, name, earlier, options, (runs, last) => judge(runs.runs, last))
  const subject = commit === undefined ? undefined : subjectOf(commit)
  const { answer, failure, runs, digests } = measured
  const verdict = answer?.verdict ?? 'skip'
  const reason =
    answer === undefined
      ? `${name} cannot be tested: ${failure ?? 'no run was possible'}.`
      : `${judgedText(name, runs, answer)}${failure === undefined ? '' : ` The last run failed: ${failure}.`}`
  const row: StepRow = {
    schema: BISECTION_SCHEMA,
    kind: 'step',
    time: new Date().toISOString(),
    seconds: Math.round(performance.now() - begin) / 1000,
    ...(start !== undefined && { start }),
    ...(commit !== undefined && { commit }),
    ...(subject !== undefined && { subject }),
    runs,
    ...(digests !== undefined && { digests }),
    verdict,
    reason,
    ...(answer ? loggedAnswer(answer) : { evidence: [], contradicted: false }),
    bounds: { ...bisectBounds(), good: [...bisectBounds().good] },
    argv: [...options.argv],
  }
  journal.append(row)
  process.exitCode = STATUS[verdict]
  await print(`${reason}\n`)
}

type Judge = (runs: AnchorRuns['runs'], last: boolean) => BisectAnswer

function createJudge(judging: JudgeOptions, anchors: Anchors, maxRuns: number): Judge {
  const { device, figure, finding, noise } = judging
  const engine = loadEngine()
  const withDevice = ({ runs }: Pick<AnchorRuns, 'runs'>) =>
    runs.map(run => ({ ...run, ...(device !== undefined && { device }) }))
  return (runs, last) => {
    const query: BisectQuery = {
      good: anchors.good.map(withDevice),
      bad: anchors.bad.map(withDevice),
      runs: withDevice({ runs }),
      max_runs: maxRuns,
      last,
      ...(figure !== undefined && { figure }),
      ...(finding !== undefined && { finding }),
      ...(noise && { noise }),
    }
    return engine.judgeCommit(JSON.stringify(query))
  }
}

interface StepRun {
  /** The last answer; absent without a run. */
  readonly answer?: BisectAnswer
  /** Why there are no more runs, unless it is decided or the limit is reached. */
  readonly failure?: string
  readonly runs: number
  /** File in the folder of the log. */
  readonly digests?: string
}

/**
 * Records runs until `judge` decides, a limit is reached, or a run fails. `earlier`: checksums of earlier recordings,
 * which a new one must not equal.
 */
async function measure(
  journal: Journal,
  name: string,
  earlier: Set<string>,
  { command, maxRuns, maxTime }: Pick<StepOptions, 'command' | 'maxRuns' | 'maxTime'>,
  judge: (runs: AnchorRuns, last: boolean) => BisectAnswer | undefined,
): Promise<StepRun> {
  const begin = performance.now()
  const deadline = maxTime === undefined ? undefined : begin + maxTime * 1000
  const rows: (readonly DigestRow[])[] = []
  let answer: BisectAnswer | undefined
  let stored: AnchorRuns = { runs: [], checksums: [] }
  const digests = basename(journal.next)
  const result = (failure?: string): StepRun => ({
    ...(failure !== undefined && { failure }),
    ...(rows.length > 0 && { digests }),
    ...(answer && { answer }),
    runs: stored.runs.length,
  })
  while (stored.runs.length < maxRuns) {
    const before = performance.now()
    const recorded = await recordRun(journal.folder, command, { number: rows.length + 1, deadline })
    const failure = 'failure' in recorded ? recorded.failure : oldRecording(recorded.rows, earlier)
    if (failure !== undefined || !('rows' in recorded)) {
      if (stored.runs.length > 0) answer = judge(stored, true)
      return result(failure)
    }
    rows.push(recorded.rows)
    mkdirSync(journal.folder, { recursive: true })
    writeDigests(journal.next, name, rows)
    stored = await readDigests([journal.next])
    const took = performance.now() - before
    const isLate = deadline !== undefined && performance.now() + took > deadline
    answer = judge(stored, isLate || stored.runs.length >= maxRuns)
    if (answer?.verdict) return result()
    if (isLate) return result('another one does not fit into --max-time')
    say(`${name}: run ${stored.runs.length} does not decide yet`)
  }
  return result()
}

/** Why a recording does not count: it was read before. Otherwise it is added to the earlier ones. */
function oldRecording(rows: readonly DigestRow[], earlier: Set<string>): string | undefined {
  const sums = new Set(rows.map(row => String(row.sha256)))
  for (const sum of sums) if (earlier.has(sum)) return 'COMMAND left the same recording as an earlier run'
  for (const sum of sums) earlier.add(sum)
  return undefined
}

/** Measures good or bad again. Throws UsageError and SetupError. */
export async function measureAnchor(side: BisectVerdict, options: StepOptions): Promise<void> {
  const begin = performance.now()
  const journal = openJournal(options.state)
  const start = bisectStart()
  const { runs, digests, failure } = await measure(journal, side, new Set(), options, () => undefined)
  if (digests === undefined) throw new SetupError(`${side} was not measured: ${failure ?? 'no run was possible'}`)
  journal.append({
    schema: BISECTION_SCHEMA,
    kind: 'anchor',
    side,
    time: new Date().toISOString(),
    seconds: Math.round(performance.now() - begin) / 1000,
    ...(start !== undefined && { start }),
    runs,
    digests,
  })
  process.exitCode = 0
  const few = failure === undefined ? '' : ` The last run failed: ${failure}.`
  await print(`${side} was measured again, ${runs} ${runs === 1 ? 'run' : 'runs'}: the next steps use them.${few}\n`)
}
