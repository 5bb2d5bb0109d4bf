/** Counted latencies as histograms of the same bins for all sides. */
import type { LatencyDistribution, ResultMatrix } from '../../engine/protocol'
import { keyIn, MAX_PANELS, metricCells, nameIn, type Side, sidesOf, splitOf } from './sides'

/** Maximum number of curves per panel. */
const MAX_CURVES = 8
/**
 * With more bins of equal width, the program did not count on a linear scale: the width is the resolution of its
 * times.
 */
const MAX_LINEAR = 256
/** Bins per factor of two when the text has finer ones. */
const PER_OCTAVE = 4

type CountedBins = LatencyDistribution['bins']

/** Bins of a histogram. Both ends in ns; a bin includes its upper end. */
export interface BinGrid {
  /** Description of the bins, for the caption. */
  readonly what: string
  /** Set if these are the bins of the program that counted: their bounds become the ticks of the axis. */
  readonly isGiven: boolean
  indexOf(latency: number): number
  from(index: number): number
  to(index: number): number
}

export interface HistogramCurve {
  readonly side: Side
  /** Number of the run, if its side has several. */
  readonly repeat?: number
  readonly n: number
  /** Number of I/Os by index of the grid, ascending. */
  readonly counts: ReadonlyMap<number, number>
  /** Bins as in the text. */
  readonly bins: CountedBins
}

export interface HistogramPicture {
  readonly kind: 'histogram'
  readonly operation: string
  readonly sides: readonly Side[]
  readonly grid: BinGrid
  readonly panels: readonly { readonly name: string; readonly curves: readonly HistogramCurve[] }[]
  readonly left: readonly { readonly count: number; readonly kind: 'side' | 'panel' | 'curve' }[]
}

/** Tolerance in bins: rounding must not move a bound into the next bin. */
const SLACK = 1e-6
/** Tolerance in octaves for bounds that programs print rounded. */
const ROUNDED = 0.05

/** Whether all bounds are factors of 2, 4, 8, … apart: programs leave out empty buckets. */
const isOctaves = (bounds: readonly number[]): boolean =>
  bounds.length > 1 &&
  bounds.every((bound, i) => {
    const octaves = i === 0 ? 1 : Math.log2(bound / (bounds[i - 1] ?? 1))
    return octaves > 0.5 && Math.abs(octaves - Math.round(octaves)) < ROUNDED
  })

/** Bins that fit all distributions: the program's own where they are coarse, else a few per factor of two. */
export function gridOf(distributions: readonly CountedBins[]): BinGrid {
  const bounds = [...new Set(distributions.flatMap(bins => bins.map(([bound]) => bound)))]
    .filter(bound => bound > 0)
    .toSorted((a, b) => a - b)
  const coarse = distributions.map(bins => bins.map(([bound]) => bound).filter(bound => bound > 0)).find(isOctaves)
  const [unit] = coarse ?? []
  if (unit !== undefined) {
    return {
      what: 'bins: factors of two',
      isGiven: true,
      indexOf: latency => Math.ceil(Math.log2(Math.max(latency, 1) / unit) - SLACK),
      from: index => unit * 2 ** (index - 1),
      to: index => unit * 2 ** index,
    }
  }
  const step = Math.min(...bounds.slice(1).map((bound, i) => bound - (bounds[i] ?? 0)))
  const isLinear = bounds.every(bound => bound % step === 0) && (bounds.at(-1) ?? 0) / step <= MAX_LINEAR
  if (bounds.length > 1 && isLinear) {
    return {
      what: 'bins of equal width',
      isGiven: true,
      indexOf: latency => Math.ceil(latency / step - SLACK),
      from: index => (index - 1) * step,
      to: index => index * step,
    }
  }
  return {
    what: `${PER_OCTAVE} bins per factor of two`,
    isGiven: false,
    indexOf: latency => Math.ceil(Math.log2(Math.max(latency, 1)) * PER_OCTAVE - SLACK),
    from: index => 2 ** ((index - 1) / PER_OCTAVE),
    to: index => 2 ** (index / PER_OCTAVE),
  }
}

function countsOf(bins: CountedBins, grid: BinGrid): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const [latency, n] of bins) counts.set(grid.indexOf(latency), (counts.get(grid.indexOf(latency)) ?? 0) + n)
  return new Map([...counts].toSorted(([a], [b]) => a - b))
}

/** One picture per operation, with a curve for each run: distributions are neither added nor averaged. */
export function histogramsOf(table: ResultMatrix, sides?: readonly string[]): readonly HistogramPicture[] {
  const operations = [...new Set(table.runs.flatMap(run => run.distributions?.map(d => d.operation) ?? []))]
  const [figure] = table.figures
  if (!figure || operations.length === 0) return []
  const metric = metricCells(table, figure, sides)
  const { cells } = metric
  const split = splitOf(metric.view)
  const drawnSides = sidesOf(metric, split)
  return operations.flatMap((operation): HistogramPicture[] => {
    const binsOf = (run: string) => table.runs[Number(run)]?.distributions?.find(d => d.operation === operation)?.bins
    const runs = cells.flatMap(placed => {
      const side = drawnSides.sides.get(keyIn(placed, split.sides))
      const measured = placed.cell.runs.flatMap(({ id }) => binsOf(id) ?? []).length > 0 ? placed.cell.runs : []
      return measured.flatMap(({ id }, i) => {
        const bins = binsOf(id)?.filter(([, n]) => n > 0) ?? []
        const repeat = measured.length > 1 ? { repeat: i + 1 } : {}
        return side && bins.length > 0 ? [{ side, ...repeat, bins, place: nameIn(placed, split.places) }] : []
      })
    })
    // A single bin shows no distribution.
    if (new Set(runs.flatMap(({ bins }) => bins.map(([bound]) => bound))).size < 2) return []
    const grid = gridOf(runs.map(({ bins }) => bins))
    const names = [...new Set(runs.map(run => run.place))]
    const panels = names.slice(0, MAX_PANELS).map(name => ({
      name,
      all: runs.filter(run => run.place === name),
    }))
    const missing = panels.reduce((sum, { all: ordered }) => sum + Math.max(0, ordered.length - MAX_CURVES), 0)
    const left = [
      { count: drawnSides.omittedCount, kind: 'side' as const },
      { count: names.length - panels.length, kind: 'panel' as const },
      { count: missing, kind: 'curve' as const },
    ]
    return [
      {
        kind: 'histogram',
        operation,
        sides: [...drawnSides.sides.values()],
        grid,
        panels: panels.map(({ name, all }) => ({
          name,
          curves: all.slice(0, MAX_CURVES).map(({ place: _, ...run }) => ({
            ...run,
            n: run.bins.reduce((sum, [, n]) => sum + n, 0),
            counts: countsOf(run.bins, grid),
          })),
        })),
        left: left.filter(({ count }) => count > 0),
      },
    ]
  })
}
