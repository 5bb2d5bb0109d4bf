/** The content of the map for CSV: one row per mark (one request) or per cell (the requests issued in it). */
import {
  type FailureMarks,
  type Grid,
  type Layer,
  type Marks,
  OPS,
  type Query,
  ZONE_KINDS,
  type ZoneMarks,
} from '../../engine/protocol'
import { ZONE_NAMES } from '../../lib/zones'
import type { Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { FROM_SECTOR, PER_CELL, TO_SECTOR } from '../shared/answers/words'
import type { Reply } from '../shared/spec'
import { LAYER_NAMES } from './layers'
import { TITLE } from './summary'

type CsvValue = string | number
type CsvRow = readonly CsvValue[]

const seconds = (t: number | undefined): CsvValue => (t === undefined || Number.isNaN(t) ? '' : t / 1e9)
const place = (value: number | undefined): CsvValue => (value === undefined || Number.isNaN(value) ? '' : value)

/** `names`: of the classes of a run. */
export function mapData(
  shown: readonly Shown[],
  replies: readonly Reply<'seekMap'>[],
  zoneMarks: readonly (ZoneMarks | undefined)[],
  failures: readonly (FailureMarks | undefined)[],
  layer: Layer,
  names: (run: Shown) => readonly string[],
): Table {
  return {
    title: `${TITLE}: requests, or ${PER_CELL}`,
    columns: [
      { label: 'run', text: true },
      { label: 'kind', text: true },
      { label: 'queued, s' },
      { label: 'from, s' },
      { label: 'to, s' },
      { label: FROM_SECTOR },
      { label: TO_SECTOR },
      { label: 'requests' },
      { label: 'operation', text: true },
      {
        label: layer === 'density' ? 'class' : LAYER_NAMES[layer] === 'operation' ? 'class' : LAYER_NAMES[layer],
        text: true,
      },
    ],
    rows: shown.flatMap((run, i) => {
      const { ask, answer } = replies[i] ?? {}
      const others = [...zoneRows(run, zoneMarks[i]), ...failureRows(run, failures[i])]
      if (answer?.kind === 'marks') return [...markRows(run, answer, names(run)), ...others]
      return answer && ask ? [...cellRows(run, answer, ask, layer === 'density' ? [] : names(run)), ...others] : others
    }),
  }
}

/** Zone actions, appends and writes off the write pointer. */
const zoneRows = (run: Shown, marks: ZoneMarks | undefined): readonly CsvRow[] =>
  Array.from({ length: marks?.n ?? 0 }, (_, i) => {
    const [time, from] = [seconds(marks?.at[i]), marks?.sector[i] ?? 0]
    return [
      run.letter,
      ZONE_NAMES[ZONE_KINDS[marks?.kind[i] ?? 0] ?? 'action'],
      '',
      time,
      time,
      from,
      from + (marks?.sectors[i] ?? 0),
      1,
      '',
      '',
    ]
  })

/** Failed requests: the first one of each cell, with their number. */
const failureRows = (run: Shown, marks: FailureMarks | undefined): readonly CsvRow[] =>
  Array.from({ length: marks?.at.length ?? 0 }, (_, i) => {
    const [time, from] = [seconds(marks?.at[i]), marks?.sector[i]]
    return [
      run.letter,
      `failed, errno ${marks?.errno[i] ?? 0}`,
      '',
      time,
      time,
      place(from),
      place((from ?? Number.NaN) + (marks?.sectors[i] ?? 0)),
      marks?.count[i] ?? 0,
      '',
      '',
    ]
  })

const markRows = (run: Shown, marks: Marks, names: readonly string[]): readonly CsvRow[] =>
  Array.from({ length: marks.n }, (_, i) => [
    run.letter,
    'request',
    seconds(marks.queued[i]),
    seconds(marks.issued[i]),
    seconds(marks.completed[i]),
    place(marks.lba[i]),
    place((marks.lba[i] ?? Number.NaN) + (marks.sectors[i] ?? 0)),
    1,
    OPS[marks.op[i] ?? 0] ?? '',
    names[marks.cls[i] ?? 0] ?? '',
  ])

function cellRows(
  run: Shown,
  { w, h, counts, cls }: Grid,
  { range, bands }: Query<'seekMap'>,
  names: readonly string[],
): readonly CsvRow[] {
  const rows: CsvRow[] = []
  const bin = (range.t1 - range.t0) / w
  for (const band of bands) {
    const step = (band.lba1 - band.lba0) / (band.y1 - band.y0)
    for (let x = 0; x < w; x += 1) {
      for (let y = band.y0; y < Math.min(h, band.y1); y += 1) {
        const n = counts[x * h + y] ?? 0
        if (n === 0) continue
        const top = band.lba1 - (y - band.y0) * step
        const [from, to] = [seconds(range.t0 + x * bin), seconds(range.t0 + (x + 1) * bin)]
        rows.push([run.letter, 'cell', '', from, to, top - step, top, n, '', names[cls[x * h + y] ?? 0] ?? ''])
      }
    }
  }
  return rows
}
