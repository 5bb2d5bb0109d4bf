/**
 * Change points: the builds at which a figure changed its level. docs/statistics.md describes the method and its
 * measured rates.
 *
 * A build is one value, the median of the logarithms of its runs: repeats of one build share what the build, the
 * boot and the day did to them. Lone outliers are limited (`prepare.ts`), PELT proposes levels (`segments.ts`), and
 * a change stays if noise alone gives one as large anywhere in the series in at most 5 % of all series.
 */
import { normalAt, scanTail, student95, studentTail } from './distributions'
import { driftsAmong } from './drift'
import { MIN_NOISE, prepareSeries, SHORTEST } from './prepare'
import { cutPoints, median, type StretchSums, stretchSums } from './segments'

/** The values of a figure in the runs of one build; empty if no run has it. */
export type BuildRuns = readonly number[]

export interface ChangeOptions {
  /** Smaller values count as this one: below it the figure is practically 0. */
  readonly floor?: number
  /** Share of series without a change in which one may be reported. */
  readonly falseAlarms?: number
  /** Changes by a smaller share are not reported. */
  readonly minChange?: number
  /** Levels that differ by less are not reported. */
  readonly leastDifference?: number
}

export interface ChangePoint {
  /** A step at one build, or a gradual drift from `index` to the end of `range`. */
  readonly kind: 'step' | 'drift'
  /** The first build after the change: an index into the builds. */
  readonly index: number
  /** 95 % interval of `index`; of a drift, its first and last build. */
  readonly range: readonly [first: number, last: number]
  /** The last build before `index` that has the figure. */
  readonly previous: number
  /** Medians of the builds on both sides, up to the next change. */
  readonly before: number
  readonly after: number
  /** Level after the change divided by the one before; absent if one of them is below the floor. */
  readonly ratio?: number
  /** 95% confidence interval of the ratio. */
  readonly ci95?: readonly [low: number, high: number]
  /** Probability that noise alone causes a change of this size anywhere in the series. */
  readonly p: number
}

/** A level: the builds between two changes. */
interface BuildLevel {
  readonly from: number
  readonly to: number
  /** Median of the builds' values. */
  readonly value: number
}

export interface SeriesChanges {
  readonly changes: readonly ChangePoint[]
  /** Levels between the changes; builds within a drift belong to none. */
  readonly levels: readonly BuildLevel[]
  /** Standard deviation between builds at one level, as a share of the figure: 0.01 is 1 %. */
  readonly noise: number
}

const DEFAULTS = { floor: Number.MIN_VALUE, falseAlarms: 0.05, minChange: 0.01, leastDifference: 0 } as const
/** Minimum number of builds in a series: two levels. */
export const MIN_BUILDS = 2 * SHORTEST
/** Weight of the noise of the complete series in that of one level, in builds. */
const PRIOR = 8
/** Rarer than this by the noise within all levels. */
const CERTAIN = 1e-3

/** A change between two levels, in values of the prepared series. */
interface TestedCut {
  readonly index: number
  readonly difference: number
  readonly error: number
  readonly freedom: number
  readonly p: number
}

/** Noise of a series around its levels. */
interface SeriesNoise {
  readonly variance: number
  readonly freedom: number
  /** Factor of the variance of a mean, because neighbouring builds resemble each other. */
  readonly inflation: number
}

const bounds = (cuts: readonly number[], n: number): readonly number[] => [0, ...cuts, n]

function noiseOf(values: readonly number[], sums: StretchSums, cuts: readonly number[]): SeriesNoise {
  const edges = bounds(cuts, values.length)
  let [squares, products] = [0, 0]
  for (const [i, to] of edges.slice(1).entries()) {
    const from = edges[i] ?? 0
    const mean = sums.mean(from, to)
    squares += sums.deviations(from, to)
    for (let k = from + 1; k < to; k++) products += ((values[k] ?? 0) - mean) * ((values[k - 1] ?? 0) - mean)
  }
  const freedom = Math.max(1, values.length - edges.length + 1)
  // For independent values the estimate is too low by one value per level, which is corrected here.
  const correlation =
    squares > 0 ? Math.min(0.8, Math.max(0, products / squares + (edges.length - 1) / values.length)) : 0
  return {
    variance: Math.max(squares / freedom, MIN_NOISE ** 2),
    freedom,
    inflation: (1 + correlation) / (1 - correlation),
  }
}

