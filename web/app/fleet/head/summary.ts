/** What a table of digests holds, in one sentence and a line of figures. */
import { NONE, wordsIn } from '../../../fleet/rows/select'
import type { Column } from '../../../fleet/table/columns'
import { count, counted } from '../../../lib/format'
import { columnFormat, type FleetField, inUnit } from '../fields'

/** Labels that the sentence names: more cannot be read at a glance. */
const MAX_NAMED = 3

export interface LabelColumn {
  readonly field: FleetField
  readonly column: Column | undefined
}

/** Number of different words among rows. */
function wordCount({ field, column }: LabelColumn, rows: Uint32Array): number {
  if (column?.type !== 'text') return 0
  const wordsOfRow = wordsIn(field.name, column)
  const words = new Set<string>()
  for (const row of rows) for (const word of wordsOfRow(row)) words.add(word)
  words.delete(NONE)
  return words.size
}

/** `12 of 80 rows: 3 kernels, 2 schedulers and 4 devices.` */
export function fleetSentence(total: number, rows: Uint32Array | undefined, labels: readonly LabelColumn[]): string {
  if (rows === undefined) return 'Reading columns…'
  const rowWords = rows.length === total ? counted(total, 'row') : `${count(rows.length)} of ${counted(total, 'row')}`
  const varying = labels.flatMap(label => {
    // Rows are runs already.
    if (label.field.name === 'run') return []
    const words = wordCount(label, rows)
    return words < 2 ? [] : [`${count(words)} ${pluralOf(label.field)}`]
  })
  const named = varying.slice(0, MAX_NAMED)
  if (named.length === 0) return `${rowWords}.`
  return `${rowWords}: ${named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named[0]}.`
}

/** Titles of known labels are nouns; others are names of columns. */
const pluralOf = ({ name, title }: FleetField): string =>
  title === name ? `values of ${name}` : title.endsWith('s') ? title.toLowerCase() : `${title.toLowerCase()}s`

/** `Q2C, mean: 0.95 to 14.8 ms`: the smallest and the largest value among rows; absent without a value. */
export function spanWords(field: FleetField, column: Column | undefined, rows: Uint32Array): string | undefined {
  if (column?.type !== 'number') return undefined
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const row of rows) {
    const value = column.values[row] ?? Number.NaN
    if (Number.isNaN(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return undefined
  const written = columnFormat(field, column)
  if (low === high) return `${field.title}: ${inUnit(written, low)}`
  return `${field.title}: ${written.text(low)} to ${inUnit(written, high)}`
}

/** `7 rows with an outlier`. */
export const outlierWords = (outlying: number): string =>
  outlying === 0 ? 'no outliers' : `${counted(outlying, 'row')} with an outlier`
