/** Colours and thin lines that occur in the map. Pure. */
import { type Grid, type Layer, type Marks, OPS } from '../../engine/protocol'
import { count } from '../../lib/format'
import { type LeftOut, onlyOp } from '../../state/hidden'
import { entryWords, type LegendEntry } from '../shared/paint/legendEntry'
import { classTokens } from './layers'

/** The thin line before a mark. */
const WAITED_ENTRY: LegendEntry = { label: 'waiting', more: ', Q to D', token: 'held', shape: 'thin' }
export const WAITED = entryWords(WAITED_ENTRY)

/** The largest cell of a map, where colours have no scale of counts. */
export const perCell = (max: number): string => `up to ${count(max)} per cell`

type MapAnswers = readonly (Marks | Grid | undefined)[]

const OP_SHAPES = ['hollow', 'square', 'hatch', 'bar'] as const

/** The second cue of a class: operations and straddling requests are distinguishable without colour. */
function shapeOf(layer: Layer, cls: number): NonNullable<LegendEntry['shape']> {
  if (layer === 'op') return OP_SHAPES[cls] ?? 'square'
  return layer === 'alignment' && cls === 3 ? 'hatch' : 'square'
}

/** A flush without sectors is drawn as a tick in all colour layers. */
const isTick = (marks: Marks, i: number): boolean => marks.op[i] === OPS.indexOf('flush') && marks.sectors[i] === 0

/** Classes that occur, ascending. */
export function classesIn(answers: MapAnswers): readonly number[] {
  const found = new Set<number>()
  for (const answer of answers) {
    if (answer?.kind === 'marks')
      for (let i = 0; i < answer.n; i += 1) if (!isTick(answer, i)) found.add(answer.cls[i] ?? 0)
    if (answer?.kind === 'grid')
      for (let i = 0; i < answer.cls.length; i += 1) if (answer.counts[i] !== 0) found.add(answer.cls[i] ?? 0)
  }
  return [...found].sort((a, b) => a - b)
}

/** Classes by colour; `names` and `filters` of all classes of the layer. */
export const classEntries = (
  layer: Layer,
  classes: readonly number[],
  names: readonly string[],
  filters: readonly (LeftOut | undefined)[] = [],
): readonly LegendEntry[] =>
  classes.map(c => ({
    label: names[c] ?? 'other',
    token: classTokens(layer)[c] ?? 'ink',
    shape: shapeOf(layer, c),
    only: filters[c],
  }))

/** Ticks of flushes, and lines of requests that waited. */
export function lineEntries(answers: MapAnswers): readonly LegendEntry[] {
  const waited = answers.some(a => a?.kind === 'marks' && a.queued.some((q, i) => (a.issued[i] ?? 0) - q > 0))
  const ticks = answers.some(a => a?.kind === 'marks' && a.op.some((_, i) => isTick(a, i)))
  return [
    ...(ticks ? [{ label: 'flush', token: 'op-flush', shape: 'bar', only: onlyOp('flush') } as const] : []),
    ...(waited ? [WAITED_ENTRY] : []),
  ]
}