/**
 * The test of each cut against its neighbours. Cuts that are not certain count as noise: where builds resemble their
 * neighbours, levels that were cut to fit hide it.
 */
function testedCuts(values: readonly number[], cuts: readonly number[], shortest: number): readonly TestedCut[] {
  const sums = stretchSums(values)
  let certain = cuts
  for (;;) {
    const tested = tests(values, sums, cuts, shortest, noiseOf(values, sums, certain))
    const certainCuts = tested
      .filter(({ index, p }) => p < CERTAIN && certain.includes(index))
      .map(({ index }) => index)
    if (certainCuts.length === certain.length) return tested
    certain = certainCuts
  }
}

function tests(
  values: readonly number[],
  sums: StretchSums,
  cuts: readonly number[],
  shortest: number,
  noise: SeriesNoise,
): readonly TestedCut[] {
  const edges = bounds(cuts, values.length)
  const chosen = cuts.length > 1 ? values.length / 2 : 1
  return cuts.map((index, i) => {
    const [from, to] = [edges[i] ?? 0, edges[i + 2] ?? values.length]
    const [prior, n] = [Math.min(PRIOR, noise.freedom), to - from]
    const variance = (a: number, b: number) =>
      (prior * noise.variance + sums.deviations(a, b)) / (prior + b - a - 1) / (b - a)
    const difference = sums.mean(index, to) - sums.mean(from, index)
    const [before, after] = [variance(from, index), variance(index, to)]
    const error = Math.sqrt((before + after) * noise.inflation)
    // Welch and Satterthwaite: the shorter side decides.
    const freedom =
      (before + after) ** 2 / (before ** 2 / (prior + index - from - 1) + after ** 2 / (prior + to - index - 1))
    // As rare as the normal value of which the largest over all positions is known, times the stretches of this length
    // in the series. Next to other cuts, the stretch was chosen too: of a short dip both ends are where they make the
    // most of it.
    const rare = normalAt(studentTail(Math.abs(difference) / error, freedom))
    return {
      index,
      difference,
      error,
      freedom,
      p: Math.min(1, ((scanTail(rare, n, shortest) * values.length) / n) * chosen),
    }
  })
}

/** Moves each cut to the position that fits best between its neighbours. */
function fitCuts(sums: StretchSums, cuts: readonly number[], shortest: number): readonly number[] {
  const edges = [...bounds(cuts, sums.length)]
  for (let i = 1; i < edges.length - 1; i++) {
    const [from, to] = [edges[i - 1] ?? 0, edges[i + 1] ?? sums.length]
    let minCost = Number.POSITIVE_INFINITY
    for (let index = from + shortest; index <= to - shortest; index++) {
      const cost = sums.deviations(from, index) + sums.deviations(index, to)
      if (cost < minCost) {
        minCost = cost
        edges[i] = index
      }
    }
  }
  return edges.slice(1, -1)
}

