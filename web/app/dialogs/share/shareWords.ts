/** What a link or a report contains, whether it fits, and what may become of it on its way. */
import type { ResultsDocument, SnapshotSize } from '../../../engine/protocol'
import { count, counted } from '../../../lib/format'
import { MAX_LENGTH_S, MAX_LENGTH_XS, maxLinkLength } from '../../../share/address'
import { MAX_BRIEF_RUNS } from '../../../share/take'
import type { Page } from '../../../state/page'

/** Sizes that are made to fit; links of the others are as long as their content needs. */
export type FittedSize = 'XS' | 'S'

export const isFitted = (size: SnapshotSize): size is FittedSize => size === 'XS' || size === 'S'

/** What the reader chose to include. */
export interface Included {
  readonly names: boolean
  readonly files: boolean
}

export interface SharedContents {
  readonly page: Page
  /** Results without a trace, when there is nothing else. */
  readonly alone: ResultsDocument | undefined
  readonly included: Included
  /** Size XS: it has only the most important figures. */
  readonly brief: boolean
  /** Columns of the charts, once they are made. */
  readonly columns: number | undefined
}

/** `Contains figures and findings, charts with 200 columns, … No process names, no file names.` */
export function contentWords(contents: SharedContents): string {
  const held = contents.alone ? holdsOf(contents.alone) : heldOfTraces(contents)
  const missing = missingOf(contents)
  const lacks = missing.length > 0 ? ` No ${missing.join(', no ')}.` : ''
  return `Contains ${held.join(', ')}.${lacks}`
}

function heldOfTraces({ page, brief, columns }: SharedContents): readonly string[] {
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

function missingOf({ alone, included, brief }: SharedContents): readonly string[] {
  return [
    ...(included.names || alone ? [] : ['process names']),
    ...(included.files ? [] : ['file names']),
    ...(alone ? [] : ['individual requests']),
    ...(brief && !alone ? ['other figures', 'filters'] : []),
  ]
}

/** Of results without a trace. */
const holdsOf = ({ tables }: ResultsDocument): readonly string[] => [
  `${counted(
    tables.reduce((sum, table) => sum + table.runs.length, 0),
    'run',
  )} of ${counted(tables.length, 'table')}`,
  'their figures and names',
]

/** Why there is no link of this size. `length`: of the smallest one; absent until it is known. */
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
  const less =
    annotations > 0
      ? `Shorten or delete annotations and labels, or use ${larger}.`
      : `Shorten the title and the labels, or use ${larger}.`
  return `Does not fit: the smallest link has ${counted(length, 'character')}, size ${size} at most ${count(maxLinkLength(size))}. ${less}`
}

export function lengthWarning(length: number, size: SnapshotSize, carried: boolean): string {
  if (length <= MAX_LENGTH_XS) return ''
  if (length <= MAX_LENGTH_S)
    return `Some mail clients truncate links longer than 2 kB. For those, ${carried ? 'send the report file' : 'use size XS or send the report file'}.`
  const less = size === 'S' || carried ? '' : ' or use a smaller size'
  return `${counted(length, 'character')}: mail clients and trackers may truncate links this long. Send the report file${less} instead.`
}
