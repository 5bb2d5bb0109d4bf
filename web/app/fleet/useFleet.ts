/** The open fleet: its view, the columns that were read, and the rows that are shown. */
import { useCallback, useDeferredValue, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { EngineError } from '../../engine/protocol'
import type { Statistics } from '../../engine/statistics'
import { type ColumnsByName, rowsShown, sorted } from '../../fleet/rows/select'
import { type FleetView, viewText } from '../../fleet/rows/view'
import { type Condition, ConditionError, readCondition } from '../../fleet/rows/where'
import type { PageFleet } from '../../state/page'
import { useActions } from '../context'
import { cacheOf } from './columnCache'
import { type FleetFields, fieldsOf } from './fields'
import { outliersIn, useGroups } from './outlying'
import { useStatistics } from './useStatistics'

interface WrongCondition {
  readonly message: string
  /** Offset of the error in the text. */
  readonly position: number
}

type ViewChange = { readonly [K in keyof FleetView]?: FleetView[K] | undefined }

export interface OpenFleet {
  readonly fleet: PageFleet
  readonly view: FleetView
  readonly fields: FleetFields
  readonly columns: ColumnsByName
  readonly shownColumns: readonly string[]
  /** Number of the group of each row, with which it is compared; undefined until labels are read. */
  readonly groups: Uint32Array | undefined
  /** Rows that pass the condition and the labels; undefined until their columns are read. */
  readonly passing: Uint32Array | undefined
  /** Those of them with an outlier among the shown figures; undefined until statistics and labels are there. */
  readonly outlying: Uint32Array | undefined
  /** Rows that pass all filters; undefined until their columns are read. */
  readonly rows: Uint32Array | undefined
  /** The shown rows in the order of the table. */
  readonly order: Uint32Array | undefined
  readonly condition: Condition | undefined
  readonly wrong: WrongCondition | undefined
  readonly error: EngineError | undefined
  /** Undefined until their module is loaded. */
  readonly statistics: Statistics | undefined
  /** Changes fields of the view; `undefined` removes a field. */
  set(change: ViewChange): void
  /** Starts reading columns that are needed soon. */
  want(names: readonly string[]): void
}

function conditionOf(
  text: string,
  names: readonly string[],
): { readonly condition?: Condition; readonly wrong?: WrongCondition } {
  if (text.trim() === '') return {}
  try {
    return { condition: readCondition(text, names) }
  } catch (error) {
    if (error instanceof ConditionError) return { wrong: error }
    throw error
  }
}

export function useFleet(fleet: PageFleet): OpenFleet {
  const actions = useActions()
  const { client, view } = fleet
  const cache = cacheOf(client)
  const { statistics, error: statisticsError } = useStatistics()
  const { columns, error } = useSyncExternalStore(cache.subscribe, cache.current)
  const fields = useMemo(() => fieldsOf(client.outline), [client])
  const shownColumns = useMemo(() => {
    const columnNames = view.columns?.filter(name => fields.find(name)) ?? fields.usual
    // The first column stays visible when the table is scrolled to the right.
    return ['run', ...columnNames.filter(name => name !== 'run')]
  }, [view.columns, fields])
  const set = useCallback(
    (change: ViewChange) =>
      actions.setFleet(opened => {
        const next = Object.fromEntries(
          Object.entries({ ...opened.view, ...change }).filter(([, value]) => value !== undefined),
        ) as unknown as FleetView
        return { ...opened, view: next, text: viewText(next) }
      }),
    [actions],
  )
  const whereText = useDeferredValue(view.where)
  const { condition, wrong } = useMemo(
    () =>
      conditionOf(
        whereText,
        client.outline.columns.flatMap(({ name, type }) => (type === 'list' ? [] : [name])),
      ),
    [whereText, client],
  )
  const { filters, sort } = view
  const neededColumns = useMemo(
    () => [...(condition?.columns ?? []), ...Object.keys(filters), ...(sort ? [sort.column] : [])],
    [condition, filters, sort],
  )
  useEffect(() => cache.want([...neededColumns, ...shownColumns]), [cache, neededColumns, shownColumns])
  // Columns for menus and marks are read after the shown ones.
  useEffect(() => {
    if (shownColumns.every(name => columns.has(name))) cache.want(fields.labels.map(({ name }) => name))
  }, [cache, columns, fields, shownColumns])
  const { rows: total } = client.outline
  // A column that is read for the table does not filter again.
  const used = neededColumns.map(name => columns.get(name))
  const names = new Set(client.outline.columns.map(({ name }) => name))
  const ready = neededColumns.every(name => columns.has(name) || !names.has(name))
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the columns only those that filters look at count
  const passing = useMemo(
    () => (ready ? rowsShown({ rows: total, columns, filters, ...(condition && { condition }) }) : undefined),
    [total, filters, condition, ready, ...used],
  )
  const groups = useGroups(total, fields, columns)
  const figures = shownColumns.map(name => (fields.find(name)?.kind === 'figure' ? columns.get(name) : undefined))
  const { odd } = view
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the columns only the shown figures count
  const outlying = useMemo(() => {
    if (!passing || !groups || !statistics) return undefined
    const marks = figures.flatMap(figure => outliersIn(statistics, figure, groups)?.marks ?? [])
    return passing.filter(row => marks.some(mark => mark[row] !== 0))
  }, [passing, groups, statistics, ...figures])
  const rows = odd ? outlying : passing
  const column = sort && columns.get(sort.column)
  const order = useMemo(() => rows && sorted(rows, column, sort), [rows, column, sort])
  return {
    fleet,
    view,
    fields,
    columns,
    shownColumns,
    groups,
    passing,
    outlying,
    rows,
    order,
    condition,
    wrong,
    error: error ?? statisticsError,
    statistics,
    set,
    want: cache.want,
  }
}
