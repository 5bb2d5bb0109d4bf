/** Values of the options of `seekscope builds`. */
import { resolve } from 'node:path'
import type { DigestSelection } from '../fleet/digests'
import type { OptionValues } from '../program/options'
import { UsageError } from '../program/usage'
import { exclude } from '../program/values'

const TABLES = ['parquet', 'jsonl', 'csv'] as const

export interface BuildsTable {
  readonly path: string
  readonly format: (typeof TABLES)[number]
}

export interface BuildsOptions {
  /** Label that names the build of a run. */
  readonly by: string
  /** Dimensions in which series differ; absent: found from the runs. */
  readonly series?: readonly string[]
  /** Keys of figures; absent: the main ones. */
  readonly figures?: readonly string[]
  /** Changes at this build or before are omitted. */
  readonly since?: string
  readonly format: 'text' | 'json' | 'markdown'
  /** File for one row per change and series. */
  readonly table?: BuildsTable
  /** Names in CSV stay as they are, also those that a spreadsheet runs as formulas. */
  readonly raw: boolean
  /** `worse`, `changed` or keys of figures. */
  readonly failIf: readonly string[]
}

/** Reads the options of `builds`. Throws UsageError. */
export function readBuildsOptions(values: OptionValues): {
  readonly selection: DigestSelection
  readonly options: BuildsOptions
} {
  for (const [a, b] of [
    ['text', 'json'],
    ['text', 'markdown'],
    ['json', 'markdown'],
  ] as const)
    exclude(values, a, b)
  const {
    digests,
    where,
    by = 'kernel',
    series,
    figure,
    since,
    json,
    markdown,
    raw = false,
    output,
    'fail-if': failIf,
  } = values
  if (digests === undefined) throw new UsageError('builds needs --digests FILE')
  const format = output === undefined ? undefined : TABLES.find(name => output.toLowerCase().endsWith(`.${name}`))
  if (output !== undefined && !format) throw new UsageError(`-o: ${output} must end in .parquet, .jsonl or .csv`)
  if (output !== undefined && digests.some(file => resolve(file) === resolve(output)))
    throw new UsageError(`${output} is an input: write to another file`)
  return {
    selection: { files: digests, ...(where !== undefined && { where }) },
    options: {
      by,
      ...(series && { series }),
      ...(figure && { figures: figure }),
      ...(since !== undefined && { since }),
      format: json ? 'json' : markdown ? 'markdown' : 'text',
      ...(output !== undefined && format && { table: { path: output, format } }),
      raw,
      failIf: failIf === undefined ? [] : failIf.split(',').map(name => name.trim()),
    },
  }
}
