/** Which rows are compared with which, and the outliers of each column: computed once per column. */
import { useMemo } from 'react'
import type { Statistics } from '../../engine/statistics'
import { groupsOf, type Outliers, outliersOf } from '../../fleet/rows/outliers'
import type { ColumnsByName } from '../../fleet/rows/select'
import type { Column, TextColumn } from '../../fleet/table/columns'
import type { FleetFields } from './fields'

/** Groups of rows with equal labels; undefined until these are read. */
export function useGroups(rows: number, { repeated }: FleetFields, columns: ColumnsByName): Uint32Array | undefined {
  const labels = repeated.map(name => columns.get(name))
  const ready = labels.every(column => column?.type === 'text')
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the columns only the labels count
  return useMemo(() => (ready ? groupsOf(rows, labels as TextColumn[]) : undefined), [ready, rows, ...labels])
}

/** Outliers by column, for the groups of the last call: the filter and the table ask for the same ones. */
const outlierCache = new WeakMap<Column, { readonly groups: Uint32Array; readonly outliers: Outliers }>()

/** Undefined until the labels are read and the module of statistics is loaded. */
export function outliersIn(
  statistics: Statistics | undefined,
  column: Column | undefined,
  groups: Uint32Array | undefined,
): Outliers | undefined {
  if (column?.type !== 'number' || !groups || !statistics) return undefined
  const cached = outlierCache.get(column)
  if (cached?.groups === groups) return cached.outliers
  const outliers = outliersOf(statistics, column, groups)
  outlierCache.set(column, { groups, outliers })
  return outliers
}
