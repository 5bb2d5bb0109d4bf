/** A chart on the page from its spec: one plot per run, with what only a page has, such as controls and tips. */
import { type ReactNode, useCallback, useMemo } from 'react'
import type { EngineError } from '../../../engine/protocol'
import { type ChartFrame, frameOf, type Shown, scopeWords } from '../answers/shown'
import type { OwnPart } from '../answers/useAnswers'
import { useIntervals } from '../answers/useIntervals'
import { entryWords } from '../paint/legendEntry'
import {
  type Answers,
  type Cells,
  type ChartRow,
  endsOf,
  type FigurePart,
  type LegendPart,
  type QueryKinds,
  type RowSpec,
  type SpecFrame,
  titleOf,
} from '../spec'
import { DensityLegend, Legend, LegendItem, LegendMore, LegendWord, Swatch } from './Legend'
import { UnreliableMark } from './LossIntervals'
import { Plot, type PlotProps } from './Plot'
import { type ChartRowProps, Row } from './Row'

/** What a spec reads of the frame; the same until one of its parts changes, so that a selection draws nothing again. */
export function useSpecFrame(frame: ChartFrame): SpecFrame {
  const { shown, groups, view, extent, processes, objects, sizes, plotWidth, axisWidth, palette } = frame
  const intervalOf = useIntervals(shown)
  return useMemo(
    () => ({
      ...{ shown, view, extent, processes, objects, sizes, plotWidth, axisWidth, palette, intervalOf },
      ...(groups && { groups }),
    }),
    [shown, groups, view, extent, processes, objects, sizes, plotWidth, axisWidth, palette, intervalOf],
  )
}

/** What each run is asked and drawn with, where it is drawn over its own length. */
export function useOwnParts<Q extends QueryKinds<Q>, C extends Cells>(
  { ownFrames }: ChartFrame,
  surroundings: SpecFrame,
  spec: RowSpec<Q, C>,
): ReadonlyMap<string, OwnPart<SpecFrame, C>> | undefined {
  return useMemo(
    () =>
      ownFrames &&
      new Map(
        [...ownFrames].map(([id, { view }]) => {
          const frame = { ...surroundings, view }
          return [id, { frame, cells: spec.cells(frame, {}) }] as const
        }),
      ),
    [ownFrames, surroundings, spec],
  )
}

/** The parts of a figure as the page shows them. */
export function Figure({ frame, run, parts }: { frame: ChartFrame; run: Shown; parts: readonly FigurePart[] }) {
  return parts.map((part, i) => {
    if (typeof part === 'string') return part === 'scope' ? scopeWords(frame, run) : part
    // The parts of a figure keep their places.
    const key = `${i}`
    return 'strong' in part ? (
      <b key={key}>{part.strong}</b>
    ) : (
      <UnreliableMark key={key} spoiled={run.figures?.spoiled} names={part.unreliable} />
    )
  })
}

export function LegendParts({ parts }: { readonly parts: readonly LegendPart[] }) {
  return parts.map(part => {
    if ('entries' in part) return <Legend key={part.entries.map(entryWords).join()} entries={part.entries} />
    if ('most' in part) return <DensityLegend key="most" max={part.most} />
    if ('words' in part)
      return (
        <span key="words" className="legend">
          <LegendMore>{part.words}</LegendMore>
        </span>
      )
    return (
      <span key={part.label} className="legend">
        <LegendItem words={part.label}>
          {part.tokens.map(token => (
            <Swatch key={token} token={token} />
          ))}
          <LegendWord>{part.label}</LegendWord>
        </LegendItem>
      </span>
    )
  })
}

