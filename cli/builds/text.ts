/** Change points over builds in words: for a mail (ASCII, 72 columns), and as Markdown. */
import { intervalText } from '../../web/compare/rows'
import { scaleOf } from '../../web/compare/scale'
import type { BuildsCause, BuildsVerdict, SeriesCount } from '../../web/engine/protocol'
import type { BuildsEvent, FleetFigure, JoinedChange, SeriesChange } from '../../web/fleet/changes/overBuilds'
import { ascii } from '../../web/lib/format'
import { asciiText, wrapped } from '../../web/lib/text/plainText'
import { shellQuoted } from '../../web/lib/text/shell'
import { visibleIn } from '../../web/lib/text/visible'
import { NAME } from '../program/about'
import { escapeMarkdown } from '../program/markdown'
import type { BuildsAnswer } from './answer'

const COLUMNS = 72
/** Changes of one event that are printed; the others are counted. */
const MAX_CHANGES = 12
/** Values of a dimension that are named. */
const MAX_VALUES = 6

const { count, counted, factor, figure: digits } = ascii

/** `41`: the name of a build, or `none` before the first one. */
const nameOf = ({ input }: BuildsAnswer, build: number): string => input.builds[build] ?? 'none'

export function verdictOf({ good }: FleetFigure, { before, after }: SeriesChange): BuildsVerdict {
  if (!good) return 'changed'
  return after > before === (good === 'less') ? 'worse' : 'better'
}

/** `7.2%`, `109/s`, `19.0 ms`. */
function valueText({ unit }: FleetFigure, value: number, max: number): string {
  const { per, unit: name } = scaleOf(unit, max)
  const suffix = name === '1/s' ? '/s' : name
  return `${digits(value / per)}${/^\w/.test(suffix) ? ` ${asciiText(suffix)}` : asciiText(suffix)}`
}

/** `95% interval +7% to +9%`, `+7% to +9% by series`. */
function spreadText({ found }: JoinedChange): string {
  const [first, ...further] = found
  if (further.length === 0) return first?.ci95 ? `95% interval ${asciiText(intervalText(first.ci95))}` : ''
  const ratios = found.flatMap(({ ratio }) => ratio ?? [])
  if (ratios.length < 2) return ''
  const [low, high] = [factor(Math.min(...ratios)), factor(Math.max(...ratios))]
  return low === high ? '' : `${low} to ${high} by series`
}

const valuesText = (counts: readonly SeriesCount[]): string => {
  const shown = counts
    .slice(0, MAX_VALUES)
    .map(({ value, changed, tested }) => `${value || 'without one'} (${changed} of ${tested})`)
  return [...shown, ...(counts.length > shown.length ? [`and ${counts.length - shown.length} others`] : [])].join(', ')
}

/** `in all 7 series`, `on all of scheduler bfq (4 of 4), not on scheduler none (0 of 3)`. */
function whereText(answer: BuildsAnswer, { found, without, where }: JoinedChange): string {
  const changed = new Set(found.map(({ series }) => series)).size
  const tested = changed + without.length
  if (answer.input.series.length < 2) return ''
  if (without.length === 0) return changed === 1 ? 'in the only series with it' : `in all ${tested} series with it`
  const [first] = where
  if (!first) return `in ${changed} of ${tested} series`
  const all = where.filter(count => count.changed === count.tested)
  const unaffected = where.filter(count => count.changed === 0)
  if (all.length + unaffected.length < where.length)
    return `in ${changed} of ${tested} series; ${first.dimension} ${valuesText(where)}`
  return `on all of ${first.dimension} ${valuesText(all)}, not on ${first.dimension} ${valuesText(unaffected)}`
}

/** `Starved time rose x6.0, from 1.20% to 7.20%, worse, x5.6 to x6.4 by series`. */
function changeText({ input }: BuildsAnswer, change: JoinedChange): string {
  const figure = input.figures[change.figure]
  const [first] = change.found
  if (!figure || !first) return ''
  const { before, after, ratio } = change
  const verb = first.after > first.before ? 'rose' : 'fell'
  const max = Math.max(before, after)
  const amount = ratio === undefined ? '' : ` ${factor(ratio).replace(/^[+-]/, '')}`
  const verdict = verdictOf(figure, first)
  const parts = [
    `${figure.label} ${verb}${amount}`,
    `from ${valueText(figure, before, max)} to ${valueText(figure, after, max)}`,
    verdict === 'changed' ? '' : verdict,
    spreadText(change),
  ]
  return parts.filter(Boolean).join(', ')
}

/** Changes of an event by the series that have them: `[where, changes]`, in their order. */
function byPlace(answer: BuildsAnswer, changes: readonly JoinedChange[]): ReadonlyMap<string, readonly JoinedChange[]> {
  const places = new Map<string, JoinedChange[]>()
  for (const change of changes) {
    const place = whereText(answer, change)
    places.set(place, [...(places.get(place) ?? []), change])
  }
  return places
}

/** `Between build 41 and 42`. */
function headingOf(answer: BuildsAnswer, { previous, index, changes }: BuildsEvent): string {
  const { labelName } = answer
  const first = changes[0]?.found[0]
  if (first?.kind === 'drift')
    return `Gradually from ${labelName} ${nameOf(answer, first.range[0])} to ${nameOf(answer, first.range[1])}`
  const [low, high] = first?.range ?? [index, index]
  const range =
    low === high ? '' : ` (95% interval of the first one: ${nameOf(answer, low)} to ${nameOf(answer, high)})`
  return `Between ${labelName} ${nameOf(answer, previous)} and ${nameOf(answer, index)}${range}`
}

