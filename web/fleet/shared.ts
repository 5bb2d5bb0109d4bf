/**
 * A run of a table of digests as a link or a report takes it: without names that are not included, and with as much
 * detail as its size has.
 */
import { answerOf, type Comparing, type Queryable } from '../engine/answer'
import type { EngineError, QueryKind, SnapshotQuery, SnapshotSize, TraceSnapshot } from '../engine/protocol'
import { type DigestContents, snapshotOf } from './stored'

/**
 * Significant digits, and whether the values over time that a comparison needs are kept: as of traces
 * (`parser-wasm/snapshot/src/size.rs`).
 */
const DETAIL: Readonly<Record<SnapshotSize, { readonly digits: number; readonly pieces: boolean }>> = {
  XS: { digits: 5, pieces: false },
  S: { digits: 5, pieces: false },
  M: { digits: 6, pieces: false },
  L: { digits: 9, pieces: true },
  File: { digits: 17, pieces: true },
}

/** Texts of a digest that name no process, file or control group. */
const HARMLESS: ReadonlySet<string> = new Set([
  'dev',
  'role',
  'recorded',
  'stage',
  'geometry',
  'array',
  'tool',
  'of',
  'unit',
  'kind',
])
/** Whose `name` is that of a device or a counter. */
const NAMED: ReadonlySet<string> = new Set(['devices', 'context'])

type Change = (value: unknown, key: string, parent: string) => unknown

/** A copy with each value changed, the innermost first. `parent`: the key of the list or object that it is in. */
function mapValues(value: unknown, change: Change, key = '', parent = ''): unknown {
  if (Array.isArray(value)) return value.map(item => mapValues(item, change, key, parent))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapValues(field, change, name, key)]))
  return change(value, key, parent)
}

/** Other names of what may be private, the same wherever it occurs. */
function aliasNames(trace: unknown): unknown {
  const aliases = new Map<string, string>()
  return mapValues(trace, (value, key, parent) => {
    if (typeof value !== 'string' || HARMLESS.has(key) || (key === 'name' && NAMED.has(parent))) return value
    const alias = aliases.get(value) ?? `task ${aliases.size + 1}`
    aliases.set(value, alias)
    return alias
  })
}

const roundNumbers = (value: unknown, digits: number): unknown =>
  mapValues(value, inner =>
    typeof inner === 'number' && !Number.isInteger(inner) ? Number(inner.toPrecision(digits)) : inner,
  )

/** Undefined where it cannot be made smaller. */
export function sharedRun(
  run: DigestContents,
  { names = false, files = false, size, step = 0 }: SnapshotQuery,
): TraceSnapshot | undefined {
  if (step > 0) return undefined
  const { digits, pieces } = DETAIL[size]
  const trace = (names ? run.trace : aliasNames({ ...run.trace, name: '' })) as DigestContents['trace']
  const renamed = { ...run, ...(!files && { path: '' }), trace: { ...trace, name: files ? run.trace.name : 'trace' } }
  const { digest, info, detail, ...rest } = snapshotOf(renamed)
  const slim = pieces
    ? digest
    : { ...digest, devices: digest.devices.map(device => ({ ...device, bins: { ...device.bins, sums: {} } })) }
  const whole = { ...rest, digest: slim }
  const short = (digits < 17 ? roundNumbers(whole, digits) : whole) as typeof whole
  return {
    ...short,
    info,
    names,
    files,
    detail: { ...detail, digits, pieces, all: pieces || size === 'M', ...(size === 'XS' && { brief: true }) },
  }
}

/** A run of a table of digests, with its snapshot in the engine. */
export interface HeldRun {
  readonly run: DigestContents
  readonly shot: Queryable
}

/** Answers a query about a held run. Throws an EngineError. */
export function answerOfHeld(comparing: Comparing, { run, shot }: HeldRun, kind: QueryKind, query: unknown): unknown {
  if (kind !== 'snapshot') return answerOf(comparing, shot, kind, query)
  const snapshot = sharedRun(run, query as SnapshotQuery)
  if (!snapshot) throw { code: 'bad-query', message: 'it cannot be made smaller' } satisfies EngineError
  return snapshot
}
