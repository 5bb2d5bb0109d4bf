/** The label table: guessed by the engine, then edited by the user. Pure changes. */
import type { GuessedLabels, LabelDimension } from '../../engine/protocol'
import { MAX_LABEL_COLUMNS } from '../../link/view'

type LabelValues = Readonly<Record<string, string>>

export interface LabelTable {
  readonly parts: readonly LabelDimension[]
  /** Values by id of the run, then by key of the column; a run without a value has no key. */
  readonly values: Readonly<Record<string, LabelValues>>
  /** Repeats of one measurement, by ids of runs, as they were guessed. */
  readonly groups: readonly { readonly label: string; readonly runs: readonly string[] }[]
  /** Edited by the user: later guesses fill in only new runs. */
  readonly edited: boolean
}

export const NO_LABELS: LabelTable = { parts: [], values: {}, groups: [], edited: false }

const MAX_LENGTH = 80

/** The value of a cell. Keys come from links, so they may be names of `Object.prototype`: only own properties count. */
export function labelOf(table: LabelTable, run: string, part: string): string {
  const values = table.values[run] ?? {}
  return Object.hasOwn(values, part) ? (values[part] ?? '') : ''
}

/**
 * Merges a guess for these runs into the table. An edited table keeps its columns and values; only new runs get
 * guessed values.
 */
export function applyGuess(table: LabelTable, ids: readonly string[], labels: GuessedLabels): LabelTable {
  const groups = labels.groups.map(group => ({ label: group.label, runs: group.runs.flatMap(i => ids[i] ?? []) }))
  const rows = ids.map((id, i) => {
    const cells = labels.parts.map(({ key }, p) => [key, labels.runs[i]?.[p] ?? ''] as const)
    return [id, Object.fromEntries(cells.filter(([, value]) => value !== ''))] as const
  })
  if (!table.edited) return { parts: labels.parts, values: Object.fromEntries(rows), groups, edited: false }
  const values = rows.map(([id, row]) => [id, table.values[id] ?? row] as const)
  return { ...table, values: Object.fromEntries(values), groups }
}

export function withValue(table: LabelTable, run: string, part: string, text: string): LabelTable {
  const value = text.trim().slice(0, MAX_LENGTH)
  const { [part]: _, ...rest } = table.values[run] ?? {}
  return {
    ...table,
    values: { ...table.values, [run]: value === '' ? rest : { ...rest, [part]: value } },
    edited: true,
  }
}

export function withPartName(table: LabelTable, part: string, text: string): LabelTable {
  const name = text.trim().slice(0, MAX_LENGTH)
  if (name === '' || table.parts.find(p => p.key === part)?.name === name) return table
  return { ...table, parts: table.parts.map(p => (p.key === part ? { ...p, name } : p)), edited: true }
}

/** Adds a column, named `part 1`, `part 2`, ... until it is renamed. */
export function withPart(table: LabelTable): LabelTable {
  if (table.parts.length >= MAX_LABEL_COLUMNS) return table
  let n = 1
  while (table.parts.some(p => p.key === `part-${n}`)) n++
  return { ...table, parts: [...table.parts, { key: `part-${n}`, name: `part ${n}` }], edited: true }
}

export function withoutPart(table: LabelTable, part: string): LabelTable {
  return { ...table, parts: table.parts.filter(p => p.key !== part), edited: true }
}

/**
 * Pastes tab-separated values, as spreadsheets copy them, into the table from `cell` on. Values beyond the last row
 * or column are dropped.
 */
export function withPasted(
  table: LabelTable,
  ids: readonly string[],
  cell: { readonly run: string; readonly part: string },
  text: string,
): LabelTable {
  const top = ids.indexOf(cell.run)
  const left = table.parts.findIndex(p => p.key === cell.part)
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  let pasted = table
  for (const [y, line] of lines.entries())
    for (const [x, value] of line.split('\t').entries()) {
      const [run, part] = [ids[top + y], table.parts[left + x]]
      if (run !== undefined && part !== undefined) pasted = withValue(pasted, run, part.key, value)
    }
  return pasted
}
