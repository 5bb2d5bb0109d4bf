/** Counters of other tools as lanes on the run's clock: a row per counter, below the charts. */
import { useMemo, useState } from 'react'
import { count } from '../../lib/format'
import { wideFrame } from '../overlay/wide'
import type { ChartFrame } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { binsOver } from '../shared/paint/viewport'
import { clocks, drawnRows, type LaneMode, rowsOf, toolsOf, unplaced } from './data'
import { LaneRows } from './Lanes'

const BIN_PX = 3
/** Counters are not filtered. */
const NONE: ReadonlySet<string> = new Set()

export function Counters({ frame, mode }: { readonly frame: ChartFrame; readonly mode: LaneMode }) {
  const { shown, view } = frame
  const [chosen, setChosen] = useState<string>()
  const [all, setAll] = useState(false)
  const wide = useMemo(() => (mode.kind === 'columns' ? frame : wideFrame(frame)), [frame, mode.kind])
  const unfiltered = useMemo(() => ({ ...wide, unmatched: NONE }), [wide])
  const lists = useAnswers(
    'lanes',
    shown,
    run => (run.info.laneSources === undefined ? undefined : { range: view.range }),
    'lanes',
  )
  const answers = useMemo(() => lists.map(reply => reply.answer), [lists])
  const tools = useMemo(() => toolsOf(answers), [answers])
  const tool = chosen !== undefined && tools.includes(chosen) ? chosen : tools[0]
  const { drawn, zero, more } = useMemo(
    () => drawnRows(tool === undefined ? [] : rowsOf(answers, tool), all),
    [answers, tool, all],
  )
  const bins = binsOver(view.range, wide.plotWidth, BIN_PX)
  const series = useAnswers(
    'laneSeries',
    shown,
    run => {
      const i = shown.indexOf(run)
      const lanes = drawn.flatMap(row => row.lanes[i]?.index ?? [])
      return lanes.length > 0 ? { lanes, range: bins.range, n: bins.n } : undefined
    },
    'lane-series',
  )
  const leftOut = shown.flatMap(({ letter, info }) =>
    info.lanesLeftOut === undefined ? [] : [leftOutText(letter, info.lanesLeftOut)],
  )
  if (shown.every(run => run.info.laneSources === undefined)) return <LeftOut texts={leftOut} />
  const letters = shown.map(run => run.letter)
  const missing = shown
    .filter(run => run.info.laneSources === undefined && run.info.lanesLeftOut === undefined)
    .map(run => run.letter)
  const notes = [
    ...(tool === undefined ? [] : clocks(answers, letters, tool)),
    ...(zero.length > 0 ? [`Always 0: ${zero.map(row => row.title).join(', ')}.`] : []),
    ...(more > 0 ? [`${more} more counters are in the output of seekscope summary --json.`] : []),
    ...leftOut,
    ...(missing.length > 0 ? [`No counters next to ${missing.join(', ')}.`] : []),
    ...unplaced(answers, letters),
  ]
  return (
    <section className="charts-group lanes" aria-label="Counters" data-measured="counters">
      <div className="lanes-head">
        <h3>Counters</h3>
        {tools.length > 0 && (
          <label>
            of
            <select value={tool} onChange={event => setChosen(event.target.value)}>
              {tools.map(name => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {tools.length > 0 && (
          <label>
            <input type="checkbox" checked={all} onChange={event => setAll(event.target.checked)} />
            all counters and CPUs
          </label>
        )}
        <span className="lanes-what">Context: counters explain nothing by themselves.</span>
      </div>
      <LaneRows frame={unfiltered} runs={shown} mode={mode} rows={drawn} series={series} />
      {notes.map(note => (
        <p key={note} className="chart-sentence">
          {note}
        </p>
      ))}
    </section>
  )
}

const leftOutText = (letter: string, n: number): string =>
  `${letter}: ${count(n)} counters are not in this snapshot. Links of size L and reports have the main ones; the opened files have all.`

/** In place of the lanes. */
const LeftOut = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.map(text => (
    <p key={text} className="chart-sentence">
      {text}
    </p>
  ))