export interface SpecRowProps<Q extends QueryKinds<Q>, C extends Cells>
  extends Pick<ChartRowProps, 'frame' | 'controls' | 'timed' | 'axis' | 'zoomValue'> {
  readonly spec: RowSpec<Q, C>
  readonly row: ChartRow
  readonly answers: Answers<Q>
  readonly cells: C
  readonly ownParts?: ReadonlyMap<string, OwnPart<SpecFrame, C>> | undefined
  /** Why the plot of a run is not there. */
  readonly error: (i: number) => EngineError | undefined
  /** What the pointer finds in the plot of a run. */
  readonly pointing?: (run: Shown, i: number) => PlotPart
}

type PlotPart = {
  readonly [K in 'tip' | 'pick' | 'request' | 'next' | 'readout' | 'endNote']?: PlotProps[K] | undefined
}

export function SpecRow<Q extends QueryKinds<Q>, C extends Cells>(props: SpecRowProps<Q, C>) {
  const { spec, row, answers, cells, ownParts, error, pointing, frame, ...rest } = props
  const ownRows = useMemo(
    () =>
      ownParts && new Map([...ownParts].map(([id, part]) => [id, spec.row(part.frame, answers, part.cells)] as const)),
    [ownParts, spec, answers],
  )
  const words = row.words ?? spec.words(frame, answers, cells)
  const { data, missing } = spec
  return (
    <Row
      {...rest}
      frame={frame}
      title={spec.namesDevice ? titleOf(spec, frame) : spec.title}
      {...(spec.chart && { chart: spec.chart })}
      {...(missing && { missing })}
      what={ownRows ? [...new Set([...ownRows.values()].map(({ what }) => what))].join(' / ') : row.what}
      height={row.height}
      ticks={row.ticks}
      figure={(run, i) => <Figure frame={frame} run={run} parts={row.figure(run, i)} />}
      legend={row.legend.length > 0 ? <LegendParts parts={row.legend} /> : undefined}
      words={words}
      measured={spec.measured}
      table={() => spec.table(frame, answers, cells)}
      {...(data && { data: () => data(frame, answers, cells) })}
      plot={(run, i) => (
        <SpecPlot
          frame={frameOf(frame, run)}
          run={run}
          i={i}
          row={ownRows?.get(run.id) ?? row}
          name={spec.title}
          words={words[i] ?? ''}
          instead={error(i)?.message ?? row.empty?.(run, i)}
          {...pointing?.(run, i)}
        />
      )}
    />
  )
}

interface SpecPlotProps extends PlotPart, Pick<PlotProps, 'frame' | 'run' | 'name' | 'words' | 'instead'> {
  readonly i: number
  readonly row: ChartRow
}

function SpecPlot({ row, i, ...props }: SpecPlotProps) {
  const { frame, run } = props
  const draw = useCallback<PlotProps['draw']>(surface => row.draw(surface, run, i), [row, run, i])
  const [from, to] = endsOf(run, frame.view.range, frame.plotWidth)
  const group = frame.groups?.[i]
  const joint = group && group.length > 1 ? group : undefined
  const labels: ReactNode = row.labels?.(run, i).map(({ x, y, text }) => (
    <text key={text} className="plot-label" x={x} y={y}>
      {text}
    </text>
  ))
  return (
    <Plot {...props} height={row.height} lines={row.lines} draw={draw} {...(joint && { joint })}>
      {labels}
      {joint && <GroupEnds frame={frame} runs={joint} height={row.height} />}
      {row.zeros.map(y => (
        <line key={y} className="plot-zero" x1={from} x2={to} y1={y - 0.5} y2={y - 0.5} />
      ))}
    </Plot>
  )
}

interface GroupEndsProps {
  readonly frame: ChartFrame
  readonly runs: readonly Shown[]
  readonly height: number
}

/** Where the runs of a group end, from the first end to the last. */
function GroupEnds({ frame: { view, plotWidth }, runs, height }: GroupEndsProps) {
  const ends = runs.map(run => endsOf(run, view.range, plotWidth)[1])
  const from = Math.min(...ends)
  if (from >= plotWidth) return undefined
  return <rect className="plot-ends" x={from} y={height - 4} width={Math.max(2, Math.max(...ends) - from)} height={4} />
}
