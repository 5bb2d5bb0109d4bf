/** Mean time per request in each stage, one bar per run on one scale. */
import { useCallback } from 'react'
import { duration } from '../../lib/format'
import type { ChartFrame } from '../shared/answers/shown'
import { useQuery } from '../shared/answers/useAnswers'
import { Canvas } from '../shared/frame/Canvas'
import { SpecPanel } from '../shared/frame/SpecPanel'
import { LegendParts } from '../shared/frame/SpecRow'
import type { Surface } from '../shared/paint/surface'
import { amountTicks, tickLabel, timeUnit } from '../shared/paint/ticks'
import { wholeView } from '../shared/spec'
import { drawBar, place } from './draw'
import { type StageSegment, segmentName } from './segments'
import { type StageBar, stageBars, stages } from './spec'

const ROW = 30
const BAR = 22
const NAMES = 64
/** Widest character of the bar's text, px. */
const CHAR = 7

interface BarTextsProps {
  readonly bar: StageBar
  /** x at which bars begin, and the width of their room, px. */
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
        const text = segmentName(segment, per)
        if (text === undefined || text.length * CHAR + 8 > span.w) return undefined
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
  const { palette } = frame
  const cells = wholeView(frame)
  const replies = useQuery(frame, stages, stages.queries.stages, cells)
  const answers = { stages: replies }
  const bars = stageBars(frame, answers)
  const most = Math.max(1, ...bars.map(b => b.total))
  const unit = timeUnit(most)
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
          palette('axis'),
          most,
          width,
          i * ROW + 4,
          BAR,
        )
      })
    },
    [key, palette, most, width],
  )
  const words = stages.words(frame, answers, cells)
  const panel = stages.panel(frame, answers)
  const height = bars.length * ROW
  return (
    <SpecPanel
      frame={frame}
      spec={stages}
      panel={panel}
      answers={answers}
      cells={cells}
      legend={<LegendParts parts={panel.legend} />}
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
    </SpecPanel>
  )
}
