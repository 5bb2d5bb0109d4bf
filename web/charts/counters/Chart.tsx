/** Counters of other tools as lanes on the run's clock: a row per counter, below the charts. */
import { useMemo, useState } from 'react'
import { wideFrame } from '../overlay/wide'
import type { ChartFrame } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { binsOver } from '../shared/paint/viewport'
import { clocks, drawnRows, type LaneMode, rowsOf, toolsOf, unplaced } from './data'
import { LaneRows } from './Lanes'
import { ALL_COUNTERS, CONTEXT, counters, leftOutWords, moreWords, withoutWords, zeroWords } from './spec'

const BIN_PX = 3
/** Filters do not apply to counters: no run of them is unmatched. */
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
    info.lanesLeftOut === undefined ? [] : [leftOutWords(letter, info.lanesLeftOut)],
  )
  if (shown.every(run => run.info.laneSources === undefined)) return <LeftOut texts={leftOut} />
  const letters = shown.map(run => run.letter)
  const missing = shown
    .filter(run => run.info.laneSources === undefined && run.info.lanesLeftOut === undefined)
    .map(run => run.letter)
  const notes = [
    ...(tool === undefined ? [] : clocks(answers, letters, tool)),
    ...(zero.length > 0 ? [zeroWords(zero)] : []),
    ...(more > 0 ? [moreWords(more)] : []),
    ...leftOut,
    ...(missing.length > 0 ? [withoutWords(missing)] : []),
    ...unplaced(answers, letters),
  ]
  return (
    <section className="charts-group" aria-label={counters.title} data-measured={counters.measured}>
      <div className="lanes-head">
        <h3>{counters.title}</h3>
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
            {ALL_COUNTERS}
          </label>
        )}
        <span className="lanes-what">{CONTEXT}</span>
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

/** Takes the place of lanes that the snapshot lacks. */
const LeftOut = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.map(text => (
    <p key={text} className="chart-sentence">
      {text}
    </p>
  ))
