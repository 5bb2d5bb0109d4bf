/** Heat map of latency over time. */
import { useMemo } from 'react'
import type { FailureMarks, Query, QueryAnswer, Range } from '../../engine/protocol'
import { counted, duration, seconds } from '../../lib/format'
import { type Ns, ns } from '../../lib/units'
import { type ChartFrame, frameOf, type Shown } from '../shared/answers/shown'
import { useQuery } from '../shared/answers/useAnswers'
import { SpecRow, useOwnParts, useSpecFrame } from '../shared/frame/SpecRow'
import { Choice } from '../shared/menu/Choice'
import { binWidth } from '../shared/paint/ticks'
import { xOf } from '../shared/paint/viewport'
import type { Reply } from '../shared/spec'
import { latencyFailureTip } from './failures'
import { STAGE_NAMES, spanOf } from './scale'
import { latency } from './spec'

export interface LatencyProps {
  readonly frame: ChartFrame
  /** Distribution of the visible requests, one per run: shared with the percentile curves. */
  readonly distributions: readonly Reply<'distribution'>[]
}

function StageSwitch({ frame }: { readonly frame: ChartFrame }) {
  return (
    <Choice
      label="stage"
      value={frame.view.stage}
      options={[
        ['q2c', STAGE_NAMES.q2c],
        ['d2c', STAGE_NAMES.d2c],
        ['q2d', STAGE_NAMES.q2d],
      ]}
      onChange={frame.actions.setStage}
    />
  )
}

export function Latency({ frame, distributions }: LatencyProps) {
  const surroundings = useSpecFrame(frame)
  const ownParts = useOwnParts(frame, surroundings, latency)
  const cells = useMemo(() => latency.cells(surroundings, {}), [surroundings])
  const heat = useQuery(frame, latency, latency.queries.heat, cells, ownParts)
  const failures = useQuery(frame, latency, latency.queries.failures, cells, ownParts)
  const answers = useMemo(() => ({ heat, distribution: distributions, failures }), [heat, distributions, failures])
  const row = useMemo(() => latency.row(surroundings, answers, cells), [surroundings, answers, cells])
  return (
    <SpecRow
      frame={frame}
      spec={latency}
      row={row}
      answers={answers}
      cells={cells}
      ownParts={ownParts}
      error={i => heat[i]?.error}
      controls={<StageSwitch frame={frame} />}
      timed
      pointing={(run, i) => pointing(frameOf(frame, run), run, heat[i] ?? {}, failures[i]?.answer)}
    />
  )
}

function pointing(frame: ChartFrame, run: Shown, reply: Reply<'latencyGrid'>, failures: FailureMarks | undefined) {
  const { plotWidth, view, sizes } = frame
  const { answer, ask } = reply
  const height = sizes.latency
  const scene = { range: view.range, width: plotWidth, height, span: spanOf(frame) }
  // A place leads to the slowest request of its cell; without a pointer, of the column.
  const request = async (t: number, y?: number): Promise<number | undefined> => {
    const cell = answer && ask && cellOf(answer, ask, t, (y ?? 0) / height)
    if (!cell || !ask) return undefined
    const limits =
      y === undefined ? { low: ns(0) } : { low: cell.low, ...(cell.high !== undefined && { high: cell.high }) }
    const query = { filter: run.filter, range: cell.range, stage: ask.stage, ...limits }
    const { row } = await run.client.query('slowest', query, 'slowest')
    return row < 0 ? undefined : row
  }
  return {
    request,
    tip: (t: number, y: number) =>
      latencyFailureTip(failures, scene, view.stage, xOf(view.range, plotWidth)(t), y, run) ??
      cellTip(reply, t, y / height, run),
    pick(t: number, y?: number) {
      request(t, y).then(
        row => frame.actions.select(row === undefined ? undefined : run.id, row),
        () => undefined,
      )
    },
  }
}

/** A cell of the grid; the lowest and the highest row are open. */
interface LatencyCell {
  readonly n: number
  readonly range: Range
  readonly low: Ns
  readonly high?: Ns
}

/** `depth`: share of the plot above the pointer, 0..1. */
function cellOf(
  answer: QueryAnswer<'latencyGrid'>,
  ask: Query<'latencyGrid'>,
  t: number,
  depth: number,
): LatencyCell | undefined {
  const bin = (ask.range.t1 - ask.range.t0) / answer.w
  const x = Math.floor((t - ask.range.t0) / bin)
  if (x < 0 || x >= answer.w) return undefined
  const row = Math.min(answer.h - 1, Math.max(0, Math.floor(depth * answer.h)))
  const edge = (steps: number) => ns(ask.low * (ask.high / ask.low) ** (steps / answer.h))
  const begin = ask.range.t0 + x * bin
  return {
    n: answer.counts[x * answer.h + row] ?? 0,
    range: { t0: ns(begin), t1: ns(begin + bin) },
    low: row === answer.h - 1 ? ns(0) : edge(answer.h - 1 - row),
    ...(row > 0 && { high: edge(answer.h - row) }),
  }
}

function cellTip({ answer, ask }: Reply<'latencyGrid'>, t: number, depth: number, { run, moved }: Shown) {
  const cell = answer && ask && cellOf(answer, ask, t, depth)
  if (!cell || cell.n === 0) return undefined
  const { n, range, low, high } = cell
  const took =
    high === undefined
      ? `${duration(low)} or more`
      : low === 0
        ? `below ${duration(high)}`
        : `${duration(low)} to ${duration(high)}`
  return {
    title: counted(n, 'request'),
    rows: [
      ['took', took],
      ['within', `${binWidth(range.t1 - range.t0)} from ${seconds(range.t0 - moved, 3)} s`],
      ...(!run.snapshot ? [['click', n === 1 ? 'why it took so long' : 'why the slowest took so long']] : []),
    ],
  }
}
