/**
 * Charts over time in pictures, painted by the code of the page: queue depth, throughput, IOPS, latency, position in
 * stripe.
 */
import { latencyFailureEntries, latencyFailuresAsk } from '../../../web/charts/latency/failures'
import { STAGE_NAMES, spanOf, spanTicks } from '../../../web/charts/latency/scale'
import { CELL, paintHeat } from '../../../web/charts/latency/scene'
import { depthAxis, depthBins, GAP, paintDepth, STRIP_TOP } from '../../../web/charts/queue-depth/scene'
import { noDepth } from '../../../web/charts/queue-depth/summary'
import { ALIGNMENT_NAMES } from '../../../web/charts/shared/answers/names'
import { ofDevice, type Shown } from '../../../web/charts/shared/answers/shown'
import { ALIGNMENT_TOKENS } from '../../../web/charts/shared/paint/palette'
import { amountScale, binWidth, logY, tickLabel } from '../../../web/charts/shared/paint/ticks'
import { binsOver } from '../../../web/charts/shared/paint/viewport'
import { drawStripes } from '../../../web/charts/stripes/draw'
import { heightOf, stripeTicks } from '../../../web/charts/stripes/scale'
import { partWords } from '../../../web/charts/stripes/summary'
import { BIN_PX, HEADROOM, intervalOf, meanOf, paintRate, rateAxis, TOKENS } from '../../../web/charts/throughput/scene'
import { kindsInWords, type RateUnit } from '../../../web/charts/throughput/summary'
import { ALIGNMENT_CLASSES } from '../../../web/engine/protocol'
import { duration, figure, rate, sectorSize } from '../../../web/lib/format'
import { ns } from '../../../web/lib/units'
import { answers } from '../frame'
import type { PictureFrame } from './pictureFrame'
import type { PictureLegend } from './pictureLegend'
import { dagger, type PictureRow } from './pictureRow'

const of = <T>(frame: PictureFrame, list: readonly T[], run: Shown): T | undefined => list[frame.shown.indexOf(run)]

export async function depthRow(frame: PictureFrame): Promise<PictureRow> {
  const { shown, view, plotWidth, sizes, palette } = frame
  const { bins, group } = depthBins(shown, view.range, plotWidth)
  const { range, n } = bins
  const isDisk = (run: Shown) => run.device.role === 'disk'
  const series = await answers(frame, async run => {
    if (!isDisk(run)) return undefined
    return { range, n, series: await run.client.query('depth', { device: run.device.index, range, n }) }
  })
  const exact = await answers(frame, async run => {
    if (!isDisk(run)) return undefined
    const found = await run.client.query('starved', {
      device: run.device.index,
      range: view.range,
      most: Math.round(plotWidth / 8),
    })
    return found.exact ? found.intervals : undefined
  })
  const { highest, ticks, stripTop } = depthAxis(series, group)
  const scale = amountScale(highest, sizes.depth)
  const strip = sizes.depth + GAP + STRIP_TOP
  const height = sizes.depth + GAP + sizes.starved
  return {
    title: `Queue depth${ofDevice(shown)}`,
    chart: 'depth',
    what: `requests; mean per ${binWidth(bins.bin)}, band min to max; dotted: mean, 95% interval`,
    height: shown.some(isDisk) ? height : 44,
    ticks: shown.some(isDisk)
      ? [...ticks.map(v => ({ at: scale(v), label: String(v) })), { at: strip, label: `${stripTop * 100}%` }]
      : [],
    lines: [...ticks.slice(1).map(scale), strip],
    zeros: [sizes.depth, height],
    legend: [
      {
        entries: [
          { label: 'in flight', token: 'in-flight', shape: 'line' },
          { label: 'waiting', token: 'waiting', shape: 'dash' },
          { label: 'starved: idle while bios wait', token: 'starved' },
        ],
      },
    ],
    figure: run => {
      const { depth, starved } = run.figures ?? {}
      const idle = starved ? `, starved ${duration(starved.total_ns)}${dagger(run, ['starved'])}` : ''
      return depth && isDisk(run) ? `mean ${figure(depth.mean)}${dagger(run, ['depth'])}${idle}` : ''
    },
    instead: run => (isDisk(run) ? undefined : noDepth(run)),
    draw: (surface, run) => {
      const own = of(frame, series, run)
      if (own === undefined) return
      const mean = { mean: run.figures?.depth?.mean, interval: frame.intervalOf(run, 'depth.mean') }
      const picture = { bins: own, intervals: of(frame, exact, run), ...mean, group, stripTop, highest }
      paintDepth(surface, picture, {
        run,
        range: view.range,
        width: plotWidth,
        height: { plot: sizes.depth, strip: sizes.starved },
        palette,
      })
    },
    annotate: (_, x, y) =>
      frame.sheet.text(x + 6, y + sizes.depth + GAP + 11, 'starved', {
        size: 11,
        colour: palette('ink-2'),
        halo: palette('surface'),
      }),
  }
}

export async function rateRow(frame: PictureFrame, unit: RateUnit): Promise<PictureRow> {
  const { shown, view, plotWidth, sizes, palette } = frame
  const bins = binsOver(view.range, plotWidth, BIN_PX)
  const { range, n } = bins
  const series = await answers(frame, async run => ({
    range,
    series: await run.client.query('rate', { filter: run.filter, range, n }),
  }))
  const { kinds, highest, ticks } = rateAxis(series, unit)
  const height = sizes.rate
  const scale = amountScale(highest, height, HEADROOM)
  const shapes = { read: 'line', write: 'square', discard: 'dash' } as const
  const legend: PictureLegend =
    kinds.length > 1
      ? { entries: kinds.map(kind => ({ label: kind, token: TOKENS[kind], shape: shapes[kind] })) }
      : { words: kinds.length === 1 ? kindsInWords(kinds) : '' }
  return {
    title: `${unit === 'bytes' ? 'Throughput' : 'IOPS'}${ofDevice(shown)}`,
    chart: 'throughput',
    what: `${unit === 'bytes' ? 'MB/s' : 'requests/s'} completed per ${binWidth(bins.bin)}; dotted: mean, 95% interval`,
    height,
    ticks: ticks.map(v => ({ at: scale(v), label: tickLabel(v) })),
    lines: ticks.slice(1).map(scale),
    zeros: [height],
    legend: [legend],
    figure: run => {
      const f = run.figures?.throughput
      return f ? `mean ${rate(f.read_bps + f.write_bps)}, ${figure(f.iops)} IOPS${dagger(run, ['throughput'])}` : ''
    },
    draw: (surface, run) => {
      const answered = of(frame, series, run)
      if (answered === undefined) return
      const means = kinds.map(kind => meanOf(run.figures, kind, unit, kinds.length === 1))
      const intervals = kinds.map(kind => intervalOf(key => frame.intervalOf(run, key), kind, unit))
      paintRate(
        surface,
        { answered, kinds, unit, highest, means, intervals },
        { run, range: view.range, width: plotWidth, height, palette },
      )
    },
  }
}

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
