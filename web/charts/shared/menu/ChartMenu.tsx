/** The menu of a chart: summary, data table, text for email, CSV, PNG and SVG. */

import { type RefObject, useContext, useRef, useState } from 'react'
import { type Measured, measuredAt } from '../../../lib/docs'
import { pictureOf, rasterize } from '../../picture/picture'
import { ascii, type Table, toCsv, toText, withLabels, wrap } from '../answers/table'
import { COPY_AS_TEXT } from '../answers/words'
import { HeadingContext } from '../paint/heading'
import { fileName, saveFile } from './files'
import { TableDialog } from './TableDialog'
import { useCopy } from './useCopy'
import { usePlace } from './usePlace'
import { usePopup } from './usePopup'

export interface ChartMenuProps {
  readonly title: string
  readonly words: readonly string[]
  /** A function, because the table is only built when it is opened, copied or saved. */
  readonly table: () => Table
  /** All drawn data for CSV, where the table is only a summary. */
  readonly data?: (() => Table) | undefined
  /** The element whose picture is saved; absent where the chart is text. */
  readonly section?: RefObject<HTMLElement | null>
  /** Section of measures.md with its definition. */
  readonly measured?: Measured | undefined
}

export function ChartMenu({ title, words, table, data = table, section, measured }: ChartMenuProps) {
  const heading = useContext(HeadingContext)
  const { open, box, toggle } = usePopup<HTMLDivElement>()
  const panel = useRef<HTMLDivElement>(null)
  usePlace(open, box, panel, 'left')
  const [dialog, setDialog] = useState<Table>()
  const [notice, copy] = useCopy()
  const file = fileName(heading.title, title)
  const text = () => `${wrap(ascii(words.join(' ')))}\n\n${toText(table())}`
  const picture = async (kind: 'svg' | 'png') => {
    if (!section?.current) return
    const svg = pictureOf(section.current, heading)
    if (kind === 'svg') saveFile(`${file}.svg`, new Blob([svg.source], { type: 'image/svg+xml' }))
    else saveFile(`${file}.png`, await rasterize(svg))
  }
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
            <button type="button" onClick={() => void copy(text())}>
              {COPY_AS_TEXT}
            </button>
            <button
              type="button"
              onClick={() =>
                saveFile(`${file}.csv`, new Blob([toCsv(withLabels(data(), heading.runs))], { type: 'text/csv' }))
              }
            >
              CSV
            </button>
            {section !== undefined && (
              <>
                <button type="button" onClick={() => picture('png')}>
                  PNG
                </button>
                <button type="button" onClick={() => picture('svg')}>
                  SVG
                </button>
              </>
            )}
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
