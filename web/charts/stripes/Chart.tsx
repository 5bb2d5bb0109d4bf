/** Position of requests within the stripe over time, and when stripes were written partially. */
import { useMemo } from 'react'
import { ALIGNMENT_CLASSES } from '../../engine/protocol'
import { count, counted, seconds, sectorSize, share } from '../../lib/format'
import { ALIGNMENT_NAMES } from '../shared/answers/names'
import type { ChartFrame } from '../shared/answers/shown'
import { useQuery } from '../shared/answers/useAnswers'
import { FULL_STRIPES, PARTIAL_STRIPES } from '../shared/answers/words'
import { SpecRow, useOwnParts, useSpecFrame } from '../shared/frame/SpecRow'
import type { StripeSizes } from '../shared/paint/palette'
import { binWidth } from '../shared/paint/ticks'
import type { Reply } from '../shared/spec'
import { partialShare, stripeTop } from './draw'
import { stripes } from './spec'

/** Absent without a geometry. */
export function Stripes({ frame }: { readonly frame: ChartFrame }) {
  return frame.shown.some(run => run.filter.geometry) ? <StripeRow frame={frame} /> : undefined
}

function StripeRow({ frame }: { readonly frame: ChartFrame }) {
  const surroundings = useSpecFrame(frame)
  const ownParts = useOwnParts(frame, surroundings, stripes)
  const cells = useMemo(() => stripes.cells(surroundings, {}), [surroundings])
  const replies = useQuery(frame, stripes, stripes.queries.stripes, cells, ownParts)
  const answers = useMemo(() => ({ stripes: replies }), [replies])
  const row = useMemo(() => stripes.row(surroundings, answers, cells), [surroundings, answers, cells])
  return (
    <SpecRow
      frame={frame}
      spec={stripes}
      row={row}
      answers={answers}
      cells={cells}
      ownParts={ownParts}
      error={i => replies[i]?.error}
      timed
      pointing={(run, i) => ({
        tip: (t: number, y: number) => cellTip(replies[i] ?? {}, t, y, frame.sizes.stripes, run.moved),
      })}
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
          [PARTIAL_STRIPES, `${count(answer.partial[column] ?? 0)} (${share(partial)})`],
          [FULL_STRIPES, count(answer.full[column] ?? 0)],
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
