/** A chart that its spec describes completely: without controls, tips and a drawing of its own. */
import { useMemo } from 'react'
import type { ChartFrame } from '../answers/shown'
import { useQuery } from '../answers/useAnswers'
import type { Answers, Cells, PanelSpec, QueryKinds, Reply, RowSpec, SpecFrame } from '../spec'
import { SpecPanel } from './SpecPanel'
import { SpecRow, useSpecFrame } from './SpecRow'

interface SpecChartProps<S> {
  readonly frame: ChartFrame
  readonly spec: S
  /** A row has the axis of time below it. */
  readonly timed?: boolean
  /** A panel is about whole runs, whatever the filters hide. */
  readonly ignoresFilters?: boolean
}

/** The answers to all queries of a chart, and their cells; the same objects until a reply arrives. */
function useSpec<Q extends QueryKinds<Q>, C extends Cells>(
  frame: ChartFrame,
  surroundings: SpecFrame,
  spec: RowSpec<Q, C> | PanelSpec<Q, C>,
): { readonly answers: Answers<Q>; readonly cells: C } {
  const loaded: Partial<Record<keyof Q, readonly Reply<Q[keyof Q]>[]>> = {}
  for (const name of Object.keys(spec.queries) as (keyof Q)[]) {
    const cells = spec.cells(surroundings, loaded as Partial<Answers<Q>>)
    // biome-ignore lint/correctness/useHookAtTopLevel: a spec has the same queries in every render
    loaded[name] = useQuery(frame, spec, spec.queries[name], cells)
  }
  const replies = Object.values(loaded)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the replies are what is in `loaded`
  return useMemo(() => {
    const answers = loaded as Answers<Q>
    return { answers, cells: spec.cells(surroundings, answers) }
  }, [spec, surroundings, ...replies])
}

/** One plot per run. */
function RowChart<Q extends QueryKinds<Q>, C extends Cells>({
  frame,
  spec,
  timed = false,
}: SpecChartProps<RowSpec<Q, C>>) {
  const surroundings = useSpecFrame(frame)
  const { answers, cells } = useSpec(frame, surroundings, spec)
  const row = useMemo(() => spec.row(surroundings, answers, cells), [spec, surroundings, answers, cells])
  const replies: readonly (readonly Reply<Q[keyof Q]>[])[] = Object.values(answers)
  const error = (i: number) => replies.map(reply => reply[i]?.error).find(found => found !== undefined)
  return <SpecRow frame={frame} spec={spec} row={row} answers={answers} cells={cells} error={error} timed={timed} />
}

/** The sentences of all runs in one panel. */
function WordsChart<Q extends QueryKinds<Q>, C extends Cells>({
  frame,
  spec,
  ignoresFilters = false,
}: SpecChartProps<PanelSpec<Q, C>>) {
  const surroundings = useSpecFrame(frame)
  const { answers, cells } = useSpec(frame, surroundings, spec)
  const panel = spec.panel(frame, answers)
  return (
    <SpecPanel frame={frame} spec={spec} panel={panel} answers={answers} cells={cells} ignoresFilters={ignoresFilters}>
      {(panel.instead ?? spec.words(frame, answers, cells)).map(sentence => (
        <p key={sentence} className="chart-sentence">
          {sentence}
        </p>
      ))}
    </SpecPanel>
  )
}

export function SpecChart<Q extends QueryKinds<Q>, C extends Cells>({
  spec,
  ...rest
}: SpecChartProps<RowSpec<Q, C> | PanelSpec<Q, C>>) {
  return spec.kind === 'row' ? <RowChart {...rest} spec={spec} /> : <WordsChart {...rest} spec={spec} />
}
