/** Legend of the colours that occur in the map, and of its thin lines. */
import type { Grid, Layer, Marks } from '../../engine/protocol'
import type { ChartFrame } from '../shared/answers/shown'
import { DensityLegend, Legend, LegendItem, LegendMore, LegendWord, Swatch } from '../shared/frame/Legend'
import { classFilters, classNames, classTokens, shortened } from './layers'
import { classEntries, lineEntries, perCell } from './legend'

export interface MapLegendProps {
  readonly frame: ChartFrame
  readonly layer: Layer
  readonly answers: readonly (Marks | Grid | undefined)[]
  /** Classes that occur, from `classesIn`. */
  readonly classes: readonly number[]
  readonly max: number
}

/** One label for all processes: where their names are a sequence, or are not there, as in a link of size XS. */
const togetherOf = (names: readonly string[]): string | undefined =>
  names.length > 0 && names.every(name => name === '') ? 'by process' : shortened(names)

export function MapLegend({ frame, layer, answers, classes, max }: MapLegendProps) {
  const marks = answers.some(a => a?.kind === 'marks')
  const line = lineEntries(answers)
  if (layer === 'density')
    return answers.some(a => a?.kind === 'grid') ? <DensityLegend max={max} /> : <Legend entries={line} />
  const tokens = classTokens(layer)
  const names = classNames(layer, frame, frame.shown[0]?.run)
  const run = frame.shown.some(s => s.device.role === 'disk') ? 'D to C' : 'Q to C'
  const short = layer === 'process' ? togetherOf(classes.map(c => names[c] ?? '')) : undefined
  if (short !== undefined) {
    return (
      <Legend entries={line}>
        <LegendItem words={marks ? `${short}, ${run}` : short}>
          {classes.map(c => (
            <Swatch key={c} token={tokens[c] ?? 'ink'} />
          ))}
          <span>
            <LegendWord>{short}</LegendWord>
            {marks && <LegendMore>{`, ${run}`}</LegendMore>}
          </span>
        </LegendItem>
      </Legend>
    )
  }
  const entries = classEntries(layer, classes, names, classFilters(layer, frame))
  return <Legend entries={[...entries, ...line]}>{!marks && max > 1 && <LegendMore>{perCell(max)}</LegendMore>}</Legend>
}
