/** Runs of a group in the charts: one run at a time, or the median of all. Pure. */
import { figure } from '../../../lib/format'
import { ns } from '../../../lib/units'
import { lettersOfSide } from '../../../state/runs/letters'
import { medianOf as medianWords } from '../../life/spec'
import type { ChartSide, Shown } from '../answers/shown'
import type { FigurePart } from '../spec'
import { medianOf } from './spread'

/** The sides of the shown runs in their order; `undefined` where each side is one run. */
export function sidesOf(
  shown: readonly Shown[],
  chosen: Readonly<Record<string, string>>,
  show: (group: string, run: string) => void,
): readonly ChartSide[] | undefined {
  const keyOf = ({ id, run }: Shown) => run.group ?? id
  const keys = [...new Set(shown.map(keyOf))]
  if (keys.length < 2 || keys.length === shown.length) return undefined
  return keys.map(key => {
    const runs = shown.filter(run => keyOf(run) === key)
    const index = Math.max(
      0,
      runs.findIndex(run => run.id === chosen[key]),
    )
    return { runs, index, show: next => show(key, runs[next]?.id ?? '') }
  })
}

/** The run of each side that charts of single marks show. */
export const shownOfSides = (sides: readonly ChartSide[]): readonly Shown[] =>
  sides.flatMap(({ runs, index }) => runs[index] ?? [])

/** A group as one column: from the first begin to the last end of its runs. */
export function groupAsShown(runs: readonly Shown[]): readonly Shown[] {
  const [first] = runs
  if (first === undefined || runs.length === 1) return runs
  return [
    {
      ...first,
      letter: lettersOfSide(runs.map(run => run.letter)),
      info: { ...first.info, complete: runs.every(run => run.info.complete) },
      begin: ns(Math.min(...runs.map(run => run.begin))),
      end: ns(Math.max(...runs.map(run => run.end))),
    },
  ]
}

/** `median of 3, band least to most`; the sizes of all groups, where they differ. */
export function groupNote(groups: readonly (readonly Shown[])[] | undefined): string | undefined {
  const sizes = [...new Set((groups ?? []).map(runs => runs.length))].filter(size => size > 1)
  return sizes.length === 0 ? undefined : `${medianWords(sizes.join(' and '))}, band least to most`
}

type FigureOf = (run: Shown) => number | undefined

/** Median and range of a figure of the runs; `undefined` for a single run, and until all runs have it. */
function figureSpread(runs: readonly Shown[] | undefined, figureOf: FigureOf) {
  if (runs === undefined || runs.length < 2) return undefined
  const values = runs.flatMap(run => figureOf(run) ?? [])
  if (values.length < runs.length) return undefined
  return { median: medianOf(values), least: Math.min(...values), most: Math.max(...values) }
}

/** `1.32–1.35 MB/s`: a unit that both have is said once. */
export function rangeInWords(least: string, most: string): string {
  const unit = / \S+$/.exec(most)?.[0] ?? ''
  return `${unit !== '' && least.endsWith(unit) ? least.slice(0, -unit.length) : least}\u2013${most}`
}

/** `median 15.38, 15.19–15.63`: the figure of a group in a head. */
export function groupFigure(
  runs: readonly Shown[] | undefined,
  figureOf: FigureOf,
  inWords: (value: number) => string = figure,
): readonly FigurePart[] | undefined {
  if (runs === undefined || runs.length < 2) return undefined
  const spread = figureSpread(runs, figureOf)
  if (spread === undefined) return runs.every(run => run.info.complete) ? [] : ['so far']
  return [
    'median ',
    { strong: inWords(spread.median) },
    `, ${rangeInWords(inWords(spread.least), inWords(spread.most))}`,
    'scope',
  ]
}

/** What a chart of a group shows, in a sentence. */
export function groupWords(
  subject: string,
  runs: readonly Shown[],
  figureOf: FigureOf,
  inWords: (value: number) => string,
): string {
  const head = `${subject}, ${medianWords(`${runs.length} runs`)} with a band from the least to the most`
  const spread = figureSpread(runs, figureOf)
  if (spread === undefined) return `${head}.`
  return `${head}: ${inWords(spread.median)}, from ${inWords(spread.least)} to ${inWords(spread.most)}.`
}
