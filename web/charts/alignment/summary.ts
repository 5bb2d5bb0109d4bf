/** Stripe alignment in words and as a table. */
import { ALIGNMENT_CLASSES, type Alignment } from '../../engine/protocol'
import { count, counted, share, size } from '../../lib/format'
import { ALIGNMENT_NAMES } from '../shared/answers/names'
import { listed, type Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import {
  FULL_STRIPES,
  inRunsWords,
  NO_REQUEST,
  noRequestWords,
  notReadWords,
  PARTIAL_STRIPES,
} from '../shared/answers/words'

export const TITLE = 'Stripe alignment'

/** `48 of 48 full stripe`. */
export function largest(a: Alignment): string {
  const [first] = [...ALIGNMENT_CLASSES].sort((x, y) => a.classes[y].requests - a.classes[x].requests)
  return first === undefined || a.n === 0
    ? NO_REQUEST
    : `${count(a.classes[first].requests)} of ${count(a.n)} ${ALIGNMENT_NAMES[first]}`
}

const ESTIMATED = 'estimated'
/** Names the source of the reads of partial stripes. */
const sourceOf = ({ rmw }: Alignment): string => (rmw.told ? 'reported by md' : ESTIMATED)

export function costWords(a: Alignment): string {
  const { stripes, rmw } = a
  if (stripes.full + stripes.partial === 0) return 'No stripes written.'
  const covered = `Stripes written: ${count(stripes.full)} completely, ${count(stripes.partial)} partially.`
  if (rmw.reads + rmw.writes === 0) return `${covered} No read-modify-write expected.`
  return `${covered} Read-modify-write (${sourceOf(a)}): ${counted(rmw.reads, 'extra device read')} and ${counted(rmw.writes, 'extra device write')}, ${size(rmw.extraBytes)}.`
}

/** I/O of member disks in the same trace, next to the estimate. */
export function memberWords(run: Pick<Shown, 'figures' | 'part'>): string {
  const found = run.figures?.alignment?.members
  if (found === undefined) return ''
  const extra = (e: typeof found.counted) => `${size(e.read_bytes)} read and ${size(e.write_bytes)} written`
  const traced = `${count(found.members.length)} of ${counted(found.of, 'disk')} traced${run.part ? '' : ', full run'}`
  return `${traced}: ${extra(found.counted)} beyond full stripes; estimate ${extra(found.estimated)} (${share(found.agreement)} agreement).`
}

export function words(run: Shown, a: Alignment | undefined): string {
  if (a === undefined) return notReadWords(`${TITLE} of ${run.letter}`)
  if (a.n === 0) return noRequestWords(`${TITLE} of ${run.letter}`)
  const classes = ALIGNMENT_CLASSES.filter(c => a.classes[c].requests > 0).map(
    c => `${ALIGNMENT_NAMES[c]} ${count(a.classes[c].requests)} (${share(a.classes[c].requests / a.n)})`,
  )
  const off = a.misaligned4k > 0 ? ` ${count(a.misaligned4k)} are not 4 KiB-aligned.` : ''
  return `${TITLE} of ${run.letter}, ${counted(a.n, 'request')}: ${listed(classes)}.${off} ${costWords(a)} ${memberWords(run)}`.trim()
}

/** All that is known without a geometry: whether requests are 4 KiB-aligned. */
export function gridWords(shown: readonly Shown[], misaligned: readonly (number | undefined)[]): string {
  if (misaligned.some(n => n === undefined)) return ''
  const off = shown.flatMap((run, i) =>
    (misaligned[i] ?? 0) > 0 ? [`${count(misaligned[i] ?? 0)} of ${run.letter}`] : [],
  )
  if (off.length > 0) return `Not 4 KiB-aligned: ${listed(off)}.`
  return `All requests are 4 KiB-aligned${inRunsWords(shown)}.`
}

export function table(shown: readonly Shown[], answers: readonly (Alignment | undefined)[]): Table {
  return {
    title: `${TITLE} of the visible requests`,
    columns: [
      { label: 'run', text: true },
      { label: 'class', text: true },
      { label: 'requests' },
      { label: '%' },
      { label: 'MiB' },
    ],
    rows: shown.flatMap((run, i) => {
      const a = answers[i]
      if (a === undefined) return []
      const percent = (n: number) => (a.n === 0 ? 0 : (n / a.n) * 100)
      return [
        ...ALIGNMENT_CLASSES.map(c => [
          run.letter,
          ALIGNMENT_NAMES[c],
          a.classes[c].requests,
          percent(a.classes[c].requests),
          a.classes[c].bytes / 2 ** 20,
        ]),
        [run.letter, 'off 4 KiB', a.misaligned4k, percent(a.misaligned4k), ''],
        [run.letter, FULL_STRIPES, a.stripes.full, '', ''],
        [run.letter, PARTIAL_STRIPES, a.stripes.partial, '', ''],
        [run.letter, `RMW reads, ${sourceOf(a)}`, a.rmw.reads, '', ''],
        [run.letter, `RMW writes, ${ESTIMATED}`, a.rmw.writes, '', a.rmw.extraBytes / 2 ** 20],
      ]
    }),
  }
}
