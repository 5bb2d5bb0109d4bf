/** Charts of all runs together in pictures: percentiles, stages, request sizes, stripe alignment; flushes in words. */
import { mostStarts, paintPositions, paintShares } from '../../../web/charts/alignment/scene'
import { alignment, POSITION_AXIS } from '../../../web/charts/alignment/spec'
import { costWords, largest, memberWords } from '../../../web/charts/alignment/summary'
import { spanTicks } from '../../../web/charts/latency/scale'
import { percentileX } from '../../../web/charts/percentiles/draw'
import { curveAxis, paintCurves, percentileTicks, spread } from '../../../web/charts/percentiles/scene'
import { percentileCurves, percentiles } from '../../../web/charts/percentiles/spec'
import { percentileName } from '../../../web/charts/percentiles/summary'
import { drawSizes, sizeTicks, sizeX, totalOf } from '../../../web/charts/request-sizes/draw'
import { requestSizes, runSizes } from '../../../web/charts/request-sizes/spec'
import { lostWords } from '../../../web/charts/shared/answers/lost'
import { NO_GEOMETRY_OF_RUN } from '../../../web/charts/shared/answers/names'
import type { Shown } from '../../../web/charts/shared/answers/shown'
import { NO_REQUESTS } from '../../../web/charts/shared/answers/words'
import { runToken } from '../../../web/charts/shared/paint/palette'
import { amountTicks, logY, tickLabel, timeUnit } from '../../../web/charts/shared/paint/ticks'
import {
  absentReason,
  type ChartPanel,
  type PanelSpec,
  type QueryKinds,
  titleOf,
  wholeView,
} from '../../../web/charts/shared/spec'
import { drawBar } from '../../../web/charts/stages/draw'
import { segmentName } from '../../../web/charts/stages/segments'
import { stageBars, stages } from '../../../web/charts/stages/spec'
import { duration, sectorSize } from '../../../web/lib/format'
import { lacksGeometry, loadAnswers, NO_GEOMETRY } from '../load'
import { BADGE, brokenUp, drawBadge, MARGIN, type PictureFrame } from './pictureFrame'
import { type DrawPanel, drawHead } from './pictureRow'

const SMALL = 11
const NAMES = 84
const BETWEEN = 16

/** Sentences, broken into lines. */
function drawWords({ sheet, palette, panelWidth }: PictureFrame, sentences: readonly string[], y: number): number {
  let top = y
  for (const sentence of sentences) {
    for (const text of brokenUp(sheet, sentence, 12, panelWidth)) {
      sheet.text(MARGIN, top + 12, text, { size: 12, colour: palette('ink-2') })
      top += 16
    }
    top += 4
  }
  return top
}

const warnings = (shown: readonly Shown[]): readonly string[] =>
  shown.flatMap(run => (lostWords(run) === '' ? [] : [`${run.letter}:${lostWords(run)}`]))

/** The answers of a chart, and what it says of them. */
async function loadPanel<Q extends QueryKinds<Q>>(frame: PictureFrame, spec: PanelSpec<Q>) {
  const answers = await loadAnswers(frame, spec, () => wholeView(frame))
  return { answers, panel: spec.panel(frame, answers) }
}

/** A head, the drawing or the words instead of it, and words below. */
const panelOf =
  <Q extends QueryKinds<Q>>(
    frame: PictureFrame,
    spec: PanelSpec<Q>,
    { what, legend, instead, notes = [] }: ChartPanel,
    draw: (y: number) => number,
    below: readonly string[] = [],
  ): DrawPanel =>
  y => {
    const { shown, panelWidth } = frame
    const reasons = shown.flatMap(run => {
      const reason = absentReason(spec, run)
      return reason === undefined ? [] : [`${run.letter}: absent, ${reason}.`]
    })
    const isAbsent = reasons.length === shown.length
    const head = { title: titleOf(spec, frame), ...(isAbsent ? { what: '', legend: [] } : { what, legend }) }
    const top = y + drawHead(frame, head, y, panelWidth)
    const words = isAbsent ? reasons : [...reasons, ...(instead ?? []), ...notes, ...below]
    const end = isAbsent || instead !== undefined ? top : draw(top)
    return drawWords(frame, [...words, ...warnings(shown)], end) + BETWEEN
  }

async function percentilesPanel(frame: PictureFrame): Promise<DrawPanel> {
  const { sheet, palette, axisWidth, panelWidth, sizes } = frame
  const { answers, panel } = await loadPanel(frame, percentiles)
  const drawn = percentileCurves(frame, answers)
  return panelOf(frame, percentiles, panel, y => {
    const [x, height, width] = [MARGIN + axisWidth, sizes.percentiles, panelWidth - axisWidth - NAMES]
    const { nines, low, high } = curveAxis(drawn.map(d => d.distribution))
    const scene = { width, height, nines, y: logY(low, high, height) }
    const ticks = spanTicks({ low, high }, height)
    sheet.paint(x, y, width, height, surface => {
      surface.fillStyle = palette('grid')
      for (const { position } of ticks) surface.fillRect(0, Math.round(position), width, 1)
      for (const p of percentileTicks(nines)) surface.fillRect(Math.round(percentileX(p, scene)), 0, 1, height)
      paintCurves(surface, drawn, scene, palette)
    })
    const look = { size: SMALL, colour: palette('ink-3') }
    for (const { position, label } of ticks)
      sheet.text(x - 8, y + Math.min(Math.max(position, 7), height - 4) + 4, label, { ...look, anchor: 'end' })
    for (const p of percentileTicks(nines))
      sheet.text(x + percentileX(p, scene), y + height + 14, percentileName(p), { ...look, anchor: 'middle' })
    for (const { run, distribution, y: end } of spread(drawn.map(d => ({ ...d, y: scene.y(d.distribution.max) })))) {
      sheet.text(x + width + 7, y + end + 4, `${run.letter} ${duration(distribution.max)}`, {
        size: SMALL,
        weight: 600,
        colour: palette(runToken(run.letter)),
      })
    }
    return y + height + 24
  })
}

