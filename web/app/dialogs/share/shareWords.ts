/** Sentences about a link or report: its contents, whether it fits, and what mail clients may do to it. */
import type { ResultsDocument, SnapshotSize } from '../../../engine/protocol'
import { count, counted } from '../../../lib/format'
import { MAX_LENGTH_S, MAX_LENGTH_XS, maxLinkLength } from '../../../share/address'
import { MAX_BRIEF_RUNS } from '../../../share/take'
import type { Page } from '../../../state/page'

/** Link sizes with a maximum length; the other sizes are as long as their content. */
export type FittedSize = 'XS' | 'S'

export const isSizeLimited = (size: SnapshotSize): size is FittedSize => size === 'XS' || size === 'S'

/** Names that the user chose to include. */
export interface Included {
  readonly names: boolean
  readonly files: boolean
}

export interface SharedContents {
  readonly page: Page
  /** Results without a trace; absent when runs are open. */
  readonly lone: ResultsDocument | undefined
  readonly included: Included
  /** Size XS, which has only the most important figures. */
  readonly brief: boolean
  /** Columns of the charts; absent until the snapshot is made. */
  readonly columns: number | undefined
}

/** `Contains figures and findings, charts with 200 columns, … No process names, no file names.` */
export function contentWords(contents: SharedContents): string {
  const present = contents.lone ? resultContents(contents.lone) : traceContents(contents)
  const missing = missingContents(contents)
  const lacks = missing.length > 0 ? ` No ${missing.join(', no ')}.` : ''
  return `Contains ${present.join(', ')}.${lacks}`
}

function traceContents({ page, brief, columns }: SharedContents): readonly string[] {
  const { runs, annotations, results } = page
  return [
    brief ? 'the verdict, the main figures and findings' : 'figures and findings',
    `charts with ${columns === undefined ? '…' : count(columns)} columns`,
    ...(annotations.length > 0 ? [counted(annotations.length, 'annotation')] : []),
    `run names (${runs.map(run => run.label).join(', ')})`,
    'kernels, devices and PIDs',
    ...(!brief && (runs.some(run => run.bench) || results) ? ['benchmark results'] : []),
    ...(!brief && runs.some(run => run.settings) ? ['settings that differ'] : []),
  ]
}

function missingContents({ lone, included, brief }: SharedContents): readonly string[] {
  return [
    ...(included.names || lone ? [] : ['process names']),
    ...(included.files ? [] : ['file names']),
    ...(lone ? [] : ['individual requests']),
    ...(brief && !lone ? ['other figures', 'filters'] : []),
  ]
}

/** What a link to results without a trace contains. */
const resultContents = ({ tables }: ResultsDocument): readonly string[] => [
  `${counted(
    tables.reduce((sum, table) => sum + table.runs.length, 0),
    'run',
  )} of ${counted(tables.length, 'table')}`,
  'their figures and names',
]

/**
 * Why there is no link of this size; `undefined` if there is. `length`: characters of the smallest possible link;
 * `undefined` until it is made.
 */
export function whyUnfit(
  size: FittedSize,
  runs: number,
  length: number | undefined,
  annotations: number,
): string | undefined {
  if (size === 'XS' && runs > MAX_BRIEF_RUNS)
    return `Size XS has room for ${MAX_BRIEF_RUNS} runs, not for ${runs}. Use size S or the report file.`
  if (length === undefined || length <= maxLinkLength(size)) return undefined
  const larger = size === 'XS' ? 'size S' : 'size M or the report file'
  const remedy =
    annotations > 0
      ? `Shorten or delete annotations and labels, or use ${larger}.`
      : `Shorten the title and the labels, or use ${larger}.`
  const [smallest, limit] = [counted(length, 'character'), count(maxLinkLength(size))]
  return `Does not fit: the smallest link has ${smallest}, size ${size} at most ${limit}. ${remedy}`
}

export function lengthWarning(length: number, size: SnapshotSize, carried: boolean): string {
  if (length <= MAX_LENGTH_XS) return ''
  if (length <= MAX_LENGTH_S) {
    const remedy = carried ? 'send the report file' : 'use size XS or send the report file'
    return `Some mail clients truncate links longer than 2 kB. For those, ${remedy}.`
  }
  const alternative = size === 'S' || carried ? '' : ' or use a smaller size'
  const risk = `${counted(length, 'character')}: mail clients and trackers may truncate links this long.`
  return `${risk} Send the report file${alternative} instead.`
}
