/** Legend of the colours that occur in the map, and of its thin lines. */
import { type Grid, type Layer, type Marks, OPS } from '../../engine/protocol'
import { count } from '../../lib/format'
import { DensityLegend, Legend, type LegendEntry, Swatch } from '../shared/Legend'
import type { ChartFrame } from '../shared/shown'
import { classNames, classTokens, shortened } from './layers'

export interface MapLegendProps {
  readonly frame: ChartFrame
  readonly layer: Layer
  readonly answers: readonly (Marks | Grid | undefined)[]
  /** Those that occur, from `classesIn`. */
  readonly classes: readonly number[]
  readonly max: number
}

const OP_SHAPES = ['hollow', 'square', 'hatch', 'bar'] as const

/** The second cue of a class: operations and straddling requests are distinguishable without colour. */
function shapeOf(layer: Layer, cls: number): NonNullable<LegendEntry['shape']> {
  if (layer === 'op') return OP_SHAPES[cls] ?? 'square'
  return layer === 'alignment' && cls === 3 ? 'hatch' : 'square'
}

/** A flush without sectors is drawn as a tick in all colour layers. */
const isTick = (marks: Marks, i: number): boolean => marks.op[i] === OPS.indexOf('flush') && marks.sectors[i] === 0

/** Classes that occur, ascending. */
export function classesIn(answers: MapLegendProps['answers']): readonly number[] {
  const found = new Set<number>()
  for (const answer of answers) {
    if (answer?.kind === 'marks') for (let i = 0; i < answer.n; i += 1) if (!isTick(answer, i)) found.add(answer.cls[i] ?? 0)
    if (answer?.kind === 'grid') for (let i = 0; i < answer.cls.length; i += 1) if (answer.counts[i] !== 0) found.add(answer.cls[i] ?? 0)
  }
  return [...found].sort((a, b) => a - b)
}

/** Labels of the legend, to estimate its width. */
export function legendLabels(frame: ChartFrame, layer: Layer, classes: readonly number[]): readonly string[] {
  const names = classNames(layer, frame.processes, frame.shown[0]?.run)
  const labels = classes.map(c => names[c] ?? '')
  const short = layer === 'process' ? shortened(labels) : undefined
  return ['waiting, Q to D', ...(short === undefined ? labels : [short, ''])]
}

export function MapLegend({ frame, layer, answers, classes, max }: MapLegendProps) {
  const marks = answers.some(a => a?.kind === 'marks')
  const waited = answers.some(a => a?.kind === 'marks' && a.queued.some((q, i) => (a.issued[i] ?? 0) - q > 0))
  const ticks = answers.some(a => a?.kind === 'marks' && a.op.some((_, i) => isTick(a, i)))
  const line: readonly LegendEntry[] = [
    ...(ticks ? [{ label: 'flush', token: 'op-flush', shape: 'bar' } as const] : []),
    ...(marks && waited ? [{ label: 'waiting, Q to D', token: 'held', shape: 'thin' } as const] : []),
  ]
  if (layer === 'density') return answers.some(a => a?.kind === 'grid') ? <DensityLegend max={max} /> : <Legend entries={line} />
  const tokens = classTokens(layer)
  const names = classNames(layer, frame.processes, frame.shown[0]?.run)
  const run = frame.shown.some(s => s.device.role === 'disk') ? 'D to C' : 'Q to C'
  const short = layer === 'process' ? shortened(classes.map(c => names[c] ?? '')) : undefined
  if (short !== undefined) {
    return (
      <Legend entries={line}>
        <span className="legend-item">
          {classes.map(c => (
            <Swatch key={c} token={tokens[c] ?? 'ink'} />
          ))}
          {marks ? `${short}, ${run}` : short}
        </span>
      </Legend>
    )
  }
  const entries = classes.map((c): LegendEntry => ({ label: names[c] ?? 'other', token: tokens[c] ?? 'ink', shape: shapeOf(layer, c) }))
  return <Legend entries={[...entries, ...line]}>{!marks && max > 1 && <span className="legend-item">{`up to ${count(max)} per cell`}</span>}</Legend>
}
