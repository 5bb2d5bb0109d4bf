/**
 * `seekscope replay --check`: how true a replay was to the recording that it was made of. Requests of both are matched
 * by operation, sector and length, the first of the one with the first of the other.
 *
 * Arrivals are compared after a shift that makes the median difference 0. If they counted from the first request, one
 * that fio sends late, before its code is in memory, would count for all the others.
 */
import type { PrintedReplay, ReplayFidelity } from '../../../web/engine/protocol'
import { ascii } from '../../../web/lib/format'
import { UsageError } from '../../program/usage'
import type { TraceInputs } from '../../program/values'
import { print } from '../output'
import type { ReplayRequest } from './dump'
import { replayTime } from './iolog'
import { type ReplayedTrace, readReplays } from './replay'

/** Minimum share of the requests that a faithful replay repeats. */
const MIN_MATCHED = 0.99
/** Minimum share of them whose times say something about the replay. */
const MIN_TIMED = 0.5
/** Maximum difference between the bytes of both sides, as a share, where only their division into requests differs. */
const MAX_BYTES_ERROR = 0.01
/** Maximum difference of its length and of its mean depth, as a share. */
const MAX_LENGTH_ERROR = 0.05
const MAX_DEPTH_ERROR = 0.2
/** Maximum 95th percentile of the arrival distance: as a share of the length, and ns, whichever is more. */
const MAX_DISTANCE = { share: 0.01, ns: 1_000_000 } as const
/** Maximum share of neighbours that are issued in the other order. */
const MAX_SWAPPED = 0.1

interface MatchedRequests {
  readonly original: ReplayRequest
  readonly replayed: ReplayRequest
}

const keyOf = ({ op, sector, bytes }: ReplayRequest): string => `${op} ${sector} ${bytes}`

/** The pairs, in the order of the original. */
function matched(original: readonly ReplayRequest[], replayed: readonly ReplayRequest[]): readonly MatchedRequests[] {
  const waiting = new Map<string, ReplayRequest[]>()
  for (const request of replayed.toReversed()) {
    const list = waiting.get(keyOf(request))
    if (list) list.push(request)
    else waiting.set(keyOf(request), [request])
  }
  return original.flatMap(request => {
    const partner = waiting.get(keyOf(request))?.pop()
    return partner ? [{ original: request, replayed: partner }] : []
  })
}

/** By nearest rank. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

/** Mean depth over the time from the first issue to the last completion; absent where a request lacks either. */
function depthOf(requests: readonly ReplayRequest[]): number | undefined {
  const spans = requests.map(({ issued, completed }) => completed - issued)
  if (spans.some(Number.isNaN)) return undefined
  const begin = requests.reduce((least, { issued }) => Math.min(least, issued), Number.POSITIVE_INFINITY)
  const end = requests.reduce((most, { completed }) => Math.max(most, completed), 0)
  return end > begin ? spans.reduce((sum, span) => sum + span, 0) / (end - begin) : undefined
}

const relative = (value: number, reference: number): number =>
  reference === 0 ? (value === 0 ? 0 : Number.POSITIVE_INFINITY) : value / reference - 1

/** Compares the requests of a recording with those of its replay; both in the order of their times. */
export function fidelityOf(
  original: readonly ReplayRequest[],
  replayed: readonly ReplayRequest[],
): ReplayFidelity | undefined {
  const pairs = matched(original, replayed)
  const [first] = pairs
  if (!first) return undefined
  const start = { original: replayTime(first.original), replayed: replayTime(first.replayed) }
  const times = pairs.map(pair => ({
    original: replayTime(pair.original) - start.original,
    replayed: replayTime(pair.replayed) - start.replayed,
  }))
  const most = (side: 'original' | 'replayed') => times.reduce((last, time) => Math.max(last, time[side]), 0)
  const length = { original: most('original'), replayed: most('replayed') }
  const differences = times.map(time => time.replayed - time.original).sort((a, b) => a - b)
  const shift = quantile(differences, 0.5)
  const distances = differences.map(difference => Math.abs(difference - shift)).sort((a, b) => a - b)
  const swapped = times.filter((time, i) => i > 0 && time.replayed < (times[i - 1]?.replayed ?? 0)).length
  const [depthBefore, depthAfter] = [depthOf(pairs.map(p => p.original)), depthOf(pairs.map(p => p.replayed))]
  const counted = (side: 'original' | 'replayed') => new Set(pairs.map(pair => pair[side].pid)).size
  const measured = {
    requests: { original: original.length, replayed: replayed.length, matched: pairs.length },
    length_ns: length,
    arrival_ns: { p50: quantile(distances, 0.5), p95: quantile(distances, 0.95), max: distances.at(-1) ?? 0 },
    ...(depthBefore !== undefined &&
      depthAfter !== undefined && { depth: { original: depthBefore, replayed: depthAfter } }),
    swapped_share: swapped / pairs.length,
    processes: { original: counted('original'), replayed: counted('replayed') },
  }
  const reasons = reasonsOf(measured, differenceOf(original, replayed))
  return { verdict: reasons.length === 0 ? 'faithful' : 'distorted', reasons, ...measured }
}

