/**
 * `seekscope compare --report`: a comparison in the forms that maintainers and their machines take: a mail for
 * `git send-email`, a bug for Bugzilla or GitHub, and JSON in the shape of KCIDB.
 */
import { type CompareDocument, type Comparison, FINDING_TITLES, type SettingChange } from '../../../web/engine/protocol'
import { ascii } from '../../../web/lib/format'
import { comparisonsOf } from '../../../web/state/comparing/comparing'
import type { ReportForm } from '../../commands/shared/options'
import type { ComparedTrace } from '../../input/runs'
import { markdown } from '../../program/markdown'
import { type RobotSide, robotTable } from './robotTable'

/** The facts about a run that a report names. */
export type ReportedRun = Pick<ComparedTrace, 'label' | 'kernel' | 'settings'>

export interface ReportSource {
  readonly document: CompareDocument
  /** The comparison as plain text. */
  readonly text: string
  /** In the order of the document's runs. */
  readonly runs: readonly ReportedRun[]
}

const COLUMNS = 72
/** Where regressions of the kernel's block layer are reported. */
const LISTS = { to: 'linux-block@vger.kernel.org', cc: 'regressions@lists.linux.dev' } as const

/** One line of printable ASCII: a label must not end a header or a line. */
const line = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[^ -~]/g, '?')
    .trim()

