/** What the columns of a table of digests are. */

/** Version of the columns. Columns may be added; what changes otherwise needs another version. */
export const DIGESTS_SCHEMA = 1

/**
 * Texts that say which run a row is of: what rows are filtered and grouped by. In the order in which they are offered.
 */
export const LABELS = [
  'run',
  'kernel',
  'scheduler',
  'workload',
  'repeat_group',
  'device',
  'model',
  'dev',
  'role',
  'findings',
  'folder',
  'source',
  'trace',
] as const

/** Numbers and flags about the trace; no figures of its device. */
export const FACTS = [
  'compared',
  'position',
  'events',
  'lost_events',
  'truncated_bytes',
  'window_from_ns',
  'window_to_ns',
  'first_queued_ns',
  'last_completed_ns',
] as const

/** Never shown as a column: long texts, and what only readers need. */
export const UNSHOWN = [
  'schema',
  'sha256',
  'source_sha256',
  'made_by',
  'settings',
  'bench',
  'sizes',
  'bin_ns',
  'digest',
] as const

export const ERROR_COLUMN_NAMES = ['source', 'file', 'code', 'message'] as const
/** Columns that only tables of `seekscope fleet` have, not those of the Spark job. */
const MORE_OF_ERRORS: readonly string[] = ['source_sha256', 'made_by']

/** `q2c.p99` as a name that SQL needs no quotes for. */
export const columnOf = (key: string): string => key.replaceAll('.', '_')

/** Splits the cell of finding codes in a fleet table. */
export const codesIn = (findings: string | undefined): readonly string[] => (findings ? findings.split(',') : [])

/** Recognises a Parquet file by the names of its columns. */
export function tableKind(names: readonly string[]): 'digests' | 'errors' | 'requests' | 'other' {
  const hasAll = (...required: readonly string[]) => required.every(name => names.includes(name))
  if (hasAll('schema', 'run', 'sha256', 'dev', 'digest')) return 'digests'
  const errors = names.filter(name => !MORE_OF_ERRORS.includes(name))
  if (errors.length === ERROR_COLUMN_NAMES.length && hasAll(...ERROR_COLUMN_NAMES)) return 'errors'
  return hasAll('run', 'trace', 'rwbs', 'q2c_ns', 'd2c_ns') ? 'requests' : 'other'
}
