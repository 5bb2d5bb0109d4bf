/** Latency by percentile, one curve per run. */
import { useCallback } from 'react'
import { duration } from '../../lib/format'
import { spanTicks } from '../latency/scale'
import type { ChartFrame } from '../shared/answers/shown'
import { Canvas } from '../shared/frame/Canvas'
import { ValueAxis } from '../shared/frame/Row'
import { SpecPanel } from '../shared/frame/SpecPanel'
import { runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { logY } from '../shared/paint/ticks'
import { type Reply, wholeView } from '../shared/spec'
import { percentileX } from './draw'
import { curveAxis, paintCurves, percentileTicks, spread } from './scene'
import { curvesCross, percentileCurves, percentiles } from './spec'
import { percentileName } from './summary'

/** Room for the names at the ends of the curves, px. */
const NAMES = 84

export interface PercentilesProps {
  readonly frame: ChartFrame
  readonly distributions: readonly Reply<'distribution'>[]
  /** Width of the panel, px. */
  readonly width: number
}

export function Percentiles({ frame, distributions, width: whole }: PercentilesProps) {
  const { palette, axisWidth } = frame
  const height = frame.sizes.percentiles
  const cells = wholeView(frame)
  const answers = { distribution: distributions }
  const drawn = percentileCurves(frame, answers)
  const width = Math.max(80, whole - axisWidth - NAMES)
  const { nines, low, high } = curveAxis(drawn.map(d => d.distribution))
  const y = logY(low, high, height)
  const ticks = drawn.length === 0 ? [] : spanTicks({ low, high }, height)
  const scene = { width, height, nines, y }
  // `drawn` is a new list in every render; draw again only when its content changes.
  const key = drawn.map(d => d.run.id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const draw = useCallback(
    (surface: Surface) => {
      paintCurves(surface, drawn, { width, height, nines, y: logY(low, high, height) }, palette)
    },
    [key, distributions, palette, width, nines, low, high],
  )
  const ends = spread(drawn.map(d => ({ ...d, y: y(d.distribution.max) })))
  const { cross, text: crossText } = curvesCross(frame, drawn) ?? {}
  const words = percentiles.words(frame, answers, cells)
  const failed = distributions.find(d => d.error)?.error?.message
  return (
    <SpecPanel
      frame={frame}
      spec={percentiles}
      panel={percentiles.panel(frame, answers)}
      answers={answers}
      cells={cells}
    >
      {failed !== undefined && <p className="chart-sentence">{failed}</p>}
      <div
        className="percentiles"
        hidden={failed !== undefined && drawn.length === 0}
        style={{ gridTemplateColumns: `${axisWidth}px ${width}px` }}
        role="img"
        aria-label={words.join(' ')}
      >
        <ValueAxis ticks={ticks} height={height} width={axisWidth} left />
        <div className="percentiles-plot" style={{ width, height: height + 20 }}>
          <svg className="plot-grid" width={width} height={height} aria-hidden="true">
            {ticks.map(tick => (
              <line key={tick.position} x1={0} x2={width} y1={tick.position} y2={tick.position} />
            ))}
            {percentileTicks(nines).map(p => (
              <line key={p} x1={percentileX(p, scene)} x2={percentileX(p, scene)} y1={0} y2={height} />
            ))}
          </svg>
          <Canvas width={width} height={height} draw={draw} />
          <svg className="percentiles-notes" width={width + NAMES} height={height + 20} aria-hidden="true">
            {percentileTicks(nines).map(p => (
              <text key={p} className="percentiles-tick" x={percentileX(p, scene)} y={height + 14} textAnchor="middle">
                {percentileName(p)}
              </text>
            ))}
            {ends.map(({ run, distribution, y: end }) => (
              <text
                key={run.id}
                className="percentiles-name"
                x={width + 7}
                y={end}
                dy="0.32em"
                style={{ fill: `var(--${runToken(run.letter)})` }}
              >
                {`${run.letter} ${duration(distribution.max)}`}
              </text>
            ))}
            {cross && crossText && <CrossNote x={percentileX(cross.p, scene)} y={y(cross.ns)} text={crossText} />}
          </svg>
        </div>
      </div>
    </SpecPanel>
  )
}

/** A note above and left of the crossing. */
function CrossNote({ x, y, text }: { readonly x: number; readonly y: number; readonly text: string }) {
  const [first, second] = text.split(/ (?=and )/)
  const left = x > 150
  return (
    <g className="plot-label">
      <circle cx={x} cy={y} r={4} className="percentiles-cross" />
      <text className="plot-label" x={left ? x - 8 : x + 8} y={y - 26} textAnchor={left ? 'end' : 'start'}>
        {first}
        <tspan x={left ? x - 8 : x + 8} dy={13}>
          {second}
        </tspan>
      </text>
    </g>
  )
}
