/** A chart of all runs together: title, description, menu and content. */
import { type ReactNode, useId, useRef } from 'react'
import type { Measured } from '../../lib/docs'
import { ChartMenu } from './ChartMenu'
import type { Table } from './table'

export interface PanelProps {
  readonly title: string
  readonly what: string
  readonly words: readonly string[]
  /** Absent where the words are complete. */
  readonly table?: () => Table
  /** All drawn data for CSV, where the table is only a summary. */
  readonly data?: () => Table
  /** Section of measures.md with its definition. */
  readonly measured?: Measured
  readonly legend?: ReactNode
  readonly controls?: ReactNode
  readonly children: ReactNode
}

export function Panel({ title, what, words, table, data, measured, legend, controls, children }: PanelProps) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  return (
    <section ref={section} className="chart-row chart-panel" data-chart={measured} aria-labelledby={id}>
      <header className="chart-head">
        <h3 id={id}>{title}</h3>
        <span className="chart-what">{what}</span>
        {legend}
        {controls}
        {table !== undefined && <ChartMenu title={title} words={words} table={table} data={data} section={section} measured={measured} />}
      </header>
      {children}
    </section>
  )
}
