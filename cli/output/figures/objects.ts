/** Files and structures of file systems as lines of text, at most 80 columns. */
import type { ObjectsUsed, ObjectUse } from '../../../web/engine/protocol'
import { ascii } from '../../../web/lib/format'
import { printable } from './printable'

const { count, counted, duration, share, size } = ascii

const NAME = 24
const CELL = 9
/** Rows of the table; `--json` has more. */
const MAX_ROWS = 12

/** The end of a name: it tells files apart better than the beginning. */
const shortened = (name: string): string => (name.length < NAME ? name : `...${name.slice(name.length - NAME + 4)}`)

const ratio = (part: number, whole: number): string => (whole > 0 ? share(part / whole) : '-')

const row = (name: string, cells: readonly string[]): string =>
  `    ${name.padEnd(NAME)}${cells.map(cell => cell.padStart(CELL)).join('')}`.trimEnd()

type Sums = Omit<ObjectUse, 'kind' | 'name' | 'first' | 'end'>

const cellsOf = (sums: Sums, all: Sums): readonly string[] => [
  size(sums.read + sums.write),
  count(sums.requests),
  ratio(sums.d2c_ns, all.d2c_ns),
  sums.ended > 0 ? duration(sums.q2c_ns / sums.ended) : '-',
  ratio(sums.sequential_on_disk, sums.following),
]

/** What no column has: extents, the order in the file, who wrote it. */
function details({ extents, writers = [], ...sums }: ObjectUse): string[] {
  const bytes = sums.read + sums.write
  const facts = [
    ...(extents === undefined ? [] : [counted(extents, 'extent')]),
    ...(sums.following_in_file > 0
      ? [`${ratio(sums.sequential_in_file, sums.following_in_file)} sequential in the file`]
      : []),
    ...(writers.length > 0
      ? [`for ${writers.map(writer => `${printable(writer.names)} ${ratio(writer.bytes, bytes)}`).join(', ')}`]
      : []),
  ]
  return facts.length > 0 ? [`      ${facts.join('; ')}`.slice(0, 80)] : []
}

/** The table of a device; empty without a map of it. */
export function objectLines(used: ObjectsUsed | undefined): string[] {
  if (!used) return []
  const { top, rest, unknown, all } = used
  const shown = top.slice(0, MAX_ROWS)
  const others = [
    ...(rest.requests > 0 ? [row('other files', cellsOf(rest, all))] : []),
    ...(unknown.requests > 0 ? [row('unknown', cellsOf(unknown, all))] : []),
  ]
  const ownedBytes = all.read + all.write - unknown.read - unknown.write
  return [
    `  objects       owner known for ${ratio(ownedBytes, all.read + all.write)} of the bytes`,
    row('', ['bytes', 'requests', 'of D2C', 'mean Q2C', 'seq disk']),
    ...shown.flatMap(object => [row(printable(shortened(object.name)), cellsOf(object, all)), ...details(object)]),
    ...(top.length > shown.length ? [`    and ${counted(top.length - shown.length, 'other object')}`] : []),
    ...others,
  ]
}
