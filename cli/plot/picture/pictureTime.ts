/**
 * Charts over time in pictures, painted by the code of the page: queue depth, throughput, IOPS, latency, position in
 * stripe.
 */
import { latencyFailureEntries, latencyFailuresAsk } from '../../../web/charts/latency/failures'
import { STAGE_NAMES, spanOf, spanTicks } from '../../../web/charts/latency/scale'
import { CELL, paintHeat } from '../../../web/charts/latency/scene'
import { ALIGNMENT_NAMES } from '../../../web/charts/shared/answers/names'
import { ofDevice, type Shown } from '../../../web/charts/shared/answers/shown'
import { ALIGNMENT_TOKENS } from '../../../web/charts/shared/paint/palette'
import { binWidth, logY } from '../../../web/charts/shared/paint/ticks'
import { binsOver } from '../../../web/charts/shared/paint/viewport'
import { drawStripes } from '../../../web/charts/stripes/draw'
import { heightOf, stripeTicks } from '../../../web/charts/stripes/scale'
import { partWords } from '../../../web/charts/stripes/summary'
import { ALIGNMENT_CLASSES } from '../../../web/engine/protocol'
import { duration, sectorSize } from '../../../web/lib/format'
import { ns } from '../../../web/lib/units'
import { answers } from '../frame'
import type { PictureFrame } from './pictureFrame'
import { dagger, type PictureRow } from './pictureRow'

const of = <T>(frame: PictureFrame, list: readonly T[], run: Shown): T | undefined => list[frame.shown.indexOf(run)]

export async function latencyRow(frame: PictureFrame): Promise<PictureRow> {
  const { shown, view, plotWidth, sizes, palette, sheet } = frame
  const { stage } = view
  const height = sizes.latency
  const span = spanOf(frame)
  const bins = binsOver(view.range, plotWidth, CELL)
  const ask = {
    range: bins.range,
    stage,
    w: bins.n,
    h: Math.floor(height / CELL),
    low: ns(span.low),
    high: ns(span.high),
  }
  const heat = await answers(frame, run => run.client.query('latencyGrid', { filter: run.filter, ...ask }))
  const known = await answers(frame, run =>
    run.client.query('distribution', { filter: run.filter, range: view.range, stage }),
  )
  const failures = await answers(
    frame,
    async run =>
      run.figures?.failed && run.client.query('failures', latencyFailuresAsk(run, view, span, plotWidth, height)),
  )
  const letters = shown.map(run => run.letter)
  const failed = latencyFailureEntries(failures, letters, stage)
  const most = Math.max(1, ...heat.map(answer => answer.max))
  const ticks = spanTicks(span, height)
  const y = logY(span.low, span.high, height)
  return {
    title: `Latency${ofDevice(shown)}`,
    chart: 'latency',
    what: `${STAGE_NAMES[stage]}, log scale; cell ${binWidth(bins.bin)} wide`,
    height,
    ticks,
    lines: ticks.map(tick => tick.at),
    zeros: [height],
    legend: [{ most }, ...(failed.length > 0 ? [{ entries: failed }] : [])],
    figure: run => {
      const d = of(frame, known, run)
      return d && d.n > 0
        ? `median ${duration(d.p50)}, p99 ${duration(d.p99)}${dagger(run, [`latency_ns.${stage}`])}`
        : ''
    },
    draw: (surface, run) => {
      const answer = of(frame, heat, run)
      if (answer === undefined) return
      const picture = {
        answer,
        ask: { filter: run.filter, ...ask },
        max: most,
        distribution: of(frame, known, run),
        failures: of(frame, failures, run),
      }
      paintHeat(surface, picture, { run, range: view.range, width: plotWidth, height, span, palette })
    },
    annotate: (run, left, top) => {
      const d = of(frame, known, run)
      if (d === undefined || d.n === 0) return
      const look = { size: 11, colour: palette('ink-2'), halo: palette('surface') }
      sheet.text(left + 6, top + (y(d.p99) < 14 ? y(d.p99) + 12 : y(d.p99) - 4), `p99 ${duration(d.p99)}`, look)
      if (y(d.p50) - y(d.p99) > 14) sheet.text(left + 6, top + y(d.p50) - 4, `p50 ${duration(d.p50)}`, look)
    },
  }
}

/** Absent without a geometry. */
export async function stripesRow(frame: PictureFrame): Promise<PictureRow | undefined> {
  const { shown, view, plotWidth, palette } = frame
  const sizes = frame.sizes.stripes
  const geometry = shown.find(run => run.filter.geometry)?.filter.geometry
  if (geometry === undefined) return undefined
  const bins = binsOver(view.range, plotWidth, CELL)
  const found = await answers(frame, async run => {
    const own = run.filter.geometry
    return (
      own &&
      run.client.query('stripeTime', {
        filter: run.filter,
        range: bins.range,
        geometry: own,
        w: bins.n,
        h: sizes.stripe,
      })
    )
  })
  return {
    title: `Position in stripe${ofDevice(shown)}`,
    chart: 'stripes',
    what: `${geometry.dataDisks} x ${sectorSize(geometry.unit)}; cell ${binWidth(bins.bin)} wide`,
    height: heightOf(sizes),
    ticks: stripeTicks(geometry, sizes),
    lines: [],
    zeros: [],
    legend: [
      {
        entries: [
          ...ALIGNMENT_CLASSES.map((c, i) => ({
            label: ALIGNMENT_NAMES[c],
            token: ALIGNMENT_TOKENS[i] ?? 'ink',
            shape: c === 'straddles' ? ('hatch' as const) : ('square' as const),
          })),
          { label: 'request start', token: 'ink', shape: 'thin' },
          { label: 'share of stripes written partially', token: 'bad', shape: 'bar' },
        ],
      },
    ],
    figure: run => {
      const answer = of(frame, found, run)
      return answer ? partWords(answer) + dagger(run, ['alignment']) : ''
    },
    instead: run =>
      run.filter.geometry === undefined
        ? 'No geometry is set for this run.'
        : of(frame, found, run)?.n === 0
          ? 'No visible requests with data.'
          : undefined,
    draw: (surface, run) => {
      const answer = of(frame, found, run)
      if (answer === undefined) return
      drawStripes(surface, answer, {
        answered: bins.range,
        range: view.range,
        width: plotWidth,
        sizes,
        end: run.end,
        units: geometry.dataDisks,
        classes: ALIGNMENT_TOKENS.map(palette),
        ground: palette('surface'),
        grid: palette('grid'),
        begin: palette('ink'),
        partial: palette('bad'),
      })
    },
  }
}
