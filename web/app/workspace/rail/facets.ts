/** Turns the engine's counts into rows of the rail. */

import { ALIGNMENT_NAMES, deviceName } from '../../../charts/shared/answers/names'
import { alignmentToken, OBJECT_TOKENS } from '../../../charts/shared/paint/palette'
import { ALIGNMENT_CLASSES, type Facets, FLAGS, type Flag, type Layer, OPS, type Op } from '../../../engine/protocol'
import type { PageActions } from '../../../state/actions'
import { deviceOf } from '../../../state/filter'
import { type ObjectColours, shortPath } from '../../../state/runs/objects'
import { PROCESS_SLOTS, processGroups, processKey } from '../../../state/runs/processes'
import type { Hidden, Run } from '../../../state/types'
import type { Counts, FacetRow } from './Facet'

const FLAG_NAMES: Readonly<Record<Flag, string>> = {
  sync: 'sync',
  fua: 'FUA',
  meta: 'metadata',
  ahead: 'readahead',
  preflush: 'preflush',
  passthrough: 'passthrough',
}

/** Flags listed even when no request has them: their absence is informative. */
const ALWAYS_LISTED: readonly Flag[] = ['sync', 'fua']

export interface FacetInput {
  readonly runs: readonly Run[]
  readonly facets: ReadonlyMap<string, Facets>
  /** The largest counts so far. They decide which rows there are and in which order, so that no range moves a row. */
  readonly largest: ReadonlyMap<string, Facets>
  readonly hidden: Hidden
  readonly hide: PageActions['hide']
  readonly layer: Layer
  /** Colours of all drawn runs, of which the columns may be a part. */
  readonly objects: ObjectColours
}

/** Names that the engine uses for what a format lacks. */
const HINTS = 'sync, metadata and readahead flags'
const FLUSHES = 'flushes and FUA'
const FLAG_NEEDS: Readonly<Partial<Record<Flag, string>>> = {
  sync: HINTS,
  meta: HINTS,
  ahead: HINTS,
  fua: FLUSHES,
  preflush: FLUSHES,
}

const countsOf = (
  input: FacetInput,
  countIn: (facets: Facets, run: Run) => number | undefined,
  needs?: string,
): Counts =>
  input.runs.map(run => {
    if (needs !== undefined && run.info?.absent?.includes(needs)) return null
    if (needs === 'processes' && deviceOf(run)?.absent?.processes !== undefined) return null
    const facets = input.facets.get(run.id)
    return facets && (countIn(facets, run) ?? 0)
  })

/** The counts by which rows are listed. */
const listing = (input: FacetInput): FacetInput => ({ ...input, facets: input.largest })

/** The larger count of each value, in the order of `old`. */
const mergeCounts = <T extends { readonly n: number }>(
  old: readonly T[],
  next: readonly T[],
  keyOf: (entry: T) => number,
): T[] => {
  const merged = new Map(old.map(entry => [keyOf(entry), entry]))
  for (const entry of next) {
    if (entry.n > (merged.get(keyOf(entry))?.n ?? -1)) merged.set(keyOf(entry), entry)
  }
  return [...merged.values()]
}

const mergeRecord = <K extends string>(
  old: Readonly<Record<K, number>>,
  next: Readonly<Record<K, number>>,
): Record<K, number> => {
  const merged: Record<K, number> = { ...old }
  for (const key in next) merged[key] = Math.max(merged[key] ?? 0, next[key])
  return merged
}

/** The largest count of each value in two answers. */
export const largerCounts = (old: Facets, next: Facets): Facets => ({
  ...next,
  ops: mergeRecord(old.ops, next.ops),
  flags: mergeRecord(old.flags, next.flags),
  cpus: mergeCounts(old.cpus, next.cpus, entry => entry.cpu),
  processes: mergeCounts(old.processes, next.processes, entry => entry.index),
  ...(next.writers && { writers: mergeCounts(old.writers ?? [], next.writers, entry => entry.index) }),
  ...(next.objects && { objects: mergeCounts(old.objects ?? [], next.objects, entry => entry.index) }),
})

const isUnavailable = (counts: Counts): boolean => counts.every(n => n === null)

