/** The label table: guessed by the engine, then edited by the user. Pure changes. */
import type { GuessedLabels, LabelDimension } from '../../engine/protocol'
import { MAX_LABEL_COLUMNS } from '../../link/view'

type LabelValues = Readonly<Record<string, string>>

export interface LabelTable {
  readonly parts: readonly LabelDimension[]
  /** By id of the run, then by key of the part; a run without a part has no value. */
  readonly values: Readonly<Record<string, LabelValues>>
  /** Repeats of one measurement, by ids of runs, as they were guessed. */
  readonly groups: readonly { readonly label: string; readonly runs: readonly string[] }[]
  /** Edited by the user: later guesses fill in only new runs. */
  readonly edited: boolean
}

export const NO_LABELS: LabelTable = { parts: [], values: {}, groups: [], edited: false }

const LONGEST = 80

/** Keys of links may be names that every object has. */
export function labelOf(table: LabelTable, run: string, part: string): string {
  const values = table.values[run] ?? {}
  return Object.hasOwn(values, part) ? (values[part] ?? '') : ''
}

/** The table after a guess for the runs of these ids. */
export function guessed(table: LabelTable, ids: readonly string[], labels: GuessedLabels): LabelTable {
  const groups = labels.groups.map(group => ({ label: group.label, runs: group.runs.flatMap(i => ids[i] ?? []) }))
  const rows = ids.map((id, i) => {
    const told = labels.parts.map(({ key }, p) => [key, labels.runs[i]?.[p] ?? ''] as const)
    return [id, Object.fromEntries(told.filter(([, value]) => value !== ''))] as const
  })
  if (!table.edited) return { parts: labels.parts, values: Object.fromEntries(rows), groups, edited: false }
  const values = rows.map(([id, row]) => [id, table.values[id] ?? row] as const)
  return { ...table, values: Object.fromEntries(values), groups }
}

export function withValue(table: LabelTable, run: string, part: string, text: string): LabelTable {
  const value = text.trim().slice(0, LONGEST)
  const { [part]: _, ...rest } = table.values[run] ?? {}
  return {
    ...table,
    values: { ...table.values, [run]: value === '' ? rest : { ...rest, [part]: value } },
    edited: true,
  }
}

export function withPartName(table: LabelTable, part: string, text: string): LabelTable {
  const name = text.trim().slice(0, LONGEST)
  if (name === '' || table.parts.find(p => p.key === part)?.name === name) return table
  return { ...table, parts: table.parts.map(p => (p.key === part ? { ...p, name } : p)), edited: true }
}

/** With one more column, named `part 1`, `part 2`... until it is renamed. */
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
 * Rows of tab-separated values, as spreadsheets copy them, laid over the table from one cell on; what reaches beyond is
 * left out.
 */
export function withPasted(
  table: LabelTable,
  ids: readonly string[],
  at: { readonly run: string; readonly part: string },
  text: string,
): LabelTable {
  const top = ids.indexOf(at.run)
  const left = table.parts.findIndex(p => p.key === at.part)
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  let pasted = table
  for (const [y, line] of lines.entries())
    for (const [x, value] of line.split('\t').entries()) {
      const [run, part] = [ids[top + y], table.parts[left + x]]
      if (run !== undefined && part !== undefined) pasted = withValue(pasted, run, part.key, value)
    }
  return pasted
}
