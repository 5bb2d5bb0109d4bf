/** The data of a chart as a table. */
import { useEffect, useRef } from 'react'
import { count } from '../../../lib/format'
import type { Table } from '../answers/table'
import { SortedColumn, useSorted } from '../table/SortedColumn'

/** Most rows shown; the CSV file has all. */
const MAX_ROWS_SHOWN = 2_000

const cellOf = (row: Table['rows'][number], column: number) => row[column]

export function TableDialog({ table, onClose }: { readonly table: Table; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [rows, sorting] = useSorted(table.rows, cellOf)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className="chart-dialog"
      aria-label={table.title}
      onClose={onClose}
      onKeyDown={event => event.stopPropagation()}
    >
      <header>
        <h3>{table.title}</h3>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="chart-dialog-scroll" tabIndex={0} aria-label="rows">
        <table>
          <thead>
            <tr>
              {table.columns.map(({ label, text }, i) => (
                <SortedColumn key={label} column={i} sorting={sorting} isText={text === true}>
                  {label}
                </SortedColumn>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS_SHOWN).map((row, r) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
              <tr key={r}>
                {row.map((cell, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
                  <td key={i} data-text={table.columns[i]?.text}>
                    {typeof cell === 'number' ? +cell.toPrecision(8) : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {table.rows.length > MAX_ROWS_SHOWN && (
          <p>{`First ${count(MAX_ROWS_SHOWN)} of ${count(table.rows.length)} rows; the CSV file has all.`}</p>
        )}
      </section>
    </dialog>
  )
}
