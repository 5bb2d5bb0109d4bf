/** Position of requests within the stripe over time, and when stripes were written partially. */
import { useCallback } from 'react'
import { ALIGNMENT_CLASSES, type Geometry } from '../../engine/protocol'
import { count, counted, seconds, sectorSize, share } from '../../lib/format'
import { ALIGNMENT_NAMES } from '../shared/answers/names'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { Legend, legendWidth } from '../shared/frame/Legend'
import { UnreliableMark } from '../shared/frame/LossIntervals'
import { Plot } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import type { LegendEntry } from '../shared/paint/legendEntry'
import { ALIGNMENT_TOKENS, type StripeSizes } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { binWidth } from '../shared/paint/ticks'
import { binsOver } from '../shared/paint/viewport'
import type { Reply } from '../shared/spec'
import { drawStripes, partialShare, stripeTop } from './draw'
import { heightOf, stripeTicks } from './scale'
import { partWords, table, words } from './summary'

/** Width of a cell and rows of the stripe, px. */
const CELL = 4
const TITLE = 'Position in stripe'
const PARTIAL = 'share of stripes written partially'

const ENTRIES: readonly LegendEntry[] = [
  ...ALIGNMENT_CLASSES.map(
    (c, i): LegendEntry => ({
      label: ALIGNMENT_NAMES[c],
      token: ALIGNMENT_TOKENS[i] ?? 'ink',
      shape: c === 'straddles' ? 'hatch' : 'square',
    }),
  ),
  { label: 'request start', token: 'ink', shape: 'thin' },
  { label: PARTIAL, token: 'bad', shape: 'bar' },
]

/** Absent without a geometry. */
export function Stripes({ frame }: { readonly frame: ChartFrame }) {
  const geometry = frame.shown.find(s => s.filter.geometry)?.filter.geometry
  return geometry === undefined ? undefined : <StripeRow frame={frame} geometry={geometry} />
}

function StripeRow({ frame, geometry }: { readonly frame: ChartFrame; readonly geometry: Geometry }) {
  const { shown, view, plotWidth } = frame
  const sizes = frame.sizes.stripes
  const bins = binsOver(view.range, plotWidth, CELL)
  const replies = useAnswers(
    'stripeTime',
    shown,
    run =>
      run.filter.geometry === undefined
        ? undefined
        : { filter: run.filter, range: bins.range, geometry: run.filter.geometry, w: bins.n, h: sizes.stripe },
    'stripes',
    150,
  )
  const ticks = stripeTicks(geometry, sizes)
  return (
    <Row
      frame={frame}
      chart="stripes"
      title={TITLE}
      what={`${geometry.dataDisks} x ${sectorSize(geometry.unit)}; cell ${binWidth(bins.bin)} wide`}
      height={heightOf(sizes)}
      ticks={ticks}
      figure={(run, i) => (
        <>
          <b>{replies[i]?.answer && partWords(replies[i].answer)}</b>
          <UnreliableMark spoiled={run.figures?.spoiled} names={['alignment']} />
        </>
      )}
      legend={<Legend entries={ENTRIES} />}
      legendWidth={legendWidth(ENTRIES.map(e => e.label))}
      words={shown.map((run, i) => words(run, run.filter.geometry, replies[i]?.answer))}
      measured="stripe-time"
      table={() =>
        table(
          shown,
          replies.map(r => ({ answer: r.answer, range: r.ask?.range })),
        )
      }
      timed
      plot={(run, i) => <StripePlot frame={frame} run={run} reply={replies[i] ?? {}} units={geometry.dataDisks} />}
    />
  )
}

interface StripePlotProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly reply: Reply<'stripeTime'>
  readonly units: number
}

function StripePlot({ frame, run, reply, units }: StripePlotProps) {
  const { palette, plotWidth, view } = frame
  const sizes = frame.sizes.stripes
  const { answer, ask } = reply
  const draw = useCallback(
    (surface: Surface) => {
      if (answer === undefined || ask === undefined) return
      drawStripes(surface, answer, {
        answered: ask.range,
        range: view.range,
        width: plotWidth,
        sizes,
        end: run.end,
        units,
        classes: ALIGNMENT_TOKENS.map(palette),
        ground: palette('surface'),
        grid: palette('grid'),
        begin: palette('ink'),
        partial: palette('bad'),
      })
    },
    [answer, ask, view.range, plotWidth, sizes, run.end, units, palette],
  )
  const missing = run.filter.geometry === undefined ? 'No geometry is set for this run.' : reply.error?.message
  return (
    <Plot
      frame={frame}
      run={run}
      name={TITLE}
      words={words(run, run.filter.geometry, answer)}
      height={heightOf(sizes)}
      draw={draw}
      tip={(t, y) => cellTip(reply, t, y, sizes, run.moved)}
      instead={missing ?? (answer?.n === 0 ? 'No visible requests with data.' : undefined)}
    />
  )
}

function cellTip({ answer, ask }: Reply<'stripeTime'>, t: number, y: number, sizes: StripeSizes, moved: number) {
  if (answer === undefined || ask === undefined) return undefined
  const bin = (ask.range.t1 - ask.range.t0) / answer.w
  const column = Math.floor((t - ask.range.t0) / bin)
  const within: readonly string[] = [
    'within',
    `${binWidth(bin)} from ${seconds(ask.range.t0 + column * bin - moved, 3)} s`,
  ]
  const partial = partialShare(answer, column)
  const written: readonly (readonly string[])[] =
    partial === undefined
      ? []
      : [
          ['partial stripes', `${count(answer.partial[column] ?? 0)} (${share(partial)})`],
          ['full stripes', count(answer.full[column] ?? 0)],
        ]
  const row = Math.floor(((y - stripeTop(sizes)) / sizes.stripe) * answer.h)
  if (row < 0) return partial === undefined ? undefined : { title: 'Stripes written', rows: [...written, within] }
  const cell = column * answer.h + Math.min(row, answer.h - 1)
  const n = answer.counts[cell] ?? 0
  if (n === 0) return undefined
  const place = (k: number) => sectorSize(Math.round((1 - k / answer.h) * ask.geometry.unit * ask.geometry.dataDisks))
  const name = ALIGNMENT_CLASSES[(answer.classes[cell] ?? 1) - 1]
  const begun = answer.begins[cell] ?? 0
  return {
    title: counted(n, 'request'),
    rows: [
      ['most are', name === undefined ? '' : ALIGNMENT_NAMES[name]],
      ['position', `${place(row + 1)} to ${place(row)}`],
      ...(begun > 0 ? [['start here', count(begun)]] : []),
      ...written,
      within,
    ],
  }
}
