/** The menu of a chart: summary, data table, text for email, CSV, PNG and SVG. */

import { useRef, useState } from 'react'
import { type Measured, measuredAt } from '../../../lib/docs'
import type { Table } from '../answers/table'
import { type ActingChart, useChartActions } from './chartActions'
import { TableDialog } from './TableDialog'
import { usePlace } from './usePlace'
import { usePopup } from './usePopup'

export interface ChartMenuProps extends ActingChart {
  /** Section of measures.md with its definition. */
  readonly measured?: Measured | undefined
}

export function ChartMenu({ measured, ...chart }: ChartMenuProps) {
  const { title, words, table } = chart
  const { open, box, toggle } = usePopup<HTMLDivElement>()
  const panel = useRef<HTMLDivElement>(null)
  usePlace(open, box, panel, 'left')
  const [dialog, setDialog] = useState<Table>()
  const { copyText, saveCsv, picture, notice } = useChartActions(chart)
  const actions = [copyText, saveCsv, ...(picture ? [picture.savePng, picture.saveSvg] : [])]
  return (
    <div ref={box} className="chart-menu" data-open={open}>
      <button
        type="button"
        className="chart-menu-button"
        aria-expanded={open}
        aria-label={`${title}: summary and data`}
        onClick={toggle}
      >
        Data ▾
      </button>
      {open && (
        <div className="chart-menu-panel" popover="manual" ref={panel}>
          {words.map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
          <div className="chart-menu-actions">
            <button type="button" onClick={() => setDialog(table())}>
              Data table
            </button>
            {actions.map(({ label, run }) => (
              <button key={label} type="button" onClick={run}>
                {label}
              </button>
            ))}
          </div>
          {measured !== undefined && (
            <p className="chart-menu-measured">
              <a href={measuredAt(measured)} target="_blank" rel="noopener">
                How this is measured
              </a>
            </p>
          )}
          <p role="status">{notice}</p>
        </div>
      )}
      {dialog !== undefined && <TableDialog table={dialog} onClose={() => setDialog(undefined)} />}
    </div>
  )
}
