/** The report of a bisection as plain text: what the command line prints, and what the page copies. */
import type { PrintedBisection, PrintedCommit } from '../engine/protocol'
import { ascii } from '../lib/format'
import { visible } from '../lib/text/visible'
import { decidingFigure, findingFigure } from './document'
import {
  anchorTexts,
  betweenText,
  COLUMNS,
  costText,
  doubtTexts,
  foundText,
  intervalText,
  judgedByText,
  needsFindingText,
  nextTitle,
  presenceText,
  shortHash,
  TITLES,
} from './words'

export const COLUMN_NAMES: readonly string[] = Object.values(COLUMNS)

/** The cells of a row, in the order of the columns. */
export function cellsOf(row: PrintedCommit): readonly string[] {
  const { step, commit, subject, runs, verdict } = row
  const figure = decidingFigure(row)
  const value = figure?.commit
  const mechanism = findingFigure(row)
  const share = mechanism?.commit ? ascii.quantity(mechanism.unit, mechanism.commit.value) : ''
  return [
    String(step),
    commit === undefined ? '-' : shortHash(commit),
    String(runs),
    value && figure ? ascii.quantity(figure.unit, value.value) : '-',
    value && figure ? intervalText(figure.unit, value, ascii) : '-',
    [presenceText(row) ?? '-', share].filter(Boolean).join(' '),
    verdict,
    subject ?? '',
  ]
}

export const headline = (bisection: PrintedBisection): string =>
  `${foundText(bisection, ascii)}: ${costText(bisection, ascii)}.`

/** Sentences below the headline: what lies between, and by what commits were judged. */
export function introduction(bisection: PrintedBisection): readonly string[] {
  const between = betweenText(bisection, ascii)
  const texts = [between && `${between}.`, judgedByText(bisection, ascii), needsFindingText(bisection)]
  return texts.flatMap(text => text ?? [])
}

/** Sentences below the table. */
export const remarks = (bisection: PrintedBisection): readonly string[] => [
  ...anchorTexts(bisection, ascii),
  ...doubtTexts(bisection),
]

/** The complete report. Ends with a line end. */
export function bisectionText(bisection: PrintedBisection): string {
  const { commits, next, mail } = bisection
  const notes = remarks(bisection)
  const table = [COLUMN_NAMES, ...commits.map(cellsOf)]
  const widths = COLUMN_NAMES.map((_, i) => Math.max(...table.map(row => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  const text = [
    headline(bisection),
    ...introduction(bisection),
    '',
    ...table.map(line),
    '',
    ...notes,
    ...(notes.length > 0 ? [''] : []),
    `${nextTitle(bisection)}:`,
    ...next.map(command => `    ${command}`),
    ...(mail.length > 0 ? ['', `${TITLES.mail}:`, ...mail.map(text => `    ${text}`)] : []),
  ].join('\n')
  return visible(`${text}\n`)
}
