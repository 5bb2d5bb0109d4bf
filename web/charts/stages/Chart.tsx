/** Mean time per request in each stage, one bar per run on one scale. */
import { useCallback } from 'react'
import type { QueryAnswer } from '../../engine/protocol'
import { duration, figure } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { renamed, type Table } from '../shared/answers/table'
import { useAnswers } from '../shared/answers/useAnswers'
import { Canvas } from '../shared/frame/Canvas'
import { Legend } from '../shared/frame/Legend'
import { Panel } from '../shared/frame/Panel'
import type { Surface } from '../shared/paint/surface'
import { amountTicks, tickLabel } from '../shared/paint/ticks'
import { drawBar, place } from './draw'
import { cutOf, type StageSegment, segmentsOf, stageName, totalOf, words as wordsOf } from './segments'

const ROW = 30
const BAR = 22
const NAMES = 64
/** Widest character of the bar's text, px. */
const CHAR = 7

const UNITS = [
  { per: 1e9, name: 's' },
  { per: 1e6, name: 'ms' },
  { per: 1e3, name: '\u00b5s' },
]

interface StageBar {
  readonly run: Shown
  readonly segments: readonly StageSegment[]
  readonly total: number
  /** Absent until the engine has answered. */
  readonly stages: QueryAnswer<'stages'>['stages'] | undefined
}

const tableOf = (bars: readonly StageBar[]): Table => ({
  title: 'Time per request by stage, ms',
  columns: [
    { label: 'run', text: true },
    { label: 'stage', text: true },
    { label: 'requests' },
    { label: 'mean' },
    { label: 'median' },
  ],
  rows: bars.flatMap(({ run, stages }) =>
    (stages ?? []).map(s => [run.letter, stageName(s.stage), s.n, s.mean / 1e6, s.median / 1e6]),
  ),
})

interface BarTextsProps {
  readonly bar: StageBar
  /** Where bars begin, and their room, px. */
  readonly left: number
  readonly width: number
  /** The longest bar, ns, and ns per unit. */
  readonly max: number
  readonly per: number
}

/** The letter of the run, the names of its main stages where they fit, and the total behind the bar. */
function BarTexts({ bar: { run, segments, total }, left, width, max, per }: BarTextsProps) {
  return (
    <>
      <text className="stages-run" y={15}>
        {run.letter}
      </text>
      {place(
        segments.map(s => s.mean),
        max,
        width,
      ).map((span, i) => {
        const segment = segments[i]
        if (segment === undefined) return undefined
        const text = `${stageName(segment.stage)} ${figure(segment.mean / per)}`
        if (!['st-i2d', 'st-d2c'].includes(segment.token) || text.length * CHAR + 8 > span.w) return undefined
        return (
          <text key={segment.stage} className="stages-name" x={left + span.x + 6} y={15}>
            {text}
          </text>
        )
      })}
      {total > 0 && (
        <text className="stages-total" x={left + (total / max) * width + 6} y={15}>
          {duration(total)}
        </text>
      )}
    </>
  )
}

export function Stages({ frame, width: whole }: { readonly frame: ChartFrame; readonly width: number }) {
  const { shown, view, palette } = frame
  const replies = useAnswers('stages', shown, run => ({ filter: run.filter, range: view.range }), 'stages', 150)
  const cut = cutOf(replies.flatMap(r => (r.answer ? [r.answer.stages] : [])))
  const bars = shown.map((run, i): StageBar => {
    const stages = replies[i]?.answer?.stages
    const segments = stages === undefined ? [] : segmentsOf(stages, cut)
    return { run, segments, total: totalOf(segments), stages }
  })
  const most = Math.max(1, ...bars.map(b => b.total))
  const unit = UNITS.find(u => most >= u.per) ?? { per: 1, name: 'ns' }
  const left = 24
  const width = Math.max(80, whole - left - NAMES)
  const ticks = amountTicks(most / unit.per, 4).filter(v => v <= (most / unit.per) * 1.02)
  const key = JSON.stringify(bars.map(b => b.segments))
  const draw = useCallback(
    (surface: Surface) => {
      const rows = JSON.parse(key) as StageSegment[][]
      rows.forEach((segments, i) => {
        drawBar(
          surface,
          segments.map(s => ({ value: s.mean, colour: palette(s.token) })),
          most,
          width,
          i * ROW + 4,
          BAR,
        )
      })
    },
    [key, palette, most, width],
  )
  const used = bars.flatMap(b => b.segments).filter((s, i, all) => all.findIndex(t => t.stage === s.stage) === i)
  const words = bars.map(({ run, segments }) => wordsOf(run, segments))
  const table = () => tableOf(bars)
  const height = bars.length * ROW
  return (
    <Panel
      frame={frame}
      title="Where the time goes"
      chart="stages"
      shown={frame.shown}
      what={used.length > 0 ? 'mean per request;' : 'mean per request'}
      words={words}
      measured="stages"
      table={table}
      data={() => renamed(table(), { mean: 'mean, ms', median: 'median, ms' })}
      legend={<Legend entries={used.map(s => ({ label: stageName(s.stage), token: s.token }))} />}
    >
      <div className="stages" style={{ height: height + 22 }} role="img" aria-label={words.join(' ')}>
        <div className="stages-bars" style={{ left }}>
          <Canvas width={width} height={height} draw={draw} />
        </div>
        <svg width={whole} height={height + 22} aria-hidden="true">
          {ticks.map(v => (
            <g key={v} transform={`translate(${left + ((v * unit.per) / most) * width} 0)`}>
              <line className="stages-tick" y1={height} y2={height + 4} />
              <text className="stages-label" y={height + 17} textAnchor="middle">
                {tickLabel(v)}
              </text>
            </g>
          ))}
          <text className="stages-label" x={left + width + 8} y={height + 17}>
            {unit.name}
          </text>
          {bars.map((bar, i) => (
            <g key={bar.run.id} transform={`translate(0 ${i * ROW + 4})`}>
              <BarTexts bar={bar} left={left} width={width} max={most} per={unit.per} />
            </g>
          ))}
        </svg>
      </div>
    </Panel>
  )
}
