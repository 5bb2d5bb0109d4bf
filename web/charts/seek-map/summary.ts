/** The seek map in words and as a table. */
import { ALIGNMENT_CLASSES, type Grid, type Layer, type Marks, OPS } from '../../engine/protocol'
import { count, counted, duration, sectorSize, share } from '../../lib/format'
import type { Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { FROM_SECTOR, notReadWords, TO_SECTOR } from '../shared/answers/words'
import { type AxisPart, yWithin } from './axis/bands'
import { LAYER_NAMES } from './layers'
import { perCell } from './legend'

export const TITLE = 'Seek map'
/** Names what the table lists. */
export const VISIBLE_REQUESTS = 'visible requests'

/** The map of one run in words. */
export function words(run: Shown, answer: Marks | Grid | undefined, parts: readonly AxisPart[], layer: Layer): string {
  if (answer === undefined) return notReadWords(`${TITLE} of ${run.letter}`)
  const kind =
    answer.kind === 'marks' ? 'each drawn from issue to completion' : `as a density map with ${perCell(answer.max)}`
  return `${placeWords(run, answer.n, parts)}, ${kind}, coloured by ${LAYER_NAMES[layer]}.${courseWords(run)}`
}

/** Number of requests and the parts of the disk that have them. */
export function placeWords(run: Shown, n: number, parts: readonly AxisPart[]): string {
  const where = parts.map(part => `${count(part.lba0)} to ${count(part.lba1)}`).join('; ')
  const reach = `${parts.length === 1 ? 'sectors' : `${parts.length} parts of the disk, sectors`} ${where}`
  return `${TITLE} of ${run.letter}: ${counted(n, 'request')} in ${reach}`
}

/** How long the run lasts and how often the process changes; starts with a space. */
export function courseWords(run: Shown): string {
  const follow = run.figures?.interleaving
  const turns =
    follow && follow.switch_share > 0 ? ` ${share(follow.switch_share)} of the requests switch process.` : ''
  return ` The run lasts ${duration(run.end - run.begin)}.${turns}`
}

/** Marks one by one; of a grid, requests by part of the axis. */
export function table(
  shown: readonly Shown[],
  answers: readonly (Marks | Grid | undefined)[],
  parts: readonly AxisPart[],
  layer: Layer,
): Table {
  const rows = shown.flatMap((run, i) => {
    const answer = answers[i]
    if (answer?.kind === 'marks') return markRows(run, answer, layer)
    if (answer?.kind === 'grid') return gridRows(run, answer, parts)
    return []
  })
  if (answers.some(answer => answer?.kind === 'grid')) {
    return {
      title: `${TITLE}: requests by part of the LBA axis`,
      columns: [{ label: 'run', text: true }, { label: FROM_SECTOR }, { label: TO_SECTOR }, { label: 'requests' }],
      rows,
    }
  }
  return {
    title: `${TITLE}: ${VISIBLE_REQUESTS}`,
    columns: [
      { label: 'run', text: true },
      { label: 'queued, s' },
      { label: 'issued, s' },
      { label: 'completed, s' },
      { label: 'sector' },
      { label: 'sectors' },
      { label: 'op', text: true },
      ...(layer === 'alignment' ? [{ label: 'class', text: true }] : []),
    ],
    rows,
  }
}

const seconds = (t: number | undefined): number | string => (t === undefined || Number.isNaN(t) ? '' : t / 1e9)

function markRows(run: Shown, marks: Marks, layer: Layer): (string | number)[][] {
  return Array.from({ length: marks.n }, (_, i) => [
    run.letter,
    seconds(marks.queued[i]),
    seconds(marks.issued[i]),
    seconds(marks.completed[i]),
    Number.isNaN(marks.lba[i]) ? '' : (marks.lba[i] ?? ''),
    marks.sectors[i] ?? 0,
    OPS[marks.op[i] ?? 0] ?? '',
    ...(layer === 'alignment' ? [ALIGNMENT_CLASSES[marks.cls[i] ?? 0] ?? ''] : []),
  ])
}

function gridRows(run: Shown, grid: Grid, parts: readonly AxisPart[]): (string | number)[][] {
  const height = Math.max(...parts.map(p => p.bottom))
  return parts.map(part => {
    const [top, bottom] = [
      Math.floor((yWithin(part, part.lba1) / height) * grid.h),
      Math.ceil((yWithin(part, part.lba0) / height) * grid.h),
    ]
    let n = 0
    for (let x = 0; x < grid.w; x += 1) for (let y = top; y < bottom; y += 1) n += grid.counts[x * grid.h + y] ?? 0
    return [run.letter, part.lba0, part.lba1, n]
  })
}

/** `write, 8 sectors at 504,112 (4 KiB)`. */
export function markTitle(marks: Marks, i: number): string {
  const sectors = marks.sectors[i] ?? 0
  const op = OPS[marks.op[i] ?? 0] ?? 'request'
  return sectors === 0 ? op : `${sectorSize(sectors)} ${op} at sector ${count(marks.lba[i] ?? 0)}`
}