export const opRows = (input: FacetInput): FacetRow[] => {
  const requests = (op: Op) => total(countsOf(listing(input), f => f.ops[op]))
  return OPS.toSorted((a, b) => requests(b) - requests(a) || OPS.indexOf(a) - OPS.indexOf(b)).map((op: Op) => ({
    key: op,
    label: op,
    ...(input.layer === 'op' && { swatch: `--op-${op}` }),
    counts: countsOf(input, f => f.ops[op], op === 'flush' ? FLUSHES : undefined),
    shown: !input.hidden.ops.includes(op),
    toggle: show => input.hide('ops', op, !show),
  }))
}

const total = (counts: Counts): number => counts.reduce<number>((sum, n) => sum + (n ?? 0), 0)

export const flagRows = (input: FacetInput): FacetRow[] =>
  FLAGS.flatMap(flag => {
    const counts = countsOf(input, f => f.flags[flag], FLAG_NEEDS[flag])
    if (isUnavailable(counts)) return []
    const listed = ALWAYS_LISTED.includes(flag) || input.hidden.flags.includes(flag)
    if (!listed && total(countsOf(listing(input), f => f.flags[flag])) === 0) return []
    return {
      key: flag,
      label: FLAG_NAMES[flag],
      counts,
      shown: !input.hidden.flags.includes(flag),
      toggle: (show: boolean) => input.hide('flags', flag, !show),
    }
  })

/** Requests of each process key of a run. */
function requestsByKey(run: Run, facets: Facets | undefined): ReadonlyMap<string, number> {
  const keys = new Map(run.info?.processes.map(p => [p.index, processKey(p)] as const))
  const sums = new Map<string, number>()
  for (const { index, n } of facets?.processes ?? []) {
    const key = keys.get(index)
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + n)
  }
  return sums
}

/** Processes by name and the device they used, busiest first; those that never had requests are left out. */
export function processRows(input: FacetInput): FacetRow[] {
  const sums = new Map(input.runs.map(run => [run.id, requestsByKey(run, input.facets.get(run.id))]))
  const largest = new Map(input.runs.map(run => [run.id, requestsByKey(run, input.largest.get(run.id))]))
  return processGroups(input.runs).flatMap(({ key, keys, name, via, slot }) => {
    const requests = (byKey: typeof sums, run: Run) =>
      keys.reduce((sum, k) => sum + (byKey.get(run.id)?.get(k) ?? 0), 0)
    const counts = countsOf(input, (_, run) => requests(sums, run), 'processes')
    if (isUnavailable(counts)) return []
    const hidden = keys.some(k => input.hidden.processes.includes(k))
    if (!hidden && input.runs.every(run => requests(largest, run) === 0)) return []
    const extra = via === undefined ? undefined : (input.runs.map(r => deviceName(via, r)).find(n => n !== via) ?? via)
    return {
      key,
      label: name,
      ...(extra !== undefined && { extra }),
      ...(input.layer === 'process' && { swatch: slot === PROCESS_SLOTS ? '--proc-other' : `--proc-${slot + 1}` }),
      counts,
      shown: !hidden,
      toggle: (show: boolean) => {
        for (const k of keys) input.hide('processes', k, !show)
      },
    }
  })
}

/** Files and structures, the most bytes first; the last row, what is unknown, is shown wherever there is a map. */
export function objectRows(input: FacetInput): FacetRow[] {
  const countIn = (facets: FacetInput['facets']) =>
    new Map(
      input.runs.map(run => {
        const names = new Map(run.info?.objects?.map(object => [object.index, object.name] as const))
        const counts = facets.get(run.id)?.objects?.map(({ index, n }) => [names.get(index) ?? '', n] as const)
        return [run.id, new Map(counts)] as const
      }),
    )
  const [now, largest] = [countIn(input.facets), countIn(input.largest)]
  const { list } = input.objects
  const paths = list.filter(({ kind }) => kind === 'file').map(({ name }) => name)
  return list.flatMap(({ name, kind, slot }): FacetRow[] => {
    const hidden = input.hidden.objects.includes(name)
    const isListed = hidden || kind === 'unknown' || input.runs.some(run => largest.get(run.id)?.get(name))
    if (!isListed) return []
    return [
      {
        key: name,
        label: kind === 'file' ? shortPath(name, paths) : name,
        title: name,
        ...(input.layer === 'object' && { swatch: `--${OBJECT_TOKENS[slot] ?? 'ob-none'}` }),
        counts: input.runs.map(run => {
          if (run.info?.objects === undefined) return null
          return input.facets.has(run.id) ? (now.get(run.id)?.get(name) ?? 0) : undefined
        }),
        shown: !hidden,
        toggle: show => input.hide('objects', name, !show),
        ...(kind === 'unknown' && { pinned: true as const }),
      },
    ]
  })
}

