/** Sentences about runs that are not compared: what they did, from their figures. */

import { listed } from '../../../charts/shared/answers/shown'
import type { ReadProgress, RowMeaning } from '../../../engine/protocol'
import type { SizeCount, SummaryDevice } from '../../../engine/summary'
import { count, figure, inWords, runLength, sectorSize, size } from '../../../lib/format'
import { capitalized } from '../../../lib/text/capitalized'
import { ns } from '../../../lib/units'
import { deviceOf, runTime } from '../../../state/filter'
import type { Run } from '../../../state/types'

/** Figures of the shown device; absent until the trace is read completely. */
export function figuresOf(run: Run): SummaryDevice | undefined {
  const device = deviceOf(run)
  return run.summary?.devices.find(d => d.dev === device?.dev)
}

const KINDS = [
  ['reads', 'read'],
  ['writes', 'write'],
  ['discards', 'discard'],
] as const

/** Requests as issued; of a device that issues nothing, as queued; else as completed. */
const sizesOf = ({ sizes: { issued, queued, completed } }: SummaryDevice): readonly SizeCount[] =>
  [issued, queued, completed].find(rows => rows !== undefined && rows.length > 0) ?? []

/**
 * The work of a device in words: `1,280 sync writes of 4 KiB`, `22 reads and 275 writes, most of 4 KiB`. A size is
 * named if more than half of the requests have it.
 */
export function workWords(device: SummaryDevice): string {
  const rows = sizesOf(device).filter(r => r.sectors > 0)
  const kinds = KINDS.flatMap(([field, noun]) => {
    const n = rows.reduce((sum, r) => sum + r[field], 0)
    return n > 0 ? [{ n, noun }] : []
  })
  if (kinds.length === 0) return 'no reads or writes'
  const sync = device.sync_share === 1 ? 'sync ' : ''
  const amounts = kinds.map(k => `${count(k.n)} ${sync}${k.noun}${k.n === 1 ? '' : 's'}`)
  const total = kinds.reduce((sum, k) => sum + k.n, 0)
  const usual = rows.toSorted((a, b) => b.reads + b.writes + b.discards - (a.reads + a.writes + a.discards))[0]
  const list = amounts.length > 1 ? `${amounts.slice(0, -1).join(', ')} and ${amounts.at(-1)}` : (amounts[0] ?? '')
  if (!usual) return list
  const n = usual.reads + usual.writes + usual.discards
  if (n === total) return `${list} of ${sectorSize(usual.sectors)}`
  return n > total / 2 ? `${list}, most of ${sectorSize(usual.sectors)}` : list
}

/** One run: `1,280 sync writes of 4 KiB in 4.03 s, up to four in flight.` */
export function oneRun(run: Run): string {
  const device = figuresOf(run)
  if (!device) return progressWords([run])
  const deep = device.depth ? `, up to ${inWords(device.depth.max)} in flight` : ''
  const bound = run.cut ? 'at least ' : ''
  const text = `${bound}${workWords(device)} in ${runLength(ns(device.span_ns ?? runTime(run)))}${deep}.`
  return capitalized(text)
}

/** `Part of B only. `: before a sentence about runs of which a part was read. */
export function partWords(runs: readonly Run[]): string {
  const parts = runs.filter(run => run.cut).map(run => run.letter)
  return parts.length > 0 && runs.length > 1 ? `Part of ${listed(parts)} only. ` : ''
}

/** Why a part is all of a run that was read. */
export const cutWords = ({ letter, cut }: Run): string | undefined =>
  cut && `Part of the run: ${cut.at?.file ?? 'the archive'}, from which ${letter} was read, is truncated or damaged.`

/** With more runs, only the shortest and the longest are named. */
const MAX_NAMED = 6