async function stagesPanel(frame: PictureFrame): Promise<DrawPanel> {
  const { sheet, palette, panelWidth } = frame
  const { answers, panel } = await loadPanel(frame, stages)
  const bars = stageBars(frame, answers)
  const most = Math.max(1, ...bars.map(bar => bar.total))
  return panelOf(frame, stages, panel, y => {
    const [row, tall, x] = [30, 22, MARGIN + 24]
    const width = panelWidth - 24 - 64
    const { per, name: unit } = timeUnit(most)
    bars.forEach(({ run, segments, total }, i) => {
      const top = y + i * row
      drawBadge(frame, run, MARGIN, top + 3)
      const pieces = segments.map(s => ({ value: s.mean, colour: palette(s.token) }))
      sheet.paint(x, top, width, tall, surface => drawBar(surface, pieces, palette('axis'), most, width, 0, tall))
      if (total > 0)
        sheet.text(x + (total / most) * width + 6, top + 15, duration(total), {
          size: SMALL,
          colour: palette('ink-2'),
        })
      let left = x
      for (const segment of segments) {
        const name = segmentName(segment, per)
        const wide = (segment.mean / most) * width
        if (name !== undefined && sheet.widthOf(name, SMALL) + 12 <= wide) {
          sheet.text(left + 6, top + 15, name, { size: SMALL, weight: 600, colour: palette('st-ink') })
        }
        left += wide
      }
    })
    const below = y + bars.length * row
    for (const value of amountTicks(most / per, 4).filter(v => v <= (most / per) * 1.02)) {
      const tickX = x + ((value * per) / most) * width
      sheet.box(Math.round(tickX), below - 4, 1, 4, palette('axis'))
      sheet.text(tickX, below + 11, tickLabel(value), { size: SMALL, anchor: 'middle', colour: palette('ink-3') })
    }
    sheet.text(x + width + 22, below + 11, unit, { size: SMALL, colour: palette('ink-3') })
    return below + 20
  })
}

async function sizesPanel(frame: PictureFrame): Promise<DrawPanel> {
  const { shown, sheet, palette, panelWidth, sizes: rows } = frame
  const { answers, panel } = await loadPanel(frame, requestSizes)
  const sizes = runSizes(answers)
  const loaded = sizes.flatMap(s => s ?? [])
  const all = loaded.flatMap(s => [...s.sectors])
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const most = Math.max(1, ...loaded.flatMap(s => [...s.sectors.keys()].map(i => totalOf(s, i))))
  // Without a legend there is one operation: it has the colour of its run.
  const plain = panel.legend.every(part => 'entries' in part && part.entries.length === 0)
  return panelOf(frame, requestSizes, panel, y => {
    const [x, width, height] = [MARGIN + 64, panelWidth - 64, rows.requestSizes]
    shown.forEach((run, i) => {
      const top = y + i * (height + 8)
      const colour = palette(runToken(run.letter))
      const colours = plain
        ? { read: colour, write: colour, discard: colour }
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

async function alignmentPanel(frame: PictureFrame): Promise<DrawPanel> {
  const { shown, sheet, palette, panelWidth } = frame
  const { answers, panel } = await loadPanel(frame, alignment)
  const most = mostStarts(answers.alignment.map(({ answer }) => answer))
  const below = lacksGeometry(alignment, frame) ? [NO_GEOMETRY] : []
  const draw = (y: number) => {
    const [x, width] = [MARGIN + 24, panelWidth - 24]
    let top = y
    shown.forEach((run, i) => {
      if (absentReason(alignment, run) !== undefined) return
      const answer = answers.alignment[i]?.answer
      drawBadge(frame, run, MARGIN, top)
      if (answer === undefined || answer.n === 0) {
        sheet.text(x, top + 12, answer === undefined ? NO_GEOMETRY_OF_RUN : NO_REQUESTS, {
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
      sheet.text(x, top + POSITIONS + 18, POSITION_AXIS.from, look)
      sheet.text(x + width / 2, top + POSITIONS + 18, POSITION_AXIS.quantity, { ...look, anchor: 'middle' })
      sheet.text(x + width, top + POSITIONS + 18, POSITION_AXIS.to, { ...look, anchor: 'end' })
      top += POSITIONS + 32
    })
    return top
  }
  return panelOf(frame, alignment, panel, draw, below)
}

/** A chart without a drawing. */
async function wordsPanel<Q extends QueryKinds<Q>>(frame: PictureFrame, spec: PanelSpec<Q>): Promise<DrawPanel> {
  const { answers, panel } = await loadPanel(frame, spec)
  return panelOf(frame, spec, panel, y => y, spec.words(frame, answers, wholeView(frame)))
}

/** What draws a chart of all runs. One that is not here is told in words. */
const PANELS: Readonly<Record<string, (frame: PictureFrame) => Promise<DrawPanel>>> = {
  [percentiles.name]: percentilesPanel,
  [stages.name]: stagesPanel,
  [requestSizes.name]: sizesPanel,
  [alignment.name]: alignmentPanel,
}

export const specPanel = <Q extends QueryKinds<Q>>(frame: PictureFrame, spec: PanelSpec<Q>): Promise<DrawPanel> =>
  PANELS[spec.name]?.(frame) ?? wordsPanel(frame, spec)
