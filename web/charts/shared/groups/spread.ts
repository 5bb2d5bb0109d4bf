/** The median of several runs per bin, and the band from the least to the most of them. Pure. */
import type { DepthSeries, Range, RateSeries } from '../../../engine/protocol'
import type { Shown } from '../answers/shown'
import type { Reply } from '../spec'

/** The middle value; of an even number, the mean of the two middle ones. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = low] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]]
  return (low + high) / 2
}

/** Whether a run was recorded in a bin: outside it has no value, which is not the value 0. */
export type Covers = (run: number, bin: number) => boolean

export function coversOf(
  runs: readonly Pick<Shown, 'begin' | 'end'>[],
  { range, n }: { readonly range: Range; readonly n: number },
): Covers {
  const width = (range.t1 - range.t0) / n
  return (r, i) => {
    const run = runs[r]
    return run !== undefined && range.t0 + i * width < run.end && range.t0 + (i + 1) * width > run.begin
  }
}

export interface RunSpread {
  readonly median: Float64Array
  readonly least: Float64Array
  readonly most: Float64Array
}

/** Bins in which no run was recorded have 0. */
export function spreadOf(lists: readonly Float64Array[], covers: Covers): RunSpread {
  const n = Math.min(...lists.map(list => list.length))
  const [median, least, most] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  for (let i = 0; i < n; i += 1) {
    const values = lists.flatMap((list, r) => (covers(r, i) ? (list[i] ?? 0) : []))
    if (values.length === 0) continue
    median[i] = medianOf(values)
    least[i] = Math.min(...values)
    most[i] = Math.max(...values)
  }
  return { median, least, most }
}

/** Rates per bin with their band. */
export interface RateSpread extends RateSeries {
  readonly least: RateSeries
  readonly most: RateSeries
}

const RATES = [
  'readBytes',
  'writeBytes',
  'discardBytes',
  'readIos',
  'writeIos',
  'discardIos',
] as const satisfies readonly (keyof RateSeries)[]

export function rateSpread(series: readonly RateSeries[], covers: Covers): RateSpread {
  const spreads = RATES.map(
    key =>
      [
        key,
        spreadOf(
          series.map(s => s[key]),
          covers,
        ),
      ] as const,
  )
  const pick = (part: keyof RunSpread) =>
    Object.fromEntries(spreads.map(([key, s]) => [key, s[part]])) as unknown as RateSeries
  return { ...pick('median'), least: pick('least'), most: pick('most') }
}

/** Queue depth of a group: the median of the means in `mean`, their least and most in `min` and `max`. */
export function depthSpread(series: readonly DepthSeries[], covers: Covers): DepthSeries | undefined {
  const [first] = series
  if (first === undefined) return undefined
  const spread = (key: 'mean' | 'waitMean' | 'waitMax' | 'starved') =>
    spreadOf(
      series.map(s => s[key]),
      covers,
    )
  const { median: mean, least: min, most: max } = spread('mean')
  return {
    ...first,
    ...{ mean, min, max },
    waitMean: spread('waitMean').median,
    waitMax: spread('waitMax').most,
    starved: spread('starved').median,
  }
}

/**
 * One reply per group from those of its runs; a single run keeps its own. A group has none until all its runs have
 * answered for the same bins, so that its line never shows only some of them.
 */
export function repliesOfGroups<K extends 'depth' | 'rate', A extends NonNullable<Reply<K>['answer']>>(
  groups: readonly (readonly Shown[])[],
  replies: ReadonlyMap<string, Reply<K>>,
  combine: (answers: readonly A[], covers: Covers) => A | undefined,
): readonly Reply<K>[] {
  return groups.map((runs): Reply<K> => {
    const all = runs.map(run => replies.get(run.id) ?? {})
    const [first = {}] = all
    if (all.length < 2) return first
    const failed = all.find(reply => reply.error)
    if (failed) return failed
    const { ask } = first
    if (ask === undefined) return {}
    const isSame = all.every(
      other => other.ask?.n === ask.n && other.ask.range.t0 === ask.range.t0 && other.ask.range.t1 === ask.range.t1,
    )
    const answers = all.flatMap(reply => (reply.answer as A | undefined) ?? [])
    if (!isSame || answers.length < runs.length) return {}
    const answer = combine(answers, coversOf(runs, ask))
    return answer === undefined ? {} : { ask, answer }
  })
}
