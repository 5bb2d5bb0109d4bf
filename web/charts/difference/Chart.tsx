/** One run minus another: seek map, queue depth and throughput over time. */

import { useCallback, useMemo } from 'react'
import { figure, seconds } from '../../lib/format'
import { type JointSpec, jointDepth, jointRate } from '../overlay/spec'
import { wideFrame } from '../overlay/wide'
import { noDepth } from '../queue-depth/summary'
import { absentSentences } from '../shared/answers/absent'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { Legend } from '../shared/frame/Legend'
import { Panel } from '../shared/frame/Panel'
import { Plot } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import type { Surface } from '../shared/paint/surface'
import { amountTicks, binWidth, topOfAmounts } from '../shared/paint/ticks'
import { binsOver, xOf } from '../shared/paint/viewport'
import type { Reply } from '../shared/spec'
import { DifferenceMap } from './DifferenceMap'
import { type Amounts, drawAmounts, signedScale } from './draw'
import type { Pair } from './pair'
import { AROUND_ZERO, difference, needsIssues, plotName, sideEntries, titleOfPair } from './spec'
import { subtractSeries } from './subtract'
import { amountTable, amountWords, signed } from './summary'

/** Bins are wide: two runs never do the same at exactly the same time. */
const BIN_PX = 8
const RATE_PX = 12

export function Difference({ frame, pair }: { readonly frame: ChartFrame; readonly pair: Pair }) {
  const { view } = frame
  const shown = useMemo(() => [pair.base, pair.other], [pair])
  const wide = useMemo(() => wideFrame({ ...frame, shown }), [frame, shown])
  const bins = binsOver(view.range, wide.plotWidth, BIN_PX)
  const rough = binsOver(view.range, wide.plotWidth, RATE_PX)
  const stacked = shown.find(s => s.device.role !== 'disk')
  const [noDepths, noRates] = [jointDepth, jointRate].map(({ title, chart }) =>
    absentSentences(title, shown, chart),
  ) as [readonly string[], readonly string[]]
  const depth = useAnswers(
    'depth',
    shown,
    run => (stacked || noDepths.length > 0 ? undefined : { device: run.device.index, range: bins.range, n: bins.n }),
    'difference-depth',
  )
  const rate = useAnswers(
    'rate',
    shown,
    run => (noRates.length > 0 ? undefined : { filter: run.filter, range: rough.range, n: rough.n }),
    'difference-rate',
  )
  return (
    <>
      <DifferenceMap frame={wide} pair={pair} />
      {stacked ? (
        <Panel
          title={titleOfPair(jointDepth, pair)}
          what={needsIssues(pair)}
          words={[noDepth(stacked)]}
          measured={difference.measured}
        >
          <p className="chart-sentence">{noDepth(stacked)}</p>
        </Panel>
      ) : noDepths.length > 0 ? (
        <AbsentPanel spec={jointDepth} pair={pair} words={noDepths} />
      ) : (
        <Signed frame={wide} pair={pair} spec={jointDepth} bin={binWidth(bins.bin)} replies={depth} timed={false} />
      )}
      {noRates.length > 0 ? (
        <AbsentPanel spec={jointRate} pair={pair} words={noRates} />
      ) : (
        <Signed frame={wide} pair={pair} spec={jointRate} bin={binWidth(rough.bin)} replies={rate} timed />
      )}
    </>
  )
}

interface AbsentPanelProps {
  readonly spec: Pick<JointSpec<'depth' | 'rate'>, 'title' | 'chart'>
  readonly pair: Pair
  readonly words: readonly string[]
}

/** Takes the place of a series that one of the runs lacks. */
function AbsentPanel({ spec, pair, words }: AbsentPanelProps) {
  return (
    <Panel
      title={titleOfPair(spec, pair)}
      chart={spec.chart}
      shown={[pair.base, pair.other]}
      what=""
      words={words}
      measured={difference.measured}
    >
      {undefined}
    </Panel>
  )
}

interface SignedProps<K extends 'depth' | 'rate'> {
  readonly frame: ChartFrame
  readonly pair: Pair
  readonly spec: JointSpec<K>
  /** Width of a bin, in words. */
  readonly bin: string
  readonly replies: readonly Reply<K>[]
  readonly timed: boolean
}

