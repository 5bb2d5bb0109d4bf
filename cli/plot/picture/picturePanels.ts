/** Charts of all runs together in pictures: percentiles, stages, request sizes, stripe alignment; flushes in words. */
import { ALIGNMENT_LEGEND, mostStarts, paintPositions, paintShares } from '../../../web/charts/alignment/scene'
import { costWords, gridWords, largest, memberWords } from '../../../web/charts/alignment/summary'
import { words as flushWords, noneWords } from '../../../web/charts/flushes/summary'
import { STAGE_NAMES, spanTicks } from '../../../web/charts/latency/scale'
import { percentileX } from '../../../web/charts/percentiles/draw'
import { crossingOf, curveAxis, paintCurves, percentileTicks, spread } from '../../../web/charts/percentiles/scene'
import { countsInWords, crossingWords, percentileName } from '../../../web/charts/percentiles/summary'
import { drawSizes, sizeTicks, sizeX, totalOf } from '../../../web/charts/request-sizes/draw'
import { onlySize, onlySizeWords, withSectors } from '../../../web/charts/request-sizes/summary'
import { lostWords } from '../../../web/charts/shared/answers/lost'
import { ofDevice, type Shown } from '../../../web/charts/shared/answers/shown'
import { sizesChoice } from '../../../web/charts/shared/answers/sizesAt'
import { runToken } from '../../../web/charts/shared/paint/palette'
import { amountTicks, logY, tickLabel } from '../../../web/charts/shared/paint/ticks'
import type { LegendPart } from '../../../web/charts/shared/spec'
import { drawBar } from '../../../web/charts/stages/draw'
import { cutOf, segmentsOf, stageName, totalOf as stageTotal } from '../../../web/charts/stages/segments'
import { duration, figure, sectorSize } from '../../../web/lib/format'
import { answers } from '../frame'
import { BADGE, brokenUp, drawBadge, MARGIN, type PictureFrame } from './pictureFrame'
import { drawHead } from './pictureRow'

/** Draws from `y` on; returns where it ends. */
export type DrawPanel = (y: number) => number

const SMALL = 11
const NAMES = 84
const BETWEEN = 16

/** Sentences, broken into lines. */
function drawWords({ sheet, palette, panelWidth }: PictureFrame, sentences: readonly string[], y: number): number {
  let at = y
  for (const sentence of sentences) {
    for (const text of brokenUp(sheet, sentence, 12, panelWidth)) {
      sheet.text(MARGIN, at + 12, text, { size: 12, colour: palette('ink-2') })
      at += 16
    }
    at += 4
  }
  return at
}

const absent = (run: Shown, chart: 'latency' | 'stages' | 'alignment' | 'flushes'): readonly string[] => {
  const reason = run.device.absent?.[chart]
  return reason === undefined ? [] : [`${run.letter}: absent, ${reason}.`]
}

const warnings = (shown: readonly Shown[]): readonly string[] =>
  shown.flatMap(run => (lostWords(run) === '' ? [] : [`${run.letter}:${lostWords(run)}`]))

interface Head {
  readonly title: string
  readonly what: string
  readonly legend?: readonly LegendPart[]
}

const panel =
  (
    frame: PictureFrame,
    { title, what, legend = [] }: Head,
    sentences: readonly string[],
    draw: (y: number) => number,
  ): DrawPanel =>
  y => {
    const top = y + drawHead(frame, { title: `${title}${ofDevice(frame.shown)}`, what, legend }, y, frame.panelWidth)
    return drawWords(frame, [...sentences, ...warnings(frame.shown)], draw(top)) + BETWEEN
  }

