import { FINDING_CODES } from '../../web/engine/protocol'
import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { exclude, put, readNoise } from '../program/values'
import type { CommandDefinition } from './shared/definition'

/** Runs of good or bad that are made when it is measured again. */
const ANCHOR_RUNS = 3

export const bisect: CommandDefinition = {
  group: 'Figures',
  summary: 'Judge a commit for git bisect run, by recordings of its kernel',
  about: [
    'Runs COMMAND, which makes one recording of the kernel that is tested, until it is clear whether the kernel ' +
      'is like good or like bad. COMMAND writes a file or a directory to the path that stands in for {} in its ' +
      'words and is in SEEKSCOPE_RECORDING, or prints the recording, as an archive for example.',
    'Good and bad are digests of seekscope digest, or recordings. The finding of bad against good decides, by ' +
      'the figure that tells both apart most surely; without a finding, a figure of speed. A step stops at a ' +
      'probability of error of 0.5%.',
    'The exit status is 0 for good, 1 for bad, 125 where the commit cannot be tested or is undecided, and 128 ' +
      'where going on makes no sense: wrong usage, COMMAND that cannot be run, or good and bad that do not differ.',
    'Each step is logged in the directory of git. --report prints the bisection, --anchor good or bad measures ' +
      'that side again after the machine has changed. The page opens what --report --json prints.',
  ],
  operands: 'command',
  options: [
    ['good', 'runs of the good kernel: a file of seekscope digest (.parquet, .jsonl) or recordings; repeat it'],
    ['bad', 'runs of the bad kernel, as --good'],
    ['finding', 'follow this finding of bad (default: the first one whose figure tells both apart)'],
    ['figure', 'judge by this figure, by its key in compare --json'],
    'device',
    'noise',
    'max-runs',
    'max-time',
    'state',
    'anchor',
    ['report', 'print the bisection from its log: a row per commit, and what was found', 'switch'],
    'json',
    ['text', 'print the report as plain text (the default)'],
    'markdown',
  ],
  failure: 128,
  examples: [
    'bisect --good good.parquet --bad bad.parquet -- ./boot-and-record.sh',
    'bisect --good good/ --bad bad/ --max-runs 5 -- ssh test seekscope-record -d /dev/sda -w 30 -o -',
    'bisect --anchor good -- ./boot-and-record.sh',
    'bisect --report --markdown',
    'bisect --report --json > bisection.json',
  ],
  async run({ operands: command, values, argv }) {
    if (values.report) {
      const format = readFormat(values, command)
      return (await import('../bisect/report')).report(values.state, format)
    }
    for (const option of ['json', 'markdown', 'text'] as const)
      if (values[option]) throw new UsageError(`--${option} needs --report`)
    if (command.length === 0) throw new UsageError('missing COMMAND, after --')
    const side = readSide(values)
    const limits = readLimits(values, side ? ANCHOR_RUNS : undefined)
    const options = { ...limits, ...put('state', values.state), command, argv }
    if (side) return (await import('../bisect/step')).measureAnchor(side, options)
    const judging = readJudging(values)
    await (await import('../bisect/step')).step(judging, options)
  },
}

function readFormat(values: OptionValues, command: readonly string[]): 'text' | 'json' | 'markdown' {
  exclude(values, 'json', 'markdown')
  exclude(values, 'json', 'text')
  exclude(values, 'markdown', 'text')
  exclude(values, 'report', 'anchor')
  if (command.length > 0) throw new UsageError('--report runs no COMMAND')
  return values.json ? 'json' : values.markdown ? 'markdown' : 'text'
}

function readSide({ anchor }: OptionValues): 'good' | 'bad' | undefined {
  if (anchor === undefined || anchor === 'good' || anchor === 'bad') return anchor
  throw new UsageError(`--anchor: ${anchor} is not good or bad`)
}

function readLimits(values: OptionValues, runs = 8): { readonly maxRuns: number; readonly maxTime?: number } {
  const { 'max-runs': most = String(runs), 'max-time': time } = values
  if (!/^[1-9]\d?$/.test(most)) throw new UsageError(`--max-runs: ${most} is not a number from 1 to 99`)
  if (time !== undefined && !/^[1-9]\d{0,5}$/.test(time))
    throw new UsageError(`--max-time: ${time} is not a number of seconds from 1 to 999999`)
  return { maxRuns: Number(most), ...(time !== undefined && { maxTime: Number(time) }) }
}

function readJudging(values: OptionValues) {
  const { good, bad, figure, finding, device } = values
  if (!good || !bad) throw new UsageError(`bisect needs --${good ? 'bad' : 'good'}`)
  exclude(values, 'figure', 'finding')
  if (figure && figure.length > 1) throw new UsageError('--figure: a bisection is judged by one figure')
  const codes: readonly string[] = FINDING_CODES
  if (finding !== undefined && !codes.includes(finding))
    throw new UsageError(`--finding: unknown finding ${finding}; use ${codes.join(', ')}`)
  return {
    good,
    bad,
    ...put('figure', figure?.[0]),
    ...put('finding', finding),
    ...put('device', device),
    ...readNoise(values),
  }
}
