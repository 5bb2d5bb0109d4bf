/** Charts of counted things as horizontal bars: request sizes, stages. */
import { totalOf } from '../../../web/charts/request-sizes/draw'
import { requestSizes, runSizes } from '../../../web/charts/request-sizes/spec'
import { wholeView } from '../../../web/charts/shared/spec'
import { stageName } from '../../../web/charts/stages/segments'
import { stageBars, stages } from '../../../web/charts/stages/spec'
import type { Sizes } from '../../../web/engine/protocol'
import { count, counted, duration, sectorSize, share } from '../../../web/lib/format'
import type { PlotFrame } from '../frame'
import { loadAnswers } from '../load'
import { GUTTER } from './axes'
import { runLine, type TextChart } from './block'
import { cutTo, glyphs, type Hue, type Screen, type Span, type StyledLine, spoken } from './screen'
import { specText } from './specText'

/** A stretch of a bar. */
export interface BarPiece {
  readonly value: number
  readonly character: string
  readonly hue?: Hue
}

export interface TextBar {
  readonly label: string
  readonly pieces: readonly BarPiece[]
  /** Right of the bar. */
  readonly value: string
}

/** Bars on one scale; what is more than nothing is at least one character long. */
export function barLines(
  screen: Screen,
  bars: readonly TextBar[],
  most: number,
  valueWidth: number,
): readonly StyledLine[] {
  const room = screen.columns - GUTTER - 2 - valueWidth
  return bars.map(({ label, pieces, value }): StyledLine => {
    let [used, sum] = [0, 0]
    const spans = pieces.flatMap(({ value, character, hue }): Span[] => {
      if (value <= 0) return []
      sum += value
      const end = Math.min(room, Math.max(used + 1, Math.round((sum / most) * room)))
      const text = character.repeat(Math.max(0, end - used))
      used = Math.max(used, end)
      return [{ text, ...(hue && { hue }) }]
    })
    const gap = ' '.repeat(room - used + 1)
    return [
      { text: `${spoken(screen, label).padStart(GUTTER)}${glyphs(screen).side}` },
      ...spans,
      { text: `${gap}${spoken(screen, value).padStart(valueWidth)}` },
    ]
  })
}

/** Most sizes with a bar of their own. */
const MAX_SIZES = 16

interface OpBar {
  readonly key: 'writes' | 'reads' | 'discards'
  readonly op: 'write' | 'read' | 'discard'
  readonly ascii: string
  readonly unicode: string
}

const OPS: readonly OpBar[] = [
  { key: 'writes', op: 'write', ascii: 'w', unicode: '\u2588' },
  { key: 'reads', op: 'read', ascii: 'r', unicode: '\u2592' },
  { key: 'discards', op: 'discard', ascii: 'd', unicode: '\u2591' },
]

function sizeBars(
  screen: Screen,
  sizes: Sizes,
  several: boolean,
): { readonly bars: readonly TextBar[]; readonly left: readonly number[] } {
  const all = [...sizes.sectors.keys()]
  const largest = new Set(all.toSorted((a, b) => totalOf(sizes, b) - totalOf(sizes, a)).slice(0, MAX_SIZES))
  const sum = all.reduce((n, i) => n + totalOf(sizes, i), 0)
  const bars = all
    .filter(i => largest.has(i))
    .map(
      (i): TextBar => ({
        label: sectorSize(sizes.sectors[i] ?? 0),
        pieces: OPS.map(({ key, op, ascii, unicode }) => ({
          value: sizes[key][i] ?? 0,
          character: screen.ascii ? ascii : unicode,
          ...(several && { hue: op }),
        })),
        value: `${count(totalOf(sizes, i))} ${share(totalOf(sizes, i) / sum).padStart(6)}`,
      }),
    )
  return { bars, left: all.filter(i => !largest.has(i)) }
}

export async function sizesText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown } = frame
  const cells = wholeView(frame)
  const answers = await loadAnswers(frame, requestSizes, () => cells)
  const text = specText(frame, requestSizes, answers, cells)
  const { instead } = requestSizes.panel(frame, answers)
  if (instead !== undefined) return { ...text, legend: [], plots: [] }
  const sizes = runSizes(answers).flatMap(s => s ?? [])
  const kinds = OPS.filter(({ key }) => sizes.some(s => s[key].some(n => n > 0)))
  const most = Math.max(1, ...sizes.flatMap(s => [...s.sectors.keys()].map(i => totalOf(s, i))))
  const drawn = sizes.map(s => sizeBars(screen, s, kinds.length > 1))
  const valueWidth = Math.max(0, ...drawn.flatMap(({ bars }) => bars.map(bar => bar.value.length)))
  const plots = shown.flatMap((run, i): StyledLine[] => {
    const [sizesOfRun, { bars, left } = { bars: [], left: [] }] = [sizes[i], drawn[i]]
    if (sizesOfRun === undefined || bars.length === 0) return []
    const rest = left.reduce((n, k) => n + totalOf(sizesOfRun, k), 0)
    const more =
      left.length > 0
        ? [
            [
              {
                text: cutTo(
                  `${' '.repeat(GUTTER)} and ${counted(rest, 'request')} of ${counted(left.length, 'other size')}`,
                  screen.columns,
                ),
              },
            ],
          ]
        : []
    return [runLine(screen, run), ...barLines(screen, bars, most, valueWidth), ...more]
  })
  return {
    ...text,
    legend: [kinds.map(({ ascii, unicode, op }) => `${screen.ascii ? ascii : unicode} ${op}`).join(', ')],
    plots,
  }
}

export async function stagesText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const cells = wholeView(frame)
  const answers = await loadAnswers(frame, stages, () => cells)
  const runs = stageBars(frame, answers)
  const most = Math.max(1, ...runs.flatMap(({ segments }) => segments.map(s => s.mean)))
  const { full } = glyphs(screen)
  const bars = runs.map(({ segments }) =>
    segments.map(
      ({ stage, mean }): TextBar => ({
        label: stageName(stage),
        pieces: [{ value: mean, character: full }],
        value: duration(mean),
      }),
    ),
  )
  const valueWidth = Math.max(0, ...bars.flat().map(bar => bar.value.length))
  return {
    ...specText(frame, stages, answers, cells),
    legend: [],
    plots: runs.flatMap(({ run }, i) =>
      bars[i]?.length ? [runLine(screen, run), ...barLines(screen, bars[i] ?? [], most, valueWidth)] : [],
    ),
  }
}
