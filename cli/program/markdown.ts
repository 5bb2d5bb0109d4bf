/** `seekscope compare --markdown`: a comparison, or one run explained, for trackers and merge requests. */
import { cell, type DifferenceRow, intervalText, rowsOf, spreadCell } from '../../web/compare/rows'
import { VERDICT_WORDS } from '../../web/compare/verdicts'
import type { CompareDocument, Comparison, RunExplanation } from '../../web/engine/protocol'
import { ascii, share } from '../../web/lib/format'
import { LETTERS } from '../../web/link/view'
import { comparisonsOf } from '../../web/state/comparing/comparing'
import { windowInWords } from '../../web/state/runs/part'

/** Text that Markdown takes as it is: on one line, and nothing in it is markup. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#~&@!]/g, '\\$&')

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Letters of a side: `A`, or `A-C` for a group. */
function letterOf({ sides }: CompareDocument, side: number): string {
  const letters = (sides[side]?.runs ?? []).map(run => LETTERS[run] ?? `run ${run + 1}`)
  return letters.length > 1 ? `${letters[0]}-${letters.at(-1)}` : (letters[0] ?? '')
}

/** Shown although it does not differ: what the outcome is made of. */
const TOTALS = ['span', 'bps', 'read_bps', 'write_bps', 'iops']

function figures(document: CompareDocument, comparison: Comparison): readonly string[] {
  const { baseline } = document
  const { side } = comparison
  const rows = rowsOf(document, [comparison])
  const differs = ({ changes }: DifferenceRow) =>
    ['better', 'worse', 'changed', 'unreliable'].includes(changes[side]?.verdict ?? '')
  const shown = rows.filter(r => differs(r) || TOTALS.includes(r.key) || r.application)
  const [a, b] = [letterOf(document, baseline), letterOf(document, side)]
  const lines = shown.map(r => {
    const { text = '', interval, verdict } = r.changes[side] ?? {}
    const value = (sideIndex: number) =>
      `${spreadCell(r, sideIndex)}${r.values[sideIndex] === undefined ? '' : unitOf(r)}`
    const ends = interval && verdict !== 'equal' ? intervalText(interval) : ''
    return row([
      escapeMarkdown(r.label),
      value(baseline),
      value(side),
      text || cell(undefined),
      ends,
      verdict === undefined ? '' : VERDICT_WORDS[verdict],
    ])
  })
  const others = rows.length - shown.length
  return [
    row(['Metric', a, b, `${b}/${a}`, '95% interval', 'verdict']),
    '|---|---:|---:|---:|---:|---|',
    ...lines,
    ...(others > 0 ? ['', `${others} other figures: equal, within noise, or unsure.`] : []),
  ]
}

/** `318/s`, `2.93%`, `7.47 ms`. */
const unitOf = ({ unit }: DifferenceRow): string =>
  unit === '' || unit === '%' ? unit : unit === '1/s' ? '/s' : ` ${unit}`

function findings({ findings: found }: Comparison): readonly string[] {
  return found.map(({ code, rank, sentence, accounts_for }) => {
    const part = accounts_for === undefined ? '' : `, accounts for ${share(accounts_for)} of the lost time`
    return `${rank}. ${escapeMarkdown(sentence)} (\`${code}\`${part})`
  })
}

const seconds = (ns: number): string => `${+(ns / 1e9).toFixed(3)} s`

/** What each run shows by itself. */
function explained({ alone = [], runs }: CompareDocument): readonly string[] {
  return alone.flatMap(({ run, findings: found, tail }) => [
    '',
    `**What held ${runs.length > 1 ? (LETTERS[run] ?? 'it') : 'it'} back**`,
    '',
    ...found.map(({ code, rank, sentence, when }) => {
      const [first] = when?.intervals ?? []
      const place = first ? `, most from ${seconds(first[0])} to ${seconds(first[1])}` : ''
      return `${rank}. ${escapeMarkdown(sentence)} (\`${code}\`${place})`
    }),
    ...(tail ? slowest(tail) : []),
  ])
}

/** What the time of the slowest requests went to. */
const slowest = ({ stage, threshold_ns, requests, causes }: NonNullable<RunExplanation['tail']>): readonly string[] => [
  '',
  `The slowest 1% of the requests, above ${ascii.duration(threshold_ns)} (${stage.toUpperCase()}): ${ascii.counted(requests, 'request')}`,
  '',
  row(['Cause', 'share of their time']),
  '|---|---:|',
  ...causes.map(({ label, share: part }) => row([escapeMarkdown(label), ascii.share(part)])),
]

/** Ends with a line end. */
export function markdown(document: CompareDocument): string {
  const { runs, sides, baseline } = document
  const named = runs.map(({ label, device, events, window }, i) => {
    const base = sides[baseline]?.runs.includes(i) && runs.length > 1 ? ', baseline' : ''
    return `- **${LETTERS[i] ?? `run ${i + 1}`}** ${escapeMarkdown(label)}${device === undefined ? '' : `, ${escapeMarkdown(device)}`}, ${ascii.count(events)} block events${window ? `, only ${windowInWords(window, ascii.duration)}` : ''}${base}`
  })
  const parts = comparisonsOf(document).flatMap(comparison => [
    '',
    `**${escapeMarkdown(comparison.verdict)}** ${escapeMarkdown(comparison.work.why)}`,
    '',
    ...findings(comparison),
    '',
    ...figures(document, comparison),
  ])
  const title = parts.length > 0 ? '### Comparison of block I/O traces' : '### Block I/O trace'
  return [title, '', ...named, ...parts, ...(parts.length > 0 ? [] : explained(document)), ''].join('\n')
}
