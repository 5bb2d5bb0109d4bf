/** Charts of counted things as horizontal bars: request sizes, stages; flushes in words. */
import { words as flushWords, noneWords } from '../../../web/charts/flushes/summary'
import { totalOf } from '../../../web/charts/request-sizes/draw'
import { onlySize, onlySizeWords, words as sizeWords, withSectors } from '../../../web/charts/request-sizes/summary'
import { ofDevice } from '../../../web/charts/shared/answers/shown'
import { sizesChoice } from '../../../web/charts/shared/answers/sizesAt'
import { cutOf, segmentsOf, stageName, words as stageWords } from '../../../web/charts/stages/segments'
import type { Sizes } from '../../../web/engine/protocol'
import { count, counted, duration, sectorSize, share } from '../../../web/lib/format'
import { answers, type PlotFrame } from '../frame'
import { GUTTER } from './axes'
import { runLine, type TextChart, warning, wordsOr } from './block'
import { cutTo, glyphs, type Hue, type Screen, type Span, type StyledLine, spoken } from './screen'

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
  const kept = new Set(all.toSorted((a, b) => totalOf(sizes, b) - totalOf(sizes, a)).slice(0, MAX_SIZES))
  const sum = all.reduce((n, i) => n + totalOf(sizes, i), 0)
  const bars = all
    .filter(i => kept.has(i))
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
  return { bars, left: all.filter(i => !kept.has(i)) }
}

export async function sizesText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown, view } = frame
  const { seen } = sizesChoice(shown.map(run => run.device))
  const sizes = (
    await answers(frame, run => run.client.query('sizes', { filter: run.filter, range: view.range, at: seen }))
  ).map(withSectors)
  const single = onlySize(sizes)
  const title = `Request size${ofDevice(shown)}: requests by size, as ${seen}`
  if (single !== undefined)
    return {
      title,
      legend: [],
      plots: [],
      words: [onlySizeWords(shown, sizes, single, seen) + shown.map(run => warning(run, ['sizes'])).join('')],
    }
  const kinds = OPS.filter(({ key }) => sizes.some(s => s[key].some(n => n > 0)))
  const most = Math.max(1, ...sizes.flatMap(s => [...s.sectors.keys()].map(i => totalOf(s, i))))
  const drawn = sizes.map(s => sizeBars(screen, s, kinds.length > 1))
  const valueWidth = Math.max(0, ...drawn.flatMap(({ bars }) => bars.map(bar => bar.value.length)))
  const plots = shown.flatMap((run, i): StyledLine[] => {
    const [own, { bars, left } = { bars: [], left: [] }] = [sizes[i], drawn[i]]
    if (own === undefined || bars.length === 0) return []
    const rest = left.reduce((n, k) => n + totalOf(own, k), 0)
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
    title,
    legend: [kinds.map(({ ascii, unicode, op }) => `${screen.ascii ? ascii : unicode} ${op}`).join(', ')],
    plots,
    words: shown.map((run, i) =>
      wordsOr(run, 'sizes', 'Request sizes', () => sizeWords(run, sizes[i], seen) + warning(run, ['sizes'])),
    ),
  }
}

export async function stagesText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown, view } = frame
  const found = await answers(frame, run => run.client.query('stages', { filter: run.filter, range: view.range }))
  const cut = cutOf(found.map(answer => answer.stages))
  const segments = found.map(answer => segmentsOf(answer.stages, cut))
  const most = Math.max(1, ...segments.flatMap(own => own.map(s => s.mean)))
  const { full } = glyphs(screen)
  const bars = segments.map(own =>
    own.map(
      ({ stage, mean }): TextBar => ({
        label: stageName(stage),
        pieces: [{ value: mean, character: full }],
        value: duration(mean),
      }),
    ),
  )
  const valueWidth = Math.max(0, ...bars.flat().map(bar => bar.value.length))
  return {
    title: `Where the time goes${ofDevice(shown)}: mean time per request in each stage`,
    legend: [],
    plots: shown.flatMap((run, i) =>
      bars[i]?.length ? [runLine(screen, run), ...barLines(screen, bars[i] ?? [], most, valueWidth)] : [],
    ),
    words: shown.map((run, i) =>
      wordsOr(run, 'stages', 'Stages', () => stageWords(run, segments[i] ?? []) + warning(run, ['latency_ns.d2c'])),
    ),
  }
}

export async function flushesText({ shown }: PlotFrame, _: Screen): Promise<TextChart> {
  const none = noneWords(shown)
  return {
    title: `Flushes${ofDevice(shown)}: preflush, flush and FUA`,
    legend: [],
    plots: [],
    words:
      none === undefined
        ? shown.map(run => wordsOr(run, 'flushes', 'Flushes', () => flushWords(run) + warning(run, ['flush'])))
        : [none],
  }
}