export async function percentilesPanel(frame: PictureFrame): Promise<DrawPanel> {
  const { shown, view, sheet, palette, axisWidth, panelWidth, sizes } = frame
  const known = await answers(frame, run =>
    run.client.query('distribution', { filter: run.filter, range: view.range, stage: view.stage }),
  )
  const drawn = shown.flatMap((run, i) =>
    known[i] && known[i].n > 0 ? [{ run, letter: run.letter, distribution: known[i] }] : [],
  )
  const what = `${STAGE_NAMES[view.stage]} of ${countsInWords(shown, known)}; both axes log; shaded: 95% interval`
  const [a, b] = drawn
  const cross = drawn.length === 2 && a && b ? crossingOf(a.distribution, b.distribution) : undefined
  const words = [
    ...shown.flatMap(run => absent(run, 'latency')),
    ...(cross && a && b ? [`${crossingWords(cross, [a.letter, b.letter])}.`] : []),
  ]
  return panel(
    frame,
    { title: 'Latency by percentile', what },
    drawn.length === 0 ? ['No visible request has both events.'] : words,
    y => {
      if (drawn.length === 0) return y
      const [x, height, width] = [MARGIN + axisWidth, sizes.percentiles, panelWidth - axisWidth - NAMES]
      const { nines, low, high } = curveAxis(drawn.map(d => d.distribution))
      const scene = { width, height, nines, y: logY(low, high, height) }
      const ticks = spanTicks({ low, high }, height)
      sheet.paint(x, y, width, height, surface => {
        surface.fillStyle = palette('grid')
        for (const { at } of ticks) surface.fillRect(0, Math.round(at), width, 1)
        for (const p of percentileTicks(nines)) surface.fillRect(Math.round(percentileX(p, scene)), 0, 1, height)
        paintCurves(surface, drawn, scene, palette)
      })
      const look = { size: SMALL, colour: palette('ink-3') }
      for (const { at, label } of ticks)
        sheet.text(x - 8, y + Math.min(Math.max(at, 7), height - 4) + 4, label, { ...look, anchor: 'end' })
      for (const p of percentileTicks(nines))
        sheet.text(x + percentileX(p, scene), y + height + 14, percentileName(p), { ...look, anchor: 'middle' })
      for (const { run, distribution, at } of spread(drawn.map(d => ({ ...d, at: scene.y(d.distribution.max) })))) {
        sheet.text(x + width + 7, y + at + 4, `${run.letter} ${duration(distribution.max)}`, {
          size: SMALL,
          weight: 600,
          colour: palette(runToken(run.letter)),
        })
      }
      return y + height + 24
    },
  )
}

const UNITS = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, '\u00b5s'],
] as const

export async function stagesPanel(frame: PictureFrame): Promise<DrawPanel> {
  const { shown, view, sheet, palette, panelWidth } = frame
  const found = await answers(frame, run => run.client.query('stages', { filter: run.filter, range: view.range }))
  const cut = cutOf(found.map(answer => answer.stages))
  const bars = shown.map((run, i) => ({ run, segments: segmentsOf(found[i]?.stages ?? [], cut) }))
  const most = Math.max(1, ...bars.map(bar => stageTotal(bar.segments)))
  const entries = (bars.find(bar => bar.segments.length > 0)?.segments ?? []).map(({ stage, token }) => ({
    label: stageName(stage),
    token,
  }))
  return panel(
    frame,
    { title: 'Where the time goes', what: 'mean per request', legend: [{ entries }] },
    shown.flatMap(run => absent(run, 'stages')),
    y => {
      const [row, tall, x] = [30, 22, MARGIN + 24]
      const width = panelWidth - 24 - 64
      const [per, unit] = UNITS.find(([from]) => most >= from) ?? [1, 'ns']
      bars.forEach(({ run, segments }, i) => {
        const top = y + i * row
        drawBadge(frame, run, MARGIN, top + 3)
        const pieces = segments.map(s => ({ value: s.mean, colour: palette(s.token) }))
        sheet.paint(x, top, width, tall, surface => drawBar(surface, pieces, most, width, 0, tall))
        const total = stageTotal(segments)
        if (total > 0)
          sheet.text(x + (total / most) * width + 6, top + 15, duration(total), {
            size: SMALL,
            colour: palette('ink-2'),
          })
        let at = x
        for (const { mean, stage, token } of segments) {
          const name = `${stageName(stage)} ${figure(mean / per)}`
          const wide = (mean / most) * width
          if (['st-i2d', 'st-d2c'].includes(token) && sheet.widthOf(name, SMALL) + 12 <= wide) {
            sheet.text(at + 6, top + 15, name, { size: SMALL, weight: 600, colour: palette('st-ink') })
          }
          at += wide
        }
      })
      const below = y + bars.length * row
      for (const value of amountTicks(most / per, 4).filter(v => v <= (most / per) * 1.02)) {
        const at = x + ((value * per) / most) * width
        sheet.box(Math.round(at), below - 4, 1, 4, palette('axis'))
        sheet.text(at, below + 11, tickLabel(value), { size: SMALL, anchor: 'middle', colour: palette('ink-3') })
      }
      sheet.text(x + width + 22, below + 11, unit, { size: SMALL, colour: palette('ink-3') })
      return below + 20
    },
  )
}