/** Several runs: `A took 4.03 s, B 7.77 s.`, the baseline first; many: `18 runs took 0.63 s (P) to 0.75 s (D).` */
export function severalRuns(runs: readonly Run[]): string {
  const [first, ...rest] = baselineFirst(runs)
  if (!first) return ''
  if (runs.length > MAX_NAMED) {
    const [short, long] = [
      (a: Run, b: Run) => (runTime(b) < runTime(a) ? b : a),
      (a: Run, b: Run) => (runTime(b) > runTime(a) ? b : a),
    ].map(pick => runs.reduce(pick))
    const runTimeWords = (run: Run | undefined) => (run ? `${runLength(runTime(run))} (${run.letter})` : '')
    return `${count(runs.length)} runs took ${runTimeWords(short)} to ${runTimeWords(long)}.`
  }
  const otherTimes = rest.map(r => `${r.letter} ${runLength(runTime(r))}`)
  const last = otherTimes.pop()
  const otherWords = otherTimes.length > 0 ? `${otherTimes.join(', ')} and ${last}` : (last ?? '')
  return `${first.letter} took ${runLength(runTime(first))}, ${otherWords}.`
}

export const baselineFirst = (runs: readonly Run[]): readonly Run[] => [
  ...runs.filter(r => r.baseline),
  ...runs.filter(r => !r.baseline),
]

/** Progress of a run that is being read: what its charts already show, or before the first chart what was parsed. */
export function progressOf(run: Run): Pick<ReadProgress, 'events' | 'requests' | 'span'> | undefined {
  const { info, status } = run
  if (info) return { events: info.events, requests: deviceOf(run)?.requests ?? 0, span: info.span }
  return status.kind === 'reading' && status.progress.events > 0 ? status.progress : undefined
}

/** The sentence while runs are still being read. */
export function progressWords(runs: readonly Run[]): string {
  const parts = runs.map(r => {
    if (r.status.kind === 'failed') return `${r.letter} could not be read.`
    if (r.status.kind === 'ready') return `${r.letter} took ${runLength(runTime(r))}.`
    const span = progressOf(r)?.span
    return span === undefined
      ? `${r.letter} is being opened.`
      : `${r.letter} has run for ${runLength(span)} and is not finished.`
  })
  return `So far: ${parts.join(' ')}`
}

/** The work of one run with its bytes and mean depth; `undefined` until it is read. */
export function accountOf(run: Run): string | undefined {
  const device = figuresOf(run)
  if (!device) return undefined
  const bytes = device.bytes ? `, ${size(device.bytes.read + device.bytes.write)}` : ''
  const deep = device.depth ? `, mean queue depth ${figure(device.depth.mean)}` : ''
  return `${workWords(device)}${bytes}${deep}`
}

/** A device without D has no depth: say so once. Of a masked one, `masked` says what its marks are. */
export function noDepthWords(runs: readonly Run[]): string | undefined {
  const complete = runs.flatMap(run => deviceOf(run) ?? []).filter(({ role, masked }) => role !== 'disk' && !masked)
  const names = [...new Set(complete.map(device => device.name))]
  if (names.length === 0) return undefined
  const subject = `${names.join(', ')} ${names.length === 1 ? 'reports' : 'report'}`
  return `${subject} no D: its marks run from Q to C, and it has no queue depth.`
}

/** What the marks of a run are, by the meaning of its rows. */
const MARKS: Readonly<Record<RowMeaning, string>> = {
  request: 'marks run from D to C',
  bio: 'marks are bios, from Q to C',
  completion: 'marks are completions, at their C',
  issue: 'marks are issued requests, at their D',
  queue: 'marks are queued bios, at their Q',
}

/**
 * Runs that were recorded with some actions only: what their marks are. The charts that they lack say so themselves.
 */
export function maskedWords(runs: readonly Run[]): readonly string[] {
  const letters = new Map<string, string[]>()
  const marks = new Map<string, string>()
  for (const run of runs) {
    const { recorded, row, masked } = deviceOf(run) ?? {}
    if (!masked || recorded === undefined || recorded === '' || row === undefined) continue
    letters.set(recorded, [...(letters.get(recorded) ?? []), run.letter])
    marks.set(recorded, MARKS[row])
  }
  return [...letters].map(([recorded, group]) => {
    const [verb, possessive] = group.length === 1 ? ['was', 'its'] : ['were', 'their']
    const actions = [...recorded].join(', ')
    return `${listed(group)} ${verb} recorded with ${actions} only: ${possessive} ${marks.get(recorded)}.`
  })
}