/** A series of the other run minus that of the baseline, as bars around a zero line. */
function Signed<K extends 'depth' | 'rate'>({ frame, pair, spec, bin: width, replies, timed }: SignedProps<K>) {
  const { palette, plotWidth, view } = frame
  const unit = spec.units.difference
  const height = frame.sizes.depth
  const [a, b] = replies
  const both = useMemo(() => {
    if (a?.answer === undefined || b?.answer === undefined || a.ask === undefined || b.ask === undefined)
      return undefined
    // Both answers must be of the same query.
    if (a.ask.range.t0 !== b.ask.range.t0 || a.ask.range.t1 !== b.ask.range.t1 || a.ask.n !== b.ask.n) return undefined
    return { range: a.ask.range, sides: [spec.values(a.answer, a.ask), spec.values(b.answer, b.ask)] as const }
  }, [spec, a, b])
  const amounts = useMemo(
    (): Amounts | undefined => both && { range: both.range, values: subtractSeries(...both.sides) },
    [both],
  )
  const most = topOfAmounts(Math.max(0, ...(amounts?.values.map(Math.abs) ?? [])), 2)
  const y = useMemo(() => signedScale(most, height), [most, height])
  const steps = amountTicks(most, 2).filter(v => v <= most * 1.001)
  const ticks = [...steps.slice(1).map(v => -v), ...steps].map(v => ({ position: y(v), label: signed(v) }))
  const draw = useCallback(
    (surface: Surface) => {
      if (amounts)
        drawAmounts(surface, amounts, {
          range: view.range,
          width: plotWidth,
          y,
          less: palette('diff-less'),
          more: palette('diff-more'),
        })
    },
    [amounts, view.range, plotWidth, y, palette],
  )
  const tip = (t: number) => {
    if (both === undefined || amounts === undefined) return undefined
    const n = amounts.values.length
    const bin = (both.range.t1 - both.range.t0) / n
    const i = Math.floor((t - both.range.t0) / bin)
    const round = (v: number | undefined) => `${figure(v ?? 0)} ${unit}`
    return {
      title: `${signed(amounts.values[i] ?? 0)} ${unit}, ${binWidth(bin)} from ${seconds(both.range.t0 + i * bin, 3)} s`,
      rows: [
        [pair.base.letter, round(both.sides[0][i])],
        [pair.other.letter, round(both.sides[1][i])],
      ],
    }
  }
  const words = amountWords(spec, pair, amounts)
  return (
    <Row
      joint
      frame={frame}
      title={titleOfPair(spec, pair)}
      what={spec.what(width)}
      height={height}
      ticks={ticks}
      legend={<Legend entries={sideEntries(pair, AROUND_ZERO)} />}
      words={[words]}
      measured={difference.measured}
      table={() => amountTable(spec, pair, both?.sides, amounts)}
      timed={timed}
      plot={run => (
        <Plot
          frame={frame}
          run={{ ...run, letter: pair.name }}
          joint={[pair.base, pair.other]}
          name={plotName(spec)}
          words={words}
          height={height}
          lines={ticks.map(tick => tick.position)}
          draw={draw}
          tip={tip}
          lost={[]}
          instead={a?.error?.message ?? b?.error?.message}
        >
          <line className="plot-zero" x1={0} x2={plotWidth} y1={height / 2} y2={height / 2} />
          <Ends frame={frame} runs={[pair.base, pair.other]} />
        </Plot>
      )}
    />
  )
}

/** Marks where the later run starts and the earlier one ends: outside, only one run has data. */
function Ends({ frame, runs }: { readonly frame: ChartFrame; readonly runs: readonly Shown[] }) {
  const x = xOf(frame.view.range, frame.plotWidth)
  const late = runs.reduce((a, b) => (b.begin > a.begin ? b : a))
  const early = runs.reduce((a, b) => (b.end < a.end ? b : a))
  const notes = [
    ...(runs.every(r => r.begin === late.begin) ? [] : [{ position: x(late.begin), text: `${late.letter} starts` }]),
    ...(runs.every(r => r.end === early.end) ? [] : [{ position: x(early.end), text: `${early.letter} ends` }]),
  ]
  return notes
    .filter(({ position }) => position >= 0 && position <= frame.plotWidth)
    .map(({ position, text }) => (
      <g key={text}>
        <line className="plot-end" x1={position} x2={position} y1={0} y2={frame.sizes.depth} />
        <text
          className="plot-label"
          x={position > frame.plotWidth - 90 ? position - 6 : position + 6}
          y={12}
          textAnchor={position > frame.plotWidth - 90 ? 'end' : 'start'}
        >
          {text}
        </text>
      </g>
    ))
}