export async function sizesPanel(frame: PictureFrame): Promise<DrawPanel> {
  const { shown, view, sheet, palette, panelWidth, sizes: rows } = frame
  const { seen } = sizesChoice(shown.map(run => run.device))
  const sizes = (
    await answers(frame, run => run.client.query('sizes', { filter: run.filter, range: view.range, at: seen }))
  ).map(withSectors)
  const single = onlySize(sizes)
  const all = sizes.flatMap(s => [...s.sectors])
  if (single !== undefined || all.length === 0) {
    const words = single === undefined ? 'No visible requests.' : onlySizeWords(shown, sizes, single, seen)
    return panel(frame, { title: 'Request size', what: '' }, [words], y => y)
  }
  const kinds = (['reads', 'writes', 'discards'] as const).filter(kind => sizes.some(s => s[kind].some(n => n > 0)))
  const tokens = { reads: 'op-read', writes: 'op-write', discards: 'op-discard' } as const
  const legend = kinds.length > 1 ? [{ entries: kinds.map(kind => ({ label: kind, token: tokens[kind] })) }] : []
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const most = Math.max(1, ...sizes.flatMap(s => [...s.sectors.keys()].map(i => totalOf(s, i))))
  return panel(frame, { title: 'Request size', what: `requests by size, as ${seen}`, legend }, [], y => {
    const [x, width, height] = [MARGIN + 64, panelWidth - 64, rows.requestSizes]
    shown.forEach((run, i) => {
      const top = y + i * (height + 8)
      const own = palette(runToken(run.letter))
      const plain = kinds.length === 1
      const colours = plain
        ? { read: own, write: own, discard: own }
        : { read: palette('op-read'), write: palette('op-write'), discard: palette('op-discard') }
      drawBadge(frame, run, MARGIN, top + height - BADGE)
      sheet.text(x - 8, top + 10, tickLabel(most), { size: SMALL, anchor: 'end', colour: palette('ink-3') })
      sheet.paint(x, top, width, height, surface => {
        surface.fillStyle = palette('grid')
        surface.fillRect(0, 0, width, 1)
        if (sizes[i]) drawSizes(surface, sizes[i], { width, height, low, high, most, colours })
        surface.fillStyle = palette('axis')
        surface.fillRect(0, height - 1, width, 1)
      })
    })
    const below = y + shown.length * (height + 8)
    for (const size of sizeTicks(width, low, high)) {
      sheet.text(x + sizeX(size, { width, low, high }), below + 8, sectorSize(size), {
        size: SMALL,
        anchor: 'middle',
        colour: palette('ink-3'),
      })
    }
    return below + 18
  })
}

const POSITIONS = 40
const BAR = 14

export async function alignmentPanel(frame: PictureFrame): Promise<DrawPanel> {
  const { shown, view, sheet, palette, panelWidth } = frame
  const found = await answers(frame, async run => {
    const { geometry } = run.filter
    return geometry && run.client.query('alignment', { filter: run.filter, range: view.range, geometry })
  })
  if (found.every(answer => answer === undefined)) {
    const facets = await answers(frame, run => run.client.query('facets', { filter: run.filter, range: view.range }))
    const known = facets.map(answer => answer.misaligned4k)
    return panel(
      frame,
      { title: 'Stripe alignment', what: '' },
      [gridWords(shown, known), 'No geometry is set: --stripe SPEC sets one.'],
      y => y,
    )
  }
  const most = mostStarts(found)
  return panel(
    frame,
    {
      title: 'Stripe alignment',
      what: 'requests by class; below, where in the stripe they begin',
      legend: [{ entries: ALIGNMENT_LEGEND }],
    },
    [],
    y => {
      const [x, width] = [MARGIN + 24, panelWidth - 24]
      let top = y
      shown.forEach((run, i) => {
        const answer = found[i]
        drawBadge(frame, run, MARGIN, top)
        if (answer === undefined || answer.n === 0) {
          sheet.text(x, top + 12, answer === undefined ? 'No geometry is set for this run.' : 'No visible requests.', {
            size: 12,
            colour: palette('ink-2'),
          })
          top += 24
          return
        }
        sheet.paint(x, top, width, BAR, surface => paintShares(surface, answer, { width, height: BAR, palette }))
        top += BAR + 4
        for (const text of brokenUp(
          sheet,
          `${largest(answer)}. ${costWords(answer)} ${memberWords(run)}`.trim(),
          12,
          width,
        )) {
          sheet.text(x, top + 12, text, { size: 12, colour: palette('ink-2') })
          top += 16
        }
        sheet.paint(x, top + 4, width, POSITIONS, surface => {
          paintPositions(surface, answer, most, { width, height: POSITIONS, palette })
          surface.fillStyle = palette('axis')
          surface.fillRect(0, POSITIONS - 1, width, 1)
        })
        const look = { size: SMALL, colour: palette('ink-3') }
        sheet.text(x, top + POSITIONS + 18, 'start of stripe', look)
        sheet.text(x + width / 2, top + POSITIONS + 18, 'request starts', { ...look, anchor: 'middle' })
        sheet.text(x + width, top + POSITIONS + 18, 'end', { ...look, anchor: 'end' })
        top += POSITIONS + 32
      })
      return top
    },
  )
}

export async function flushesPanel(frame: PictureFrame): Promise<DrawPanel> {
  const none = noneWords(frame.shown)
  return panel(
    frame,
    { title: 'Flushes', what: 'preflush, flush and FUA' },
    none === undefined ? frame.shown.map(flushWords) : [none],
    y => y,
  )
}