/** The places at which the cut fits almost as well: 95 % of the likelihood. */
function rangeOf(
  sums: StretchSums,
  from: number,
  cut: number,
  to: number,
  variance: number,
): readonly [number, number] {
  const cost = (k: number) => sums.deviations(from, k) + sums.deviations(k, to)
  const places = Array.from({ length: to - from - 1 }, (_, i) => from + i + 1)
  const weights = places.map(k => Math.exp((cost(cut) - cost(k)) / (2 * variance)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let [first, last, covered] = [cut, cut, weights[cut - from - 1] ?? 0]
  while (covered < 0.95 * total) {
    const [below, above] = [weights[first - from - 2] ?? 0, weights[last - from] ?? 0]
    if (below >= above && first > from + 1) covered += weights[--first - from - 1] ?? 0
    else if (last < to - 1) covered += weights[++last - from - 1] ?? 0
    else if (first > from + 1) covered += weights[--first - from - 1] ?? 0
    else break
  }
  return [first, last]
}

/** Cuts of which each is rarer than allowed, less and less of them until all are. */
function keptCuts(
  values: readonly number[],
  first: readonly number[],
  shortest: number,
  { falseAlarms, minChange, leastDifference }: Required<ChangeOptions>,
): readonly TestedCut[] {
  const sums = stretchSums(values)
  let cuts = fitCuts(sums, first, shortest)
  for (;;) {
    const tested = testedCuts(values, cuts, shortest)
    const weakest = tested.reduce<TestedCut | undefined>(
      (worst, cut) => (worst && worst.p >= cut.p ? worst : cut),
      undefined,
    )
    if (!weakest) return []
    const level = (from: number, to: number) => Math.exp(sums.mean(from, to))
    const edges = bounds(cuts, values.length)
    const tooSmall = tested.find(
      ({ index, difference }, i) =>
        Math.abs(difference) < Math.log1p(minChange) ||
        Math.abs(level(index, edges[i + 2] ?? values.length) - level(edges[i] ?? 0, index)) < leastDifference,
    )
    const drop = weakest.p > falseAlarms ? weakest : tooSmall
    if (!drop) return tested
    cuts = fitCuts(
      sums,
      tested.filter(cut => cut !== drop).map(({ index }) => index),
      shortest,
    )
  }
}

/** The changes of a figure over builds in their order. Builds without the figure are skipped. */
export function changePoints(builds: readonly BuildRuns[], options: ChangeOptions = {}): SeriesChanges {
  const settings = { ...DEFAULTS, ...options }
  const { floor } = settings
  const places: number[] = []
  const plain: number[] = []
  const logs: number[] = []
  for (const [place, runs] of builds.entries()) {
    const finite = runs.filter(Number.isFinite)
    if (finite.length === 0) continue
    places.push(place)
    plain.push(median(finite))
    logs.push(median(finite.map(value => Math.log(Math.max(value, floor)))))
  }
  if (logs.length < MIN_BUILDS) return { changes: [], levels: [], noise: 0 }
  const { values, noise, shortest } = prepareSeries(logs)
  const sums = stretchSums(values)
  const scaled = 2 * Math.log(values.length) * noise ** 2
  const tested = keptCuts(values, cutPoints(sums, scaled, shortest), shortest, settings)
  const cuts = tested.map(({ index }) => index)
  const about = noiseOf(values, sums, cuts)
  const found = driftsAmong(values, cuts, about.variance)

  const ends = found.map(({ from }) => from)
  const starts = found.map(({ to }) => to)
  const placeOf = (i: number) => places[i] ?? 0
  const level = (i: number): readonly [number, number] => [starts[i - 1] ?? 0, ends[i] ?? values.length]
  const levelOf = (i: number) => median(plain.slice(...level(i)))
  const changes = found.map(({ kind, from, to, cuts: within, difference }, i): ChangePoint => {
    const [cut] = tested.filter(({ index }) => within.includes(index)).sort((a, b) => a.p - b.p)
    const [before, after] = [levelOf(i), levelOf(i + 1)]
    const change = difference ?? cut?.difference ?? 0
    const margin = student95(cut?.freedom ?? 1) * (cut?.error ?? 0)
    const range =
      kind === 'drift'
        ? ([from, to] as const)
        : rangeOf(sums, level(i)[0], from, level(i + 1)[1], about.variance * about.inflation)
    return {
      kind,
      index: placeOf(from),
      range: [placeOf(range[0]), placeOf(range[1])],
      previous: placeOf(from - 1),
      before,
      after,
      ...(before >= floor &&
        after >= floor && {
          ratio: Math.exp(change),
          ci95: [Math.exp(change - margin), Math.exp(change + margin)] as const,
        }),
      p: cut?.p ?? 1,
    }
  })
  const levels = [...found, undefined].map((_, i): BuildLevel => {
    const [from, to] = level(i)
    return { from: placeOf(from), to: placeOf(to - 1), value: levelOf(i) }
  })
  return { changes, levels, noise: Math.sqrt(about.variance) }
}