/** Why requests with data differ that transfer the same bytes: what the device did, and what to set; else ''. */
function differenceOf(original: readonly ReplayRequest[], replayed: readonly ReplayRequest[]): string {
  const [before, after] = [original, replayed].map(requests => {
    const sizes = requests.map(({ bytes }) => bytes).filter(bytes => bytes > 0)
    return {
      count: sizes.length,
      sum: sizes.reduce((sum, bytes) => sum + bytes, 0),
      largest: sizes.reduce((most, bytes) => Math.max(most, bytes), 0),
    }
  })
  if (!before || !after || Math.abs(relative(after.sum, before.sum)) > MAX_BYTES_ERROR) return ''
  if (after.largest < before.largest) {
    const [most, asked] = [after.largest, before.largest].map(ascii.size)
    return `: the replay has requests of at most ${most}, the original ${asked}; raise max_sectors_kb of the device`
  }
  const isMerged = after.count < before.count * MIN_MATCHED && after.largest > before.largest
  return isMerged ? ': the replay merged some; write 2 to nomerges of the device' : ''
}

function reasonsOf(measured: Omit<ReplayFidelity, 'verdict' | 'reasons'>, difference: string): readonly string[] {
  const { requests, length_ns: length, arrival_ns: arrival, depth, swapped_share: swapped } = measured
  const all = Math.max(requests.original, requests.replayed)
  const lengthError = relative(length.replayed, length.original)
  const depthError = depth && relative(depth.replayed, depth.original)
  const allowed = Math.max(MAX_DISTANCE.ns, MAX_DISTANCE.share * length.original)
  const { share, duration, figure } = ascii
  const differing =
    requests.matched < MIN_MATCHED * all
      ? [`only ${share(requests.matched / all)} of the requests are the same${difference}`]
      : []
  if (requests.matched < MIN_TIMED * all) return differing
  return [
    ...differing,
    ...(Math.abs(lengthError) > MAX_LENGTH_ERROR
      ? [`it took ${duration(length.replayed)} instead of ${duration(length.original)}`]
      : []),
    ...(arrival.p95 > allowed
      ? [`5% of the requests came more than ${duration(arrival.p95)} too early or too late`]
      : []),
    ...(depth && depthError !== undefined && Math.abs(depthError) > MAX_DEPTH_ERROR
      ? [`${figure(depth.replayed)} requests were in flight on average instead of ${figure(depth.original)}`]
      : []),
    ...(swapped > MAX_SWAPPED ? [`${share(swapped)} of the requests were issued in another order`] : []),
  ]
}

function fidelityText(names: readonly [string, string], fidelity: ReplayFidelity): string {
  const { count, duration, figure, share, factor } = ascii
  const { requests, length_ns: length, arrival_ns: arrival, depth, swapped_share: swapped, processes } = fidelity
  const row = (label: string, before: string, after: string, rest = '') =>
    `  ${label.padEnd(20)}${before.padStart(12)}${after.padStart(12)}  ${rest}`.trimEnd()
  return [
    `Replay of ${names[0]}: ${fidelity.verdict}`,
    ...fidelity.reasons.map(reason => `  - ${reason}`),
    '',
    row('', 'original', 'replay'),
    row(
      'requests',
      count(requests.original),
      count(requests.replayed),
      `${share(requests.matched / Math.max(requests.original, requests.replayed))} the same`,
    ),
    ...(requests.matched < Math.max(requests.original, requests.replayed) ? ['  of those that are the same:'] : []),
    row(
      'length',
      duration(length.original),
      duration(length.replayed),
      factor(length.original > 0 ? length.replayed / length.original : 1),
    ),
    ...(depth ? [row('depth, mean', figure(depth.original), figure(depth.replayed))] : []),
    row('processes', count(processes.original), count(processes.replayed)),
    `  arrival distance    p50 ${duration(arrival.p50)}, p95 ${duration(arrival.p95)}, max ${duration(arrival.max)}`,
    `  issued in another order    ${share(swapped)}`,
    '',
  ].join('\n')
}

/** The first trace is the original, the second one the recording of its replay. */
export async function checkReplay(inputs: TraceInputs, device: string | undefined, json: boolean): Promise<void> {
  const found: readonly ReplayedTrace[] = await readReplays(inputs, device)
  const [original, replayed] = found
  if (!original || !replayed || found.length > 2)
    throw new UsageError(
      `replay --check takes two traces, the original and the recording of its replay; the paths have ${found.length}`,
    )
  const fidelity = fidelityOf(original.requests, replayed.requests)
  if (!fidelity)
    throw new UsageError(
      `replay --check: no request of ${original.label} is in ${replayed.label}: operation, sector and length differ`,
    )
  const document: PrintedReplay = { schema: 1, ...fidelity }
  await print(json ? `${JSON.stringify(document)}\n` : fidelityText([original.label, replayed.label], fidelity))
}
