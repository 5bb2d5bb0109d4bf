/** Gives the shown rows away: a link to tables on the web, or the rows as CSV. */
import { toCsv } from '../../../charts/shared/answers/table'
import { saveFile } from '../../../charts/shared/menu/files'
import { Menu } from '../../../charts/shared/menu/Menu'
import { useCopy } from '../../../charts/shared/menu/useCopy'
import { cellAt } from '../../../fleet/table/columns'
import { fileName } from '../../../lib/text/fileName'
import type { OpenFleet } from '../useFleet'

/** The shown rows and columns in the order of the table: values in full precision, under the names of the columns. */
function csvOf({ shownColumns, columns, order = new Uint32Array() }: OpenFleet): string {
  const cell = (name: string, row: number): string | number => {
    const value = cellAt(columns.get(name), row)
    return typeof value === 'number' && !Number.isNaN(value) ? value : typeof value === 'string' ? value : ''
  }
  return toCsv({
    title: '',
    columns: shownColumns.map(label => ({ label })),
    rows: Array.from(order, row => shownColumns.map(name => cell(name, row))),
  })
}

export function ShareFleet({ open, title }: { readonly open: OpenFleet; readonly title: string }) {
  const { notice, copy } = useCopy()
  const save = () =>
    saveFile(`${fileName(title) || 'fleet'}.csv`, new Blob([csvOf(open)], { type: 'text/csv;charset=utf-8' }))
  const isLinked = open.fleet.urls !== undefined
  const items = [
    { label: 'Save the shown rows as CSV', disabled: open.order === undefined, run: save },
    isLinked
      ? { label: 'Copy a link to this view', run: () => void copy(location.href) }
      : { label: 'Copy a link: only for tables opened by URL', disabled: true, run: () => {} },
  ]
  return (
    <>
      <Menu label="Share the rows" items={items} className="button">
        Share
      </Menu>
      <span className="visually-hidden" aria-live="polite">
        {notice}
      </span>
    </>
  )
}
