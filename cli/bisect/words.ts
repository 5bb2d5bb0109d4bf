/** What `seekscope bisect` says: one line per step. */
import { levelText, staleText } from '../../web/bisect/words'
import type { BisectAnswer, BisectEvidence, BisectLevel, BisectProblem } from '../../web/engine/protocol'
import { ascii } from '../../web/lib/format'

const PROBLEMS: Readonly<Record<BisectProblem, string>> = {
  incomparable: 'good or bad has no run with a device to compare. Record both with the same workload and device',
  'figure-absent': 'good or bad lacks the figure of --figure. Use a key of compare --json that both have',
  'finding-absent': 'bad does not have the finding of --finding against good. Use one that compare prints for both',
  'no-difference':
    'good and bad do not differ by more than repeats do. Record more runs of both, or a workload that shows the ' +
    'problem',
  'too-many-runs':
    'good and bad differ too little to tell which one a commit is like within --max-runs. Record more runs of ' +
    'both, or raise --max-runs',
}

/** Why good and bad cannot be told apart, and what to do. `figure`: the one that was asked for. */
export function problemText(problem: BisectProblem, figure?: string, difference?: string): string {
  const within = figure === undefined ? 'differ' : `differ in ${figure}`
  const text = PROBLEMS[problem].replace('differ', within)
  return difference === undefined ? `${text}.` : `${text}. The comparison of both: ${difference}`
}

const runsText = (runs: number): string => ascii.counted(runs, 'run')

/** `starved time 19.2% (18.1% to 20.3%); good 2.9%, bad 19.5%`. */
function evidenceText({ label, unit, good, bad, commit }: BisectEvidence): string {
  const side = (level: BisectLevel) => ascii.quantity(unit, level.value)
  const value = commit ? levelText(unit, commit, ascii) : 'none'
  return `${label} ${value}; good ${side(good)}, bad ${side(bad)}`
}

/** The line of a step that was judged, with its verdict or without. */
export function judgedText(name: string, runs: number, answer: BisectAnswer): string {
  const { verdict, evidence, decided_by, finding, contradicted } = answer
  const index = decided_by ?? 0
  const deciding = evidence[index]
  if (!deciding) return `${name}: nothing was measured`
  const other = evidence[index === 0 ? 1 : 0]
  const has = finding?.present === undefined ? '' : ` ${finding.code} is ${finding.present ? 'present' : 'absent'}.`
  const stale = staleText(deciding)
  const more = deciding.more_runs
  const open = `${more === undefined ? 'More runs than --max-runs allows' : `About ${more} more`} would decide.`
  return [
    verdict ? `${name} is ${verdict}` : `${name} is undecided`,
    ` after ${runsText(runs)}: ${evidenceText(deciding)}.${has}`,
    verdict === undefined ? ` ${open}` : '',
    verdict && index > 0 && other ? ` ${other.label} did not decide within --max-runs.` : '',
    contradicted && other ? ` ${other.label} says the opposite: ${evidenceText(other)}.` : '',
    stale ? ` ${stale}` : '',
  ].join('')
}
