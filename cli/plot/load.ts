/** What the engine answers to the queries of a chart. */
import {
  type Answers,
  absentReason,
  type Cells,
  type ChartQuery,
  type ChartSpec,
  type QueryKinds,
  type Reply,
  type RunsFrame,
} from '../../web/charts/shared/spec'
import type { QueryKind } from '../../web/engine/protocol'

/** What a chart about stripes says instead. */
export const NO_GEOMETRY = 'No geometry is set: --stripe SPEC sets one.'

export const lacksGeometry = (
  { needsGeometry }: Pick<ChartSpec<object>, 'needsGeometry'>,
  { shown }: Pick<RunsFrame, 'shown'>,
): boolean => needsGeometry === true && shown.every(run => run.filter.geometry === undefined)

type Loaded<Q extends QueryKinds<Q>> = { -readonly [N in keyof Q]?: readonly Reply<Q[N]>[] }

async function ask<K extends QueryKind, C extends Cells>(
  frame: RunsFrame,
  spec: Pick<ChartSpec<object>, 'chart' | 'missing'>,
  query: ChartQuery<K, C>,
  cells: C,
): Promise<readonly Reply<K>[]> {
  return Promise.all(
    frame.shown.map(async (run): Promise<Reply<K>> => {
      const asked = absentReason(spec, run) === undefined ? query.ask(run, frame, cells) : undefined
      return asked === undefined ? {} : { ask: asked, answer: await run.client.query(query.kind, asked) }
    }),
  )
}

/** Sends one query after the other: `cellsOf` may depend on the answers until then. Rejects with an EngineError. */
export async function loadAnswers<Q extends QueryKinds<Q>, C extends Cells>(
  frame: RunsFrame,
  spec: ChartSpec<Q, C>,
  cellsOf: (loaded: Partial<Answers<Q>>) => C,
): Promise<Answers<Q>> {
  const loaded: Loaded<Q> = {}
  for (const name of Object.keys(spec.queries) as (keyof Q)[])
    loaded[name] = await ask(frame, spec, spec.queries[name], cellsOf(loaded as Partial<Answers<Q>>))
  return loaded as Answers<Q>
}
