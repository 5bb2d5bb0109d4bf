/** How a fleet is shown, and the same as a text for links: `tab=trend&where=iops > 100&sort=-q2c_p99`. */
import { isColumnName } from '../table/columns'

export const FLEET_TABS = ['table', 'matrix', 'trend'] as const
export type FleetTab = (typeof FLEET_TABS)[number]

export interface FleetSort {
  readonly column: string
  readonly descending: boolean
}

export interface FleetView {
  readonly tab: FleetTab
  /** Filter condition, as typed. */
  readonly where: string
  /** Words to which each label is filtered; unfiltered labels have no entry. */
  readonly filters: Readonly<Record<string, readonly string[]>>
  readonly sort?: FleetSort
  /** Shown columns; absent: the default ones. */
  readonly columns?: readonly string[]
  /** Numbers of rows, in the order of selection: the first is the baseline. */
  readonly selected: readonly number[]
  /** Top row of the table. */
  readonly top: number
  /** Labels of the matrix; absent: the first two that differ. */
  readonly rows?: string
  readonly across?: string
  /** Label that orders the trend; absent: the kernel. */
  readonly by?: string
  /** Label by which the trend is split into series. */
  readonly split?: string
  /** Figure of matrix and trend. */
  readonly figure?: string
  /** Only rows with an outlier in a shown column. */
  readonly odd?: true
  /** Small multiples are shown. */
  readonly multiples: boolean
}

export const FLEET_START: FleetView = { tab: 'table', where: '', filters: {}, selected: [], top: 0, multiples: false }

/** Maximum number of rows in a comparison: as many as a page has letters. */
export const MAX_COMPARED = 20

const KEEP = 'keep.'

export function viewText(view: FleetView): string {
  const text = new URLSearchParams()
  if (view.tab !== 'table') text.set('tab', view.tab)
  if (view.where.trim() !== '') text.set('where', view.where.trim())
  for (const [label, words] of Object.entries(view.filters)) for (const word of words) text.append(KEEP + label, word)
  if (view.sort) text.set('sort', `${view.sort.descending ? '-' : ''}${view.sort.column}`)
  if (view.columns) text.set('columns', view.columns.join(','))
  for (const key of ['rows', 'across', 'by', 'split', 'figure'] as const)
    if (view[key] !== undefined) text.set(key, view[key])
  if (view.odd) text.set('odd', '1')
  if (view.multiples) text.set('multiples', '1')
  return text.toString()
}

/** Decodes a view; invalid fields are ignored. */
export function viewOf(text: string): FleetView {
  const params = new URLSearchParams(text)
  const filters: Record<string, string[]> = {}
  for (const [key, word] of params)
    if (key.startsWith(KEEP)) {
      const label = key.slice(KEEP.length)
      if (!isColumnName(label)) continue
      filters[label] = [...(filters[label] ?? []), word]
    }
  const sort = params.get('sort')
  const columns = params.get('columns')
  const optional = Object.fromEntries(
    (['rows', 'across', 'by', 'split', 'figure'] as const).flatMap(key => {
      const value = params.get(key)
      return value === null ? [] : [[key, value]]
    }),
  )
  return {
    ...FLEET_START,
    tab: FLEET_TABS.find(tab => tab === params.get('tab')) ?? 'table',
    where: params.get('where') ?? '',
    filters,
    ...(sort && { sort: { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') } }),
    ...(columns && { columns: columns.split(',') }),
    ...optional,
    ...(params.get('odd') === '1' && { odd: true as const }),
    multiples: params.get('multiples') === '1',
  }
}
