/** Latency by percentile, one curve per run. */
import { useCallback } from 'react'
import type { Distribution } from '../../engine/protocol'
import { duration } from '../../lib/format'
import { STAGE_NAMES, spanTicks } from '../latency/scale'
import { words as latencyWords } from '../latency/summary'
import { type ChartFrame, isBrief, type Shown } from '../shared/answers/shown'
import { Canvas } from '../shared/frame/Canvas'
import { Panel } from '../shared/frame/Panel'
import { ValueAxis } from '../shared/frame/Row'
import { runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { logY } from '../shared/paint/ticks'
import type { Reply } from '../shared/spec'
import { percentileX } from './draw'
import { crossingOf, curveAxis, paintCurves, percentileTicks, spread } from './scene'
import { countsInWords, crossingWords, curves, percentileName, table } from './summary'

/** Room for the names at the ends of the curves, px. */
const NAMES = 84

export interface PercentilesProps {
  readonly frame: ChartFrame
  readonly distributions: readonly Reply<'distribution'>[]
  /** Of the panel, px. */
  readonly width: number
}

interface PercentileCurve {
  readonly run: Shown
  readonly distribution: Distribution
}

export function Percentiles({ frame, distributions, width: whole }: PercentilesProps) {
  const { shown, view, palette, axisWidth } = frame
  const height = frame.sizes.percentiles
  const known = distributions.map(d => d.answer)
  const drawn = shown.flatMap((run, i): PercentileCurve[] => {
    const distribution = known[i]
    return distribution === undefined || distribution.n === 0 ? [] : [{ run, distribution }]
  })
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
      const curves = drawn.map(({ run, distribution }) => ({ letter: run.letter, distribution }))
      paintCurves(surface, curves, { width, height, nines, y: logY(low, high, height) }, palette)
    },
    [key, distributions, palette, width, nines, low, high],
  )
  const ends = spread(drawn.map(d => ({ ...d, at: y(d.distribution.max) })))
  const [a, b] = drawn
  // Between a few points of a curve it would be a guess.
  const cross = drawn.length === 2 && a && b && !isBrief(shown) ? crossingOf(a.distribution, b.distribution) : undefined
  const crossText =
    cross && a && b
      ? crossingWords(
          cross,
          [a.run.letter, b.run.letter],
          shown.some(({ run }) => run.snapshot),
        )
      : undefined
  const words = [
    ...shown.map((run, i) => latencyWords(run, view.stage, known[i])),
    ...(crossText ? [`${crossText}.`] : []),
  ]
  const failed = distributions.find(d => d.error)?.error?.message
  return (
    <Panel
      frame={frame}
      chart="latency"
      shown={shown}
      title="Latency by percentile"
      what={`${STAGE_NAMES[view.stage]} of ${countsInWords(shown, known)}; both axes log; shaded: 95% interval`}
      words={words}
      measured="percentiles"
      table={() => table(shown, view.stage, known)}
      data={() => curves(shown, view.stage, known)}
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
              <line key={tick.at} x1={0} x2={width} y1={tick.at} y2={tick.at} />
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
            {ends.map(({ run, distribution, at }) => (
              <text
                key={run.id}
                className="percentiles-name"
                x={width + 7}
                y={at}
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
    </Panel>
  )
}

/** Above and left of the crossing. */
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
