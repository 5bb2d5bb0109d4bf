/** Link problems in words. */
import type { LinkProblem } from './fields'

/** Names of the keys of a link. */
const PARTS: Readonly<Record<string, string>> = {
  v: 'version',
  url: 'trace URL',
  sha: 'file checksum',
  opened: 'trace batches',
  gone: 'removed traces',
  win: 'part of a trace',
  sample: 'sample',
  title: 'title',
  t: 'time range',
  lba: 'LBA range',
  run: 'run order',
  base: 'baseline',
  diff: 'compared run',
  off: 'hidden runs',
  list: 'listed run',
  label: 'label',
  group: 'group',
  part: 'label table',
  cell: 'label table',
  dev: 'device',
  finding: 'finding',
  evidence: 'evidence',
  note: 'annotation',
  layer: 'map colours',
  stage: 'latency stage',
  layout: 'layout',
  align: 'time alignment',
  shift: 'time alignment',
  events: 'event filter',
  figure: 'matrix figure',
  rows: 'matrix rows',
  cols: 'matrix columns',
  against: 'matrix baseline',
  picture: 'picture of results',
  curve: 'picture of results',
  show: 'view of results',
  without: 'sides that are left out',
  norow: 'figures that are left out',
  sizes: 'request sizes',
  bars: 'histogram bars',
  rate: 'throughput unit',
  scale: 'map scale',
  lat: 'latency filter',
  through: 'filter by call stack',
  geo: 'storage geometry',
  hide: 'filters',
  sum: 'trace checksum',
  s: 'snapshot',
}

/** `label of B`; an unknown key is shown as it is. */
export function partOf(key: string): string {
  const [name = '', letter] = key.split('.')
  const words = PARTS[name] ?? key
  return letter === undefined ? words : `${words} of ${letter}`
}

const MAX_NAMED = 4

/** All problems in one line: the most important reason, then the parts. */
export function headline(problems: readonly LinkProblem[]): string {
  const reasons = problems.flatMap(({ key, why }) =>
    (key === 'sha' || key === 'v' || key === 'run') && why !== undefined ? [why] : [],
  )
  const first = reasons[0]
  const rest = problems.filter(({ key, why }) => !(why !== undefined && reasons.includes(why)) || key === '')
  const parts = [...new Set(rest.map(({ key }) => partOf(key)))]
  const more = parts.length > MAX_NAMED ? ` and ${parts.length - MAX_NAMED} more` : ''
  const unread =
    parts.length > 0
      ? `Parts of the link could not be read: ${parts.slice(0, MAX_NAMED).join(', ')}${more}.`
      : undefined
  return [first, unread, reasons.length > 1 ? `${reasons.length - 1} more.` : undefined]
    .flatMap(text => text ?? [])
    .join(' ')
}
