import { FINDING_CODES } from '../../web/engine/protocol'
import type { ComparisonOutput } from '../output/comparison/compare'
import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { exclude, put, readArrangement, readInputs, readNoise } from '../program/values'
import type { CommandDefinition } from './shared/definition'
import { COMPARING, READING, REPORT_FORMS } from './shared/options'

export const compare: CommandDefinition = {
  group: 'Figures',
  summary: 'Compare runs: what changed, whether it exceeds noise, and why',
  about: [
    'Each trace is a run, in the order of the paths; devices recorded together (md0 and its members) are one ' +
      'trace. Text is the same as "Copy as plain text" on the page; --json has every figure with ratio, ' +
      'confidence interval and significance, and the findings with their rule and evidence.',
    '--report writes the comparison as maintainers and their machines take it: a mail for git send-email ' +
      '(regressions also to the list for these), the text of a bug for Bugzilla or GitHub, or JSON in the shape ' +
      'of KCIDB, whose build --build-id names. What only you know is in capitals: commits, names, addresses.',
    'With --moment, a stall of one recording is compared with a quiet stretch of the same recording; summary ' +
      'lists the stalls.',
    'A single run is explained by itself: what held it back, when and who, why its slowest requests were slow, ' +
      'and its figures, as text, JSON or Markdown.',
    'Without --stripe, the geometry of an array that is described in a text file next to the trace is used.',
    'Without a trace, tables in mails and outputs of benchmarks are compared as a matrix. The first line says ' +
      'how they were read: by what the sides are told apart, how many numbers are not used, and how else it could ' +
      'be read (--sides).',
    'With --digests, runs come from files of seekscope digest in place of traces or in addition to them; the ' +
      'answer is the same. --where takes columns of the file, =, !=, <, <=, >, >=, in, like, is null, and, or, ' +
      'not and parentheses.',
    'Repeated runs are grouped as recorded, or as their names show (nr64-1, nr64-2 against nr4-1, nr4-2; ' +
      'old/run1, new/run1); --group and --ungrouped override this.',
    'A change between single runs is significant beyond its confidence interval and beyond what repeats of one ' +
      'measurement usually differ by; groups of repeated runs show smaller ones.',
  ],
  operands: 'optional-paths',
  options: [
    'json',
    'text',
    'markdown',
    'report',
    'build-id',
    'matrix',
    'figure',
    'moment',
    'fail-if',
    'junit',
    'noise',
    'digests',
    'where',
    'sides',
    ...COMPARING,
    ...READING,
  ],
  examples: [
    'compare before after',
    'compare before',
    'compare --moment 1 recording',
    'compare --report mail good bad > regression.mail',
    'compare --fail-if slower,flushes-appeared before after',
    'compare --matrix --figure iops 6.1/ 6.12/',
    'compare --sides file old.txt new.txt',
    "compare --digests fleet.parquet --where \"kernel in ('6.1', '6.12') and device = 'sda'\"",
    'compare --json --group 6.1 --group 6.1 --group 6.12 --group 6.12 r1 r2 r3 r4',
  ],
  async run(call) {
    const { operands, values } = call
    const inputs = readInputs(call)
    const arrangement = readArrangement(values)
    const options = {
      ...readComparison(values),
      ...readMoment(values),
      ...readNoise(values),
      ...readDigests(operands, values),
    }
    await (await import('../output/comparison/compare')).compare(inputs, arrangement, options)
  },
}

/** Reads the options for the output of `compare`. */
function readComparison(values: OptionValues): ComparisonOutput {
  exclude(values, 'text', 'json')
  exclude(values, 'text', 'markdown')
  exclude(values, 'json', 'markdown')
  const { json, markdown, matrix, figure, junit } = values
  for (const option of ['text', 'json', 'markdown', 'matrix'] as const) exclude(values, 'report', option)
  if (figure && !matrix) throw new UsageError('--figure needs --matrix')
  if (matrix) for (const option of ['markdown', 'fail-if', 'junit'] as const) exclude(values, 'matrix', option)
  return {
    format: json ? 'json' : markdown ? 'markdown' : 'text',
    ...(matrix && { matrix: figure ?? [] }),
    failIf: readFailIf(values),
    ...(junit !== undefined && { junit }),
    ...readReport(values),
  }
}

/** Reads `--report` and `--build-id`. */
function readReport({ report, 'build-id': build }: OptionValues): Pick<ComparisonOutput, 'report'> {
  if (build !== undefined && report !== 'kcidb') throw new UsageError('--build-id needs --report kcidb')
  if (report === undefined) return {}
  const form = REPORT_FORMS.find(name => name === report)
  if (!form) throw new UsageError(`--report: '${report}' is none of ${REPORT_FORMS.join(', ')}`)
  if (form !== 'kcidb') return { report: { form } }
  if (build === undefined) throw new UsageError('--report kcidb needs --build-id')
  if (!/^[a-z0-9_]+:[^\s:]\S*$/.test(build))
    throw new UsageError(`--build-id: '${build}' is no id of KCIDB, as origin:name`)
  return { report: { form, build } }
}

/** Reads `--moment`: the number of a stall, from 1. */
function readMoment(values: OptionValues): { readonly moment?: number } {
  const { moment } = values
  if (moment === undefined) return {}
  for (const option of ['matrix', 'digests', 'group', 'baseline'] as const) exclude(values, 'moment', option)
  if (!/^[1-9]\d{0,3}$/.test(moment)) throw new UsageError(`--moment: '${moment}' is no number of a moment, from 1`)
  return { moment: Number(moment) }
}

/** Reads `--fail-if`: findings that make the comparison fail. */
export function readFailIf({ 'fail-if': list }: OptionValues): readonly string[] {
  if (list === undefined) return []
  const names = list.split(',').map(name => name.trim())
  const allowed: readonly string[] = ['slower', ...FINDING_CODES]
  const odd = names.find(name => !allowed.includes(name))
  if (odd !== undefined) throw new UsageError(`--fail-if: unknown finding ${odd || "''"}; use ${allowed.join(', ')}`)
  return names
}

/** Reads `--digests` and `--where`. */
function readDigests(
  paths: readonly string[],
  { digests, where }: OptionValues,
): { readonly digests?: { readonly files: readonly string[]; readonly where?: string } } {
  if (digests === undefined && paths.length === 0) throw new UsageError('missing PATH')
  if (digests === undefined && where !== undefined) throw new UsageError('--where needs --digests')
  return digests === undefined ? {} : { digests: { files: digests, ...put('where', where) } }
}
