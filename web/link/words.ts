/** What of a link could not be shown, in words. */
import type { LinkProblem } from './fields'

/** What each key of a link is about. */
const PARTS: Readonly<Record<string, string>> = {
  v: 'version',
  url: 'address of a trace',
  sha: 'content of a file',
  opened: 'how traces were opened',
  gone: 'removed traces',
  sample: 'sample',
  title: 'title',
  t: 'time range',
  lba: 'LBA range',
  run: 'order of the runs',
  base: 'baseline',
  diff: 'compared run',
  off: 'hidden runs',
  list: 'listed run',
  label: 'label',
  group: 'group',
  part: 'table of labels',
  cell: 'table of labels',
  dev: 'device',
  finding: 'finding',
  layer: 'colours of the map',
  stage: 'stage of the latency',
  layout: 'layout',
  align: 'alignment in time',
  shift: 'alignment in time',
  events: 'filter of the event list',
  figure: 'figure of the matrix',
  rows: 'rows of the matrix',
  cols: 'columns of the matrix',
  against: 'base of the matrix',
  sizes: 'sizes of requests',
  bars: 'bars of histograms',
  rate: 'unit of the throughput',
  scale: 'scale of the map',
  lat: 'latency filter',
  geo: 'storage geometry',
  hide: 'filters',
}

/** `label of B`; keys that nobody knows stand for themselves. */
export function partOf(key: string): string {
  const [name = '', letter] = key.split('.')
  const words = PARTS[name] ?? key
  return letter === undefined ? words : `${words} of ${letter}`
}

const MOST_NAMED = 4

/** In one line. */
export function headline(problems: readonly LinkProblem[]): string {
  const said = problems.flatMap(({ key, why }) => ((key === 'sha' || key === 'v' || key === 'run') && why !== undefined ? [why] : []))
  const first = said[0]
  const rest = problems.filter(({ key, why }) => !(why !== undefined && said.includes(why)) || key === '')
  const parts = [...new Set(rest.map(({ key }) => partOf(key)))]
  const more = parts.length > MOST_NAMED ? ` and ${parts.length - MOST_NAMED} more` : ''
  const unread = parts.length > 0 ? `The link could not be read whole: ${parts.slice(0, MOST_NAMED).join(', ')}${more}.` : undefined
  return [first, unread, said.length > 1 ? `${said.length - 1} more.` : undefined].flatMap(text => text ?? []).join(' ')
}
