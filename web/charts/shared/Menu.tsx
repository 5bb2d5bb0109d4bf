/** The menu of a chart: summary, data table, text for email, CSV, PNG and SVG. */
import { type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { type Measured, measuredAt } from '../../lib/docs'
import { pictureOf, rasterize } from '../picture/picture'
import { copyText, fileName, saveFile } from './files'
import { HeadingContext } from './heading'
import { TableDialog } from './TableDialog'
import { ascii, type Table, toCsv, toText, withLabels, wrap } from './table'

export interface MenuProps {
  readonly title: string
  readonly words: readonly string[]
  /** Built on demand. */
  readonly table: () => Table
  /** All drawn data for CSV, where the table is only a summary. */
  readonly data?: (() => Table) | undefined
  /** The element whose picture is saved; absent where the chart is text. */
  readonly section?: RefObject<HTMLElement | null>
  /** Section of measures.md with its definition. */
  readonly measured?: Measured | undefined
}

export function Menu({ title, words, table, data = table, section, measured }: MenuProps) {
  const heading = useContext(HeadingContext)
  const [open, setOpen] = useState(false)
  const [dialog, setDialog] = useState<Table>()
  const [said, setSaid] = useState('')
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!open) return
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setOpen(false)
      box.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [open])

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
        onClick={() => setOpen(!open)}
      >
        Data ▾
      </button>
      {open && (
        <div className="chart-menu-panel">
          {words.map(sentence => (
            <p key={sentence}>{sentence}</p>
          ))}
          <div className="chart-menu-actions">
            <button type="button" onClick={() => setDialog(table())}>
              Data table
            </button>
            <button
              type="button"
              onClick={() => copyText(text()).then(ok => setSaid(ok ? 'Copied.' : 'Clipboard blocked. Select and copy manually.'))}
            >
              Copy as text
            </button>
            <button type="button" onClick={() => saveFile(`${file}.csv`, new Blob([toCsv(withLabels(data(), heading.runs))], { type: 'text/csv' }))}>
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
          <p role="status">{said}</p>
        </div>
      )}
      {dialog !== undefined && <TableDialog table={dialog} onClose={() => setDialog(undefined)} />}
    </div>
  )
}