/** Words wrapped to lines of 72 columns; those after the first are indented. */
export function wrapped(text: string, indent = ''): readonly string[] {
  const lines = ['']
  for (const word of line(text).split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > COLUMNS) lines.push(indent + word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

function sideOf({ sides }: CompareDocument, index: number): RobotSide {
  const side = sides[index]
  return { label: line(side?.label ?? ''), index, runs: side?.runs ?? [] }
}

/** The kernel of a side; absent where its runs have none, or several. */
function kernelOf(runs: readonly ReportedRun[], side: RobotSide): string | undefined {
  const kernels = new Set(side.runs.map(run => runs[run]?.kernel))
  const [kernel] = kernels
  return kernels.size === 1 && kernel !== undefined ? line(kernel) : undefined
}

/** The tag of a kernel release: `6.12.3-amd64` is `v6.12.3`, `6.1.0-56-amd64` is `v6.1`. */
export function tagOf(kernel: string): string | undefined {
  const [, version, patch] = /^(\d+\.\d+)(?:\.(\d+))?/.exec(kernel) ?? []
  return version && `v${version}${patch !== undefined && patch !== '0' ? `.${patch}` : ''}`
}

/** What a report begins with. */
interface Headline {
  readonly subject: string
  readonly isRegression: boolean
  readonly sentences: readonly string[]
}

function headlineOf(document: CompareDocument, comparison: Comparison, runs: readonly ReportedRun[]): Headline {
  const { outcome, verdict, findings } = comparison
  const bad = sideOf(document, comparison.side)
  const isRegression = outcome === 'slower'
  const [first] = findings
  const device = line(document.runs[bad.runs[0] ?? 0]?.device ?? 'block')
  const what = first ? FINDING_TITLES[first.code] : 'no difference'
  const subject = `${isRegression ? '[REGRESSION] ' : ''}${device}: ${outcome} with ${kernelOf(runs, bad) ?? bad.label}: ${what}`
  return {
    subject: line(subject),
    isRegression,
    sentences: [verdict, ...findings.slice(0, 1).map(({ sentence, code }) => `${sentence} (${code})`)],
  }
}

const settingText = ({ name, devices = [], values: [before, after] }: SettingChange): string =>
  `${devices.length > 0 ? `${devices.join(', ')} ` : ''}${name}: ${before ?? 'not set'} -> ${after ?? 'not set'}`

/** Kernels, devices and settings of both sides. */
function environment(
  document: CompareDocument,
  comparison: Comparison,
  runs: readonly ReportedRun[],
): readonly string[] {
  const sides = [sideOf(document, document.baseline), sideOf(document, comparison.side)]
  const names = comparison.outcome === 'slower' ? ['good', 'bad'] : ['baseline', 'compared']
  const changed = comparison.findings.find(finding => finding.code === 'setting-changed')?.settings ?? []
  return [
    ...sides.flatMap((side, i) =>
      wrapped(
        `${names[i]}: ${side.label}, kernel ${kernelOf(runs, side) ?? 'not recorded'}, ${ascii.counted(side.runs.length, 'run')} of ${[...new Set(side.runs.map(run => document.runs[run]?.device ?? '-'))].join(', ')}`,
        '  ',
      ),
    ),
    ...(changed.length > 0
      ? ['Settings that differ:', ...changed.flatMap(change => wrapped(`  ${settingText(change)}`, '    '))]
      : ['No recorded setting differs.']),
  ]
}

/** The lines for bots and maintainers; what only the reporter knows is in capitals. */
function trailers(document: CompareDocument, comparison: Comparison, runs: readonly ReportedRun[]): readonly string[] {
  const [good, bad] = [document.baseline, comparison.side].map(index => kernelOf(runs, sideOf(document, index)))
  const [from, to] = [good && tagOf(good), bad && tagOf(bad)]
  const introduced = from && to && from !== to ? `${from}..${to}` : 'GOOD..BAD'
  return [
    'Fixes: COMMIT ("SUBJECT")',
    'Bisected: GOOD..BAD, first bad COMMIT',
    'Reported-by: NAME <ADDRESS>',
    'Closes: URL',
    `#regzbot introduced: ${introduced}`,
  ]
}

const indented = (text: string): readonly string[] => text.split('\n').map(row => row.trimEnd())

/** How to measure the same again. */
function reproduction(document: CompareDocument, comparison: Comparison): readonly string[] {
  const [device = ''] = document.runs[sideOf(document, comparison.side).runs[0] ?? 0]?.device?.split(' ') ?? []
  // A recording without notes has numbers instead of names.
  const path = /^[a-z]/.test(device) ? `/dev/${line(device)}` : '/dev/DEVICE'
  return [
    'On both kernels, with the same workload:',
    `  seekscope-record -d ${path} -n 3 -l LABEL -- WORKLOAD`,
    'Then, with the two archives:',
    '  seekscope compare GOOD.tar.gz BAD.tar.gz',
  ]
}

function body(source: ReportSource, comparison: Comparison, headline: Headline): readonly string[] {
  const { document, text, runs } = source
  const table = robotTable(comparison, sideOf(document, document.baseline), sideOf(document, comparison.side))
  const facts = comparison.findings.slice(1).map(({ sentence, code }) => `${sentence} (${code})`)
  return [
    ...headline.sentences.flatMap(sentence => [...wrapped(sentence), '']),
    'Environment',
    '-----------',
    ...environment(document, comparison, runs),
    '',
    'Figures',
    '-------',
    ...table,
    '',
    ...(facts.length > 0
      ? ['What else differs', '-----------------', ...facts.flatMap(fact => [...wrapped(`* ${fact}`, '  ')]), '']
      : []),
    'How to reproduce',
    '----------------',
    ...reproduction(document, comparison),
    '',
    ...trailers(document, comparison, runs),
    '',
    'All figures',
    '-----------',
    ...indented(text),
  ]
}

/** A message that `git send-email` sends: headers, an empty line, text of at most 72 columns. */
function mail(source: ReportSource, comparison: Comparison, headline: Headline): string {
  const headers = [
    `To: ${LISTS.to}`,
    ...(headline.isRegression ? [`Cc: ${LISTS.cc}`] : []),
    ...wrapped(`Subject: ${headline.subject}`, ' '),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
  ]
  return `${[...headers, '', ...body(source, comparison, headline)].join('\n').trimEnd()}\n`
}

function bugzilla(source: ReportSource, comparison: Comparison, headline: Headline): string {
  const kernel = kernelOf(source.runs, sideOf(source.document, comparison.side)) ?? 'KERNEL'
  const fields = [
    `Summary: ${headline.subject.replace('[REGRESSION] ', '')}`,
    'Product: IO/Storage',
    'Component: Block Layer',
    `Kernel Version: ${kernel}`,
    `Regression: ${headline.isRegression ? 'Yes' : 'No'}`,
    'Bisected commit-id: COMMIT',
  ]
  return `${[...fields, '', ...body(source, comparison, headline)].join('\n').trimEnd()}\n`
}

/** Text of a code block, in which no line can end it. */
const block = (lines: readonly string[]): readonly string[] => [
  '```',
  ...lines.map(row => row.replaceAll('```', "'''")),
  '```',
]

function github(source: ReportSource, comparison: Comparison, headline: Headline): string {
  const { document, runs } = source
  const table = robotTable(comparison, sideOf(document, document.baseline), sideOf(document, comparison.side))
  return `${[
    `<!-- title: ${headline.subject.replaceAll('--', '- -')} -->`,
    markdown(document).trimEnd(),
    '',
    '### Environment',
    ...block(environment(document, comparison, runs)),
    '### Figures',
    ...block(table),
    '### How to reproduce',
    ...block(reproduction(document, comparison)),
    '### To complete',
    ...block(trailers(document, comparison, runs)),
  ].join('\n')}\n`
}

/** The comparison as a report. Of several comparisons, the first one is reported. */
export async function writeReport(source: ReportSource, form: ReportForm, build: string | undefined): Promise<string> {
  const [comparison] = comparisonsOf(source.document)
  if (!comparison) throw new Error('a report needs two runs')
  if (form === 'kcidb') return (await import('./kcidb')).kcidb(source.document, build ?? '')
  const headline = headlineOf(source.document, comparison, source.runs)
  if (form === 'mail') return mail(source, comparison, headline)
  return form === 'bugzilla' ? bugzilla(source, comparison, headline) : github(source, comparison, headline)
}
