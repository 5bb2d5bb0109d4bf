/** Exact request sizes: one row of bars per run, and the `nr  size` table for email. */

import { useCallback, useMemo } from 'react'
import type { Sizes } from '../../engine/protocol'
import { sectorSize } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { sizesChoice } from '../shared/answers/sizesAt'
import { useAnswers } from '../shared/answers/useAnswers'
import { Canvas } from '../shared/frame/Canvas'
import { Legend } from '../shared/frame/Legend'
import { Panel } from '../shared/frame/Panel'
import { Badge } from '../shared/frame/Row'
import { CopyButton } from '../shared/menu/CopyButton'
import { Switch } from '../shared/menu/Switch'
import { runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { tickLabel } from '../shared/paint/ticks'
import { drawSizes, sizeTicks, sizeX, totalOf } from './draw'
import { mailTable, onlySize, onlySizeWords, table, withSectors, words } from './summary'

/** Rows shown of the mail table; the copied text has all. */
const ROWS = 5

/** Room for the letter left of its bars, px. */
const LEFT = 28

export function RequestSizes({ frame, width: whole }: { readonly frame: ChartFrame; readonly width: number }) {
  const width = whole - LEFT
  const { shown, view, actions } = frame
  const { seen, options } = sizesChoice(
    shown.map(s => s.device),
    view.sizesAt,
  )
  const replies = useAnswers('sizes', shown, run => ({ filter: run.filter, range: view.range, at: seen }), 'sizes', 150)
  const sizes = useMemo(() => replies.map(r => r.answer && withSectors(r.answer)), [replies])
  const single = onlySize(sizes)
  const sentences =
    single === undefined
      ? shown.map((run, i) => words(run, sizes[i], seen))
      : [onlySizeWords(shown, sizes, single, seen)]
  const known = sizes.flatMap(s => s ?? [])
  const all = known.flatMap(s => [...s.sectors])
  const kinds = (['reads', 'writes', 'discards'] as const).filter(kind => known.some(s => s[kind].some(n => n > 0)))
  return (
    <Panel
      frame={frame}
      title="Request size"
      what={single === undefined ? `requests by size, as ${seen}` : ''}
      words={sentences}
      measured="request-sizes"
      table={() => table(shown, sizes, seen)}
      controls={
        <Switch label="measured at" value={seen} options={options.map(a => [a, a])} onChange={actions.setSizesAt} />
      }
    >
      {single !== undefined && <p className="chart-sentence">{sentences[0]}</p>}
      {single === undefined && all.length === 0 && (
        <p className="chart-sentence">{replies.some(r => r.answer) ? 'No visible requests.' : 'Not read yet.'}</p>
      )}
      {single === undefined && all.length > 0 && (
        <>
          {kinds.length > 1 && (
            <Legend
              entries={kinds.map(kind => ({
                label: kind,
                token: { reads: 'op-read', writes: 'op-write', discards: 'op-discard' }[kind],
              }))}
            />
          )}
          {shown.map((run, i) => (
            <SizePlot
              key={run.id}
              frame={frame}
              run={run}
              sizes={sizes[i]}
              width={width}
              low={Math.min(...all)}
              high={Math.max(...all)}
              most={Math.max(1, ...known.flatMap(s => [...s.sectors.keys()].map(k => totalOf(s, k))))}
              plain={kinds.length === 1}
              words={sentences[i] ?? ''}
            />
          ))}
          <SizeAxis width={width} low={Math.min(...all)} high={Math.max(...all)} />
        </>
      )}
      {all.length > 0 && <MailTable text={mailTable(shown, sizes, ROWS)} whole={() => mailTable(shown, sizes)} />}
    </Panel>
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
      const own = palette(runToken(run.letter))
      const colours = plain
        ? { read: own, write: own, discard: own }
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