/**
 * Quotes a word for a shell: in double quotes if it has single ones and nothing that a shell expands in double
 * quotes.
 */
const word = (text: string): string => (text.includes("'") && !/["$`\\!]/.test(text) ? `"${text}"` : shellQuoted(text))

const commandText = (command: readonly string[]): string => [NAME, ...command].map(word).join(' ')

/** What was examined, in sentences. */
function aboutText({ labelName, input, report, unplaced, unreliable }: BuildsAnswer): readonly string[] {
  const { builds, series, dimensions, runs } = input
  const several = dimensions.length > 0 ? ` by ${dimensions.join(', ')}` : ''
  const short = report.short.length
  return [
    `${counted(builds.length, 'build')} by ${labelName}, ${builds[0]} to ${builds.at(-1)}; ${counted(runs.length, 'run')} in ${series.length} series${several}.`,
    `${counted(report.tested, 'pair')} of a series and a figure tested; at most 5% of the changes are expected to be chance (Benjamini-Hochberg).`,
    ...(short > 0 ? [`${short} series ${short === 1 ? 'has' : 'have'} too few builds.`] : []),
    ...(unplaced > 0 ? [`${counted(unplaced, 'run')} without ${labelName} left out.`] : []),
    ...(unreliable > 0 ? [`${counted(unreliable, 'value')} left out because events were lost.`] : []),
  ]
}

const NO_CHANGE = 'No change point found.'

/** The main finding of the comparison of both builds. */
const causeLines = ({ findings: [first], begins, ends }: BuildsCause): readonly string[] => [
  ...(first ? [`Comparison of the two: ${first.sentence} (${first.code})`] : []),
  ...(begins.length > 0 ? [`Begins in single runs: ${begins.join(', ')}`] : []),
  ...(ends.length > 0 ? [`Ends in single runs: ${ends.join(', ')}`] : []),
]

/** Plain text for a mail; ends with a line feed. */
export function buildsText(shown: BuildsAnswer): string {
  const answer = visibleIn(shown)
  const { report, causes } = answer
  const paragraph = (text: string, depth: number) =>
    wrapped(asciiText(text), COLUMNS - 2 * depth, '  ').map(line => `${'  '.repeat(depth)}${line}`)
  const event = (item: BuildsEvent, i: number): readonly string[] => {
    const cause = causes[i]
    const rest = item.changes.length - MAX_CHANGES
    const places = byPlace(answer, item.changes.slice(0, MAX_CHANGES))
    return [
      '',
      ...paragraph(headingOf(answer, item), 0),
      ...[...places].flatMap(([place, changes]) => [
        ...(place === '' ? [] : paragraph(`${place}:`, 1)),
        ...changes.flatMap(change => paragraph(changeText(answer, change), place === '' ? 1 : 2)),
      ]),
      ...(rest > 0 ? [`  and ${counted(rest, 'other figure')}: see --json`] : []),
      ...(cause ? causeLines(cause).flatMap(line => paragraph(line, 1)) : []),
      // Commands are not wrapped, so that they can be pasted.
      ...(cause ? [`  ${asciiText(commandText(cause.command))}`] : []),
    ]
  }
  return [
    ...wrapped(asciiText(aboutText(answer).join(' ')), COLUMNS),
    ...(report.events.length === 0 ? ['', NO_CHANGE] : []),
    ...report.events.flatMap(event),
    '',
  ].join('\n')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Markdown for trackers and merge requests; ends with a line feed. */
export function buildsMarkdown(answer: BuildsAnswer): string {
  const { input, report, causes } = answer
  const event = (item: BuildsEvent, i: number): readonly string[] => {
    const cause = causes[i]
    const lines = item.changes.map(change => {
      const figure = input.figures[change.figure]
      const [first] = change.found
      if (!figure || !first) return ''
      const { before, after, ratio } = change
      const max = Math.max(before, after)
      return row([
        escapeMarkdown(figure.label),
        valueText(figure, before, max),
        valueText(figure, after, max),
        ratio === undefined ? '-' : factor(ratio),
        spreadText(change) || '-',
        verdictOf(figure, first),
        escapeMarkdown(whereText(answer, change)) || '-',
      ])
    })
    return [
      '',
      `**${escapeMarkdown(headingOf(answer, item))}**`,
      '',
      row(['Metric', 'before', 'after', 'change', 'spread', 'verdict', 'where']),
      '|---|---:|---:|---:|---:|---|---|',
      ...lines,
      ...(cause
        ? [
            '',
            ...causeLines(cause).map(line => `- ${escapeMarkdown(line)}`),
            '',
            '```sh',
            commandText(cause.command).replace(/[\r\n]+/g, ' '),
            '```',
          ]
        : []),
    ]
  }
  const noChange = report.events.length === 0 ? ['', NO_CHANGE] : []
  return [
    '### Change points over builds',
    '',
    escapeMarkdown(aboutText(answer).join(' ')),
    ...noChange,
    ...report.events.flatMap(event),
    '',
  ].join('\n')
}

/** Number of rows written to a table, for standard error. */
export const tableNote = (rows: number, path: string): string =>
  `${count(rows)} ${rows === 1 ? 'row' : 'rows'} in ${path}`
