/** Completed I/O over time: MB/s or IOPS, by operation. */
import { useMemo } from 'react'
import { figure, seconds } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { SpecRow, useOwnParts, useSpecFrame } from '../shared/frame/SpecRow'
import { rateSpread } from '../shared/groups/spread'
import { useGroupReplies } from '../shared/groups/useGroupReplies'
import { Choice } from '../shared/menu/Choice'
import { binWidth } from '../shared/paint/ticks'
import { perSecond, type RateReply, rateAxis } from './scene'
import { iops, rateSeries, throughput, UNITS } from './spec'
import { type RateUnit, seriesOf } from './summary'

export function Throughput({ frame, timed }: { readonly frame: ChartFrame; readonly timed: boolean }) {
  const unit: RateUnit = frame.view.rate ?? 'bytes'
  const spec = unit === 'bytes' ? throughput : iops
  const surroundings = useSpecFrame(frame)
  const ownParts = useOwnParts(frame, surroundings, spec)
  const cells = useMemo(() => spec.cells(surroundings, {}), [spec, surroundings])
  const rate = useGroupReplies(frame, spec, spec.queries.rate, cells, rateSpread, ownParts)
  const answers = useMemo(() => ({ rate }), [rate])
  const row = useMemo(() => spec.row(surroundings, answers, cells), [spec, surroundings, answers, cells])
  const series = useMemo(() => rateSeries(answers), [answers])
  return (
    <SpecRow
      frame={frame}
      spec={spec}
      row={row}
      answers={answers}
      cells={cells}
      ownParts={ownParts}
      error={i => rate[i]?.error}
      timed={timed}
      controls={
        <Choice
          label="unit of throughput"
          value={unit}
          options={[
            ['bytes', UNITS.bytes],
            ['ios', UNITS.ios],
          ]}
          onChange={unit => frame.actions.setRate(unit === 'bytes' ? undefined : unit)}
        />
      }
      pointing={(run, i) => ({ tip: (t: number) => tip(run, series, series[i], t) })}
    />
  )
}

/** The bin at a time, with the operations that any run has. */
function tip(run: Shown, series: readonly (RateReply | undefined)[], answered: RateReply | undefined, t: number) {
  if (answered === undefined || t < run.begin || t >= run.end) return undefined
  const { range } = answered
  const bin = (range.t1 - range.t0) / answered.series.readBytes.length
  const i = Math.floor((t - range.t0) / bin)
  const amount = (kind: Parameters<typeof seriesOf>[1], unit: RateUnit) =>
    figure(perSecond(seriesOf(answered.series, kind, unit)[i] ?? 0, bin, unit))
  return {
    title: `${run.letter}, ${binWidth(bin)} from ${seconds(range.t0 + i * bin - run.moved, 3)} s`,
    rows: rateAxis(series, 'ios').kinds.map(kind => [
      kind,
      `${amount(kind, 'bytes')} ${UNITS.bytes}`,
      `${amount(kind, 'ios')} ${UNITS.ios}`,
    ]),
  }
}