/** Who wrote or read the data of requests, the most requests first and what is unknown last; empty without maps. */
export function writerRows(input: FacetInput): FacetRow[] {
  const countIn = (facets: FacetInput['facets']) =>
    new Map(
      input.runs.map(run => {
        const counts = facets
          .get(run.id)
          ?.writers?.map(({ index, n }) => [run.info?.writers?.[index] ?? '', n] as const)
        return [run.id, new Map(counts)] as const
      }),
    )
  const [now, largest] = [countIn(input.facets), countIn(input.largest)]
  const requests = (name: string) => input.runs.reduce((sum, run) => sum + (largest.get(run.id)?.get(name) ?? 0), 0)
  const names = [...new Set(input.runs.flatMap(run => run.info?.writers ?? []))]
  const last = (name: string) => Number(name === UNKNOWN_WRITER)
  return names
    .filter(name => name === UNKNOWN_WRITER || input.hidden.writers.includes(name) || requests(name) > 0)
    .toSorted((a, b) => last(a) - last(b) || requests(b) - requests(a))
    .map(name => ({
      key: name,
      label: name,
      counts: input.runs.map(run => {
        if (run.info?.writers === undefined) return null
        return input.facets.has(run.id) ? (now.get(run.id)?.get(name) ?? 0) : undefined
      }),
      shown: !input.hidden.writers.includes(name),
      toggle: show => input.hide('writers', name, !show),
      ...(name === UNKNOWN_WRITER && { pinned: true as const }),
    }))
}

/** The engine's name for requests of which no source names a task. */
const UNKNOWN_WRITER = 'unknown'

/** Which maps of the disk a run has: `A: at the start and the end, no file moved`. */
export function mapWords(runs: readonly Run[]): string {
  return runs
    .flatMap(({ letter, info }) => {
      if (!info?.map) return []
      const { atStart, atEnd, moved } = info.map
      const when = atStart && atEnd ? 'at the start and the end' : atEnd ? 'at the end only' : 'at the start only'
      if (!atStart && !atEnd) return [`${letter}: no map, only events of the file system`]
      const change = moved === 0 ? 'no file moved' : moved === 1 ? '1 file moved' : `${moved} files moved`
      return [`${letter}: ${when}${atStart && atEnd ? `, ${change}` : ''}`]
    })
    .join('; ')
}

export function cpuRows(input: FacetInput): FacetRow[] {
  const sums = new Map([...input.facets].map(([id, f]) => [id, new Map(f.cpus.map(c => [c.cpu, c.n]))] as const))
  return [...new Set([...input.largest.values()].flatMap(f => f.cpus.map(c => c.cpu)))]
    .sort((a, b) => a - b)
    .map(
      (cpu): FacetRow => ({
        key: String(cpu),
        label: `cpu ${cpu}`,
        counts: countsOf(input, (_, run) => sums.get(run.id)?.get(cpu), 'CPUs'),
        shown: !input.hidden.cpus.includes(cpu),
        toggle: show => input.hide('cpus', cpu, !show),
      }),
    )
    .filter(row => !isUnavailable(row.counts))
}

/** Requests by alignment to the stripes; only with a geometry. */
export const alignmentRows = (input: FacetInput): FacetRow[] => [
  ...ALIGNMENT_CLASSES.map(cls => ({
    key: cls,
    label: ALIGNMENT_NAMES[cls],
    ...(input.layer === 'alignment' && { swatch: `--${alignmentToken(cls)}` }),
    counts: countsOf(input, f => f.alignment?.[cls]),
    shown: !input.hidden.alignment.includes(cls),
    toggle: (show: boolean) => input.hide('alignment', cls, !show),
  })),
]
