/** Differences in words and as tables. */
import type { FailureMarks } from '../../engine/protocol'
import { count, counted } from '../../lib/format'
import type { JointSpec } from '../overlay/spec'
import { VISIBLE_REQUESTS } from '../seek-map/summary'
import type { Table } from '../shared/answers/table'
import { notReadWords } from '../shared/answers/words'
import { failureWords } from '../shared/paint/failures'
import type { PageSpec } from '../shared/spec'
import type { Amounts } from './draw'
import type { Pair } from './pair'
import { mapSubject, mapTitle, subjectOf, titleOfPair } from './spec'
import type { GridDifference } from './subtract'

/** Writes a value with its sign: `+12`, `−3`, `0`. */
export const signed = (value: number, digits = 3): string => {
  const text = Number.isInteger(value) ? count(Math.abs(value)) : String(+Math.abs(value).toPrecision(digits))
  return value > 0 ? `+${text}` : value < 0 ? `\u2212${text}` : '0'
}

export function mapWords(pair: Pair, found: GridDifference | undefined): string {
  if (found === undefined) return notReadWords(mapSubject(pair))
  const { base, other } = pair
  const cells = { more: 0, less: 0, same: 0 }
  found.sum.forEach((n, i) => {
    if (n > 0) cells[(found.changes[i] ?? 0) > 0 ? 'more' : (found.changes[i] ?? 0) < 0 ? 'less' : 'same'] += 1
  })
  const [a, b] = found.n
  return (
    `${mapSubject(pair)}: ${counted(b, 'request')} minus ${count(a)}. ` +
    `Cells with more requests in ${other.letter}: ${count(cells.more)}, in ${base.letter}: ${count(cells.less)}, equal: ${count(cells.same)}. Largest difference: ${count(found.most)} per cell.`
  )
}

/** A sentence for each run of which requests failed. */
export const failedWords = (
  letters: readonly string[],
  failures: readonly (FailureMarks | undefined)[],
): readonly string[] => failures.flatMap((marks, i) => (marks?.n ? [`${letters[i] ?? ''}:${failureWords(marks)}`] : []))

/** Visible requests of both runs, and those that failed if there are any. */
export function mapTable(
  pair: Pair,
  found: GridDifference | undefined,
  failures: readonly (FailureMarks | undefined)[],
): Table {
  const hasFailures = failures.some(marks => marks?.n)
  return {
    title: `${mapTitle(pair)}: ${VISIBLE_REQUESTS}`,
    columns: [{ label: 'run', text: true }, { label: 'requests' }, ...(hasFailures ? [{ label: 'failed' }] : [])],
    rows: [pair.base, pair.other].map((run, i) => [
      run.letter,
      found?.n[i] ?? '',
      ...(hasFailures ? [failures[i]?.n ?? 0] : []),
    ]),
  }
}

/** Mean of each side of the zero line, in its unit. */
export function amountWords(
  { title, units }: Pick<JointSpec<'depth' | 'rate'>, 'title' | 'units'>,
  pair: Pair,
  amounts: Amounts | undefined,
): string {
  const subject = subjectOf({ title }, pair)
  if (amounts === undefined) return notReadWords(subject)
  const { values } = amounts
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  return `${subject}: ${signed(mean)} ${units.difference} on average over the visible range, from ${signed(least)} to ${signed(most)}.`
}

export function amountTable(
  spec: Pick<PageSpec, 'title'>,
  pair: Pair,
  sides: readonly [Float64Array, Float64Array] | undefined,
  amounts: Amounts | undefined,
): Table {
  const { base, other, name } = pair
  const bin = amounts ? (amounts.range.t1 - amounts.range.t0) / amounts.values.length : 0
  return {
    title: titleOfPair(spec, pair),
    columns: [{ label: 'from, s' }, { label: base.letter }, { label: other.letter }, { label: name }],
    rows: Array.from(amounts?.values ?? [], (value, i) => [
      ((amounts?.range.t0 ?? 0) + i * bin) / 1e9,
      sides?.[0][i] ?? '',
      sides?.[1][i] ?? '',
      value,
    ]),
  }
}
