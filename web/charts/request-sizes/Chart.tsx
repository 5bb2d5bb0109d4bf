/** Exact request sizes: one row of bars per run, and the `nr  size` table for email. */

import { useCallback, useMemo } from 'react'
import type { Sizes } from '../../engine/protocol'
import { sectorSize } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useQuery } from '../shared/answers/useAnswers'
import { MEASURED_AT } from '../shared/answers/words'
import { Canvas } from '../shared/frame/Canvas'
import { Legend } from '../shared/frame/Legend'
import { Badge } from '../shared/frame/Row'
import { SpecPanel } from '../shared/frame/SpecPanel'
import { Choice } from '../shared/menu/Choice'
import { CopyButton } from '../shared/menu/CopyButton'
import { runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { tickLabel } from '../shared/paint/ticks'
import { wholeView } from '../shared/spec'
import { drawSizes, sizeTicks, sizeX, totalOf } from './draw'
import { requestSizes, runSizes, sizesOf } from './spec'
import { mailTable } from './summary'

/** Rows shown of the mail table; the copied text has all. */
const ROWS = 5

/** Room for the letter left of its bars, px. */
const LEFT = 28

export function RequestSizes({ frame, width: whole }: { readonly frame: ChartFrame; readonly width: number }) {
  const width = whole - LEFT
  const { shown, actions } = frame
  const { seen, options } = sizesOf(frame)
  const cells = wholeView(frame)
  const replies = useQuery(frame, requestSizes, requestSizes.queries.sizes, cells)
  const answers = useMemo(() => ({ sizes: replies }), [replies])
  const sizes = useMemo(() => runSizes(answers), [answers])
  const sentences = requestSizes.words(frame, answers, cells)
  const panel = requestSizes.panel(frame, answers)
  const read = sizes.flatMap(s => s ?? [])
  const all = read.flatMap(s => [...s.sectors])
  const entries = panel.legend.flatMap(part => ('entries' in part ? part.entries : []))
  return (
    <SpecPanel
      frame={frame}
      spec={requestSizes}
      panel={panel}
      answers={answers}
      cells={cells}
      controls={
        <Choice label={MEASURED_AT} value={seen} options={options.map(a => [a, a])} onChange={actions.setSizesAt} />
      }
    >
      {entries.length > 0 && <Legend entries={entries} />}
      {panel.instead?.map(sentence => (
        <p key={sentence} className="chart-sentence">
          {sentence}
        </p>
      ))}
      {panel.instead === undefined && (
        <>
          {shown.map((run, i) => (
            <SizePlot
              key={run.id}
              frame={frame}
              run={run}
              sizes={sizes[i]}
              width={width}
              low={Math.min(...all)}
              high={Math.max(...all)}
              most={Math.max(1, ...read.flatMap(s => [...s.sectors.keys()].map(k => totalOf(s, k))))}
              plain={entries.length === 0}
              words={sentences[i] ?? ''}
            />
          ))}
          <SizeAxis width={width} low={Math.min(...all)} high={Math.max(...all)} />
        </>
      )}
      {all.length > 0 && <MailTable text={mailTable(shown, sizes, ROWS)} whole={() => mailTable(shown, sizes)} />}
    </SpecPanel>
  )
}

function MailTable({ text, whole }: { readonly text: string; readonly whole: () => string }) {
  return (
    <div className="mail-table">
      <pre>{text.trimEnd()}</pre>
      <CopyButton className="chart-button" text={whole} />
    </div>
  )
}

interface SizePlotProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly sizes: Sizes | undefined
  readonly width: number
  readonly low: number
  readonly high: number
  readonly most: number
  /** Only one operation: the run's colour. */
  readonly plain: boolean
  readonly words: string
}

function SizePlot({ frame, run, sizes, width, low, high, most, plain, words: label }: SizePlotProps) {
  const { palette } = frame
  const height = frame.sizes.requestSizes
  const draw = useCallback(
    (surface: Surface) => {
      if (sizes === undefined) return
      const colour = palette(runToken(run.letter))
      const colours = plain
        ? { read: colour, write: colour, discard: colour }
        : { read: palette('op-read'), write: palette('op-write'), discard: palette('op-discard') }
      drawSizes(surface, sizes, { width, height: height - 8, low, high, most, colours })
    },
    [sizes, width, low, high, most, plain, palette, run.letter, height],
  )
  return (
    <div className="size-plot" role="img" aria-label={label}>
      <Badge letter={run.letter} />
      <span className="size-most">{tickLabel(most)}</span>
      <Canvas width={width} height={height - 8} draw={draw} />
    </div>
  )
}

function SizeAxis({ width, low, high }: { readonly width: number; readonly low: number; readonly high: number }) {
  return (
    <svg className="time-axis size-axis" width={width} height={20} aria-hidden="true">
      {sizeTicks(width, low, high).map(s => (
        <text key={s} x={sizeX(s, { width, low, high })} y={14} textAnchor="middle">
          {sectorSize(s)}
        </text>
      ))}
    </svg>
  )
}
