/** Turns the engine's counts into rows of the rail. */

import { ALIGNMENT_NAMES, deviceName } from '../../../charts/shared/answers/names'
import { alignmentToken } from '../../../charts/shared/paint/palette'
import { ALIGNMENT_CLASSES, type Facets, FLAGS, type Flag, type Layer, OPS, type Op } from '../../../engine/protocol'
import type { PageActions } from '../../../state/actions'
import { deviceOf } from '../../../state/filter'
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
const ALWAYS: readonly Flag[] = ['sync', 'fua']

interface FacetInput {
  readonly runs: readonly Run[]
  readonly facets: ReadonlyMap<string, Facets>
  readonly hidden: Hidden
  readonly hide: PageActions['hide']
  readonly layer: Layer
}

/** The engine's names of what a format lacks. */
const HINTS = 'sync, metadata and readahead flags'
const FLUSHES = 'flushes and FUA'
const FLAG_NEEDS: Readonly<Partial<Record<Flag, string>>> = {
  sync: HINTS,
  meta: HINTS,
  ahead: HINTS,
  fua: FLUSHES,
  preflush: FLUSHES,
}

const each = (given: FacetInput, of: (facets: Facets, run: Run) => number | undefined, needs?: string): Counts =>
  given.runs.map(run => {
    if (needs !== undefined && run.info?.absent?.includes(needs)) return null
    if (needs === 'processes' && deviceOf(run)?.absent?.processes !== undefined) return null
    const facets = given.facets.get(run.id)
    return facets && (of(facets, run) ?? 0)
  })

const nowhere = (counts: Counts): boolean => counts.every(n => n === null)

export const opRows = (given: FacetInput): FacetRow[] =>
  OPS.toSorted(
    (a, b) => total(each(given, f => f.ops[b])) - total(each(given, f => f.ops[a])) || OPS.indexOf(a) - OPS.indexOf(b),
  ).map((op: Op) => ({
    key: op,
    label: op,
    ...(given.layer === 'op' && { swatch: `--op-${op}` }),
    counts: each(given, f => f.ops[op], op === 'flush' ? FLUSHES : undefined),
    shown: !given.hidden.ops.includes(op),
    toggle: show => given.hide('ops', op, !show),
  }))

const total = (counts: Counts): number => counts.reduce<number>((sum, n) => sum + (n ?? 0), 0)

export const flagRows = (given: FacetInput): FacetRow[] =>
  FLAGS.flatMap(flag => {
    const counts = each(given, f => f.flags[flag], FLAG_NEEDS[flag])
    if (nowhere(counts)) return []
    if (total(counts) === 0 && !ALWAYS.includes(flag) && !given.hidden.flags.includes(flag)) return []
    return {
      key: flag,
      label: FLAG_NAMES[flag],
      counts,
      shown: !given.hidden.flags.includes(flag),
      toggle: (show: boolean) => given.hide('flags', flag, !show),
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

/** Processes by name and the device they used, busiest first; those without requests are left out. */
export function processRows(given: FacetInput): FacetRow[] {
  const sums = new Map(given.runs.map(run => [run.id, requestsByKey(run, given.facets.get(run.id))]))
  return processGroups(given.runs).flatMap(({ key, keys, name, via, slot }) => {
    const counts = each(
      given,
      (_, run) => keys.reduce((sum, k) => sum + (sums.get(run.id)?.get(k) ?? 0), 0),
      'processes',
    )
    if (nowhere(counts)) return []
    const hidden = keys.some(k => given.hidden.processes.includes(k))
    if (total(counts) === 0 && !hidden) return []
    const extra = via === undefined ? undefined : (given.runs.map(r => deviceName(via, r)).find(n => n !== via) ?? via)
    return {
      key,
      label: name,
      ...(extra !== undefined && { extra }),
      ...(given.layer === 'process' && { swatch: slot === PROCESS_SLOTS ? '--proc-other' : `--proc-${slot + 1}` }),
      counts,
      shown: !hidden,
      toggle: (show: boolean) => {
        for (const k of keys) given.hide('processes', k, !show)
      },
    }
  })
}

export function cpuRows(given: FacetInput): FacetRow[] {
  const sums = new Map([...given.facets].map(([id, f]) => [id, new Map(f.cpus.map(c => [c.cpu, c.n]))] as const))
  return [...new Set([...sums.values()].flatMap(of => [...of.keys()]))]
    .sort((a, b) => a - b)
    .map(
      (cpu): FacetRow => ({
        key: String(cpu),
        label: `cpu ${cpu}`,
        counts: each(given, (_, run) => sums.get(run.id)?.get(cpu), 'CPUs'),
        shown: !given.hidden.cpus.includes(cpu),
        toggle: show => given.hide('cpus', cpu, !show),
      }),
    )
    .filter(row => !nowhere(row.counts))
}

/** Requests by alignment to the stripes; only with a geometry. */
export const alignmentRows = (given: FacetInput): FacetRow[] => [
  ...ALIGNMENT_CLASSES.map(cls => ({
    key: cls,
    label: ALIGNMENT_NAMES[cls],
    ...(given.layer === 'alignment' && { swatch: `--${alignmentToken(cls)}` }),
    counts: each(given, f => f.alignment?.[cls]),
    shown: !given.hidden.alignment.includes(cls),
    toggle: (show: boolean) => given.hide('alignment', cls, !show),
  })),
]
