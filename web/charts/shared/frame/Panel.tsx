/** A chart of all runs together: title, description, menu and content. */
import { type ReactNode, useId, useRef } from 'react'
import type { ChartName } from '../../../engine/protocol'
import type { Measured } from '../../../lib/docs'
import { absentBelow, absentReasons } from '../answers/absent'
import { NoMatch, noMatchWords } from '../answers/NoMatch'
import { type ChartFrame, nothingMatches, type Shown } from '../answers/shown'
import type { Table } from '../answers/table'
import { ChartMenu } from '../menu/ChartMenu'
import { PlotMenu } from '../menu/PlotMenu'
import { ChartHead, captionId } from './ChartHead'

export interface PanelProps {
  readonly title: string
  /** Runs whose recording lacks it have the reason instead. */
  readonly chart?: ChartName
  readonly shown?: readonly Shown[]
  /** The frame of a chart that the filters apply to. */
  readonly frame?: ChartFrame
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

export function Panel({
  title,
  chart,
  shown = [],
  frame,
  what,
  words: sentences,
  table: tableOf,
  data,
  measured,
  legend,
  controls,
  children,
}: PanelProps) {
  const nothing = frame !== undefined && nothingMatches(frame, frame.shown)
  const words = nothing ? [noMatchWords(frame)] : sentences
  const table = nothing ? undefined : tableOf
  const absent = chart ? absentBelow(shown, chart) : []
  const none =
    chart !== undefined && shown.length > 0 && absentReasons(shown, chart).every(reason => reason !== undefined)
  const caption = none || nothing ? '' : what
  const id = useId()
  const section = useRef<HTMLElement>(null)
  return (
    <section
      ref={section}
      className="chart-row chart-panel"
      data-chart={measured}
      aria-labelledby={id}
      {...(caption !== '' && { 'aria-describedby': captionId(id) })}
    >
      <ChartHead
        name={{
          id,
          title,
          what: caption,
          controls: none ? undefined : (
            <>
              {controls}
              {table !== undefined && <ChartMenu {...{ title, words, table, data, section, measured }} />}
            </>
          ),
        }}
        legend={none ? undefined : legend}
      />
      {absent.map(sentence => (
        <p key={sentence} className="chart-sentence" data-absent={chart}>
          {sentence}
        </p>
      ))}
      {nothing ? (
        <NoMatch frame={frame} />
      ) : (
        !none && (table ? <PlotMenu {...{ title, words, table, data, section }}>{children}</PlotMenu> : children)
      )}
    </section>
  )
}
