/** Figures of the table of differences under headings: what a reader looks for together. */
import type { DifferenceRow } from './rows'

/** Beginnings of keys by heading, in the order of the table. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['Work and rates', ['span', 'read_bps', 'write_bps', 'bps', 'queued_bps', 'issued_bps', 'iops', 'bytes', 'failed']],
  ['Queue', ['depth', 'waiting', 'starved', 'states']],
  ['Time of requests', ['q2c', 'd2c', 'q2d', 'q2g', 'g2d', 'g2i', 'i2d', 'bio']],
  ['Order and size of requests', ['seek', 'size', 'merges', 'interleaving', 'reordered', 'migrated', 'sync', 'writes']],
  ['Stripes and parity', ['alignment']],
  ['Flushes and forced writes', ['flush']],
  ['Events', ['events']],
]

const OTHER = 'Other'

const HEADINGS = new Map(GROUPS.flatMap(([heading, beginnings]) => beginnings.map(word => [word, heading] as const)))

/** The heading of a figure; `Other` for keys that no group has. */
export const figureGroup = (key: string): string => HEADINGS.get(key.split('.')[0] ?? '') ?? OTHER

export interface FigureGroup {
  readonly heading: string
  readonly rows: readonly DifferenceRow[]
}

/** The rows under their headings; rows of a group keep their order, and empty groups are left out. */
export function groupFigures(rows: readonly DifferenceRow[]): readonly FigureGroup[] {
  return [...GROUPS.map(([heading]) => heading), OTHER].flatMap(heading => {
    const members = rows.filter(({ key }) => figureGroup(key) === heading)
    return members.length > 0 ? [{ heading, rows: members }] : []
  })
}
