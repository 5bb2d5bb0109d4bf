/** In place of files and structures: one row per system call, with what was requested by it in each run. */
import { type ReactNode, useMemo } from 'react'
import { count, fixed } from '../../lib/format'
import { comparedWords } from '../difference/pair'
import { type ChartFrame, type Shown, scopeWords } from '../shared/answers/shown'
import { Panel } from '../shared/frame/Panel'
import { Badge } from '../shared/frame/Row'
import { Step } from '../shared/groups/Step'
import { type CallRow, type CallsOfRun, callRows, callsTable, callsWords, timeOf } from './calls'
import { byCall, CALL, DEVICE_TIME, files } from './spec'

const NONE = '\u2013'

interface CallsProps {
  readonly frame: ChartFrame
  readonly columns: readonly Shown[]
  readonly runs: readonly CallsOfRun[]
  readonly controls: ReactNode
}

export function Calls({ frame, columns, runs, controls }: CallsProps) {
  const rows = useMemo(() => callRows(runs), [runs])
  const lacking = runs.filter(({ used }) => used === undefined)
  const caption = [
    columns[0] && scopeWords(frame, columns[0]).replace(/^, /, ''),
    comparedWords(frame, columns),
    ...lacking.map(({ letter }) => `${letter} has no events of calls`),
    'requests by the call in which they were queued',
  ]
  return (
    <Panel
      title={files.title}
      what={caption.filter(Boolean).join('; ')}
      words={callsWords(runs)}
      measured={byCall.measured}
      table={() => callsTable(runs, rows)}
      shown={columns}
      controls={controls}
      legend={frame.sides?.map(side => <Step key={side.runs[0]?.id} side={side} />)}
    >
      <div className="files-scroll">
        <table className="files" data-runs={runs.length}>
          <Heads runs={runs} />
          <tbody>
            {rows.map(row => (
              <Row key={row.name} runs={runs} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

/** The figures of a call: their keys are those of the table of objects, whose columns have the same widths. */
const LABELS = [
  ['kib', 'KiB'],
  ['requests', 'requests'],
  ['time', DEVICE_TIME],
] as const

function Heads({ runs }: Pick<CallsProps, 'runs'>) {
  const isOne = runs.length === 1
  return (
    <thead>
      <tr className={isOne ? undefined : 'files-figures'}>
        {isOne ? <th scope="col">{CALL}</th> : <td />}
        {LABELS.map(([key, label]) => (
          <th key={key} scope="colgroup" colSpan={runs.length} data-figure={key}>
            {label}
          </th>
        ))}
      </tr>
      {!isOne && (
        <tr>
          <th scope="col">{CALL}</th>
          {LABELS.flatMap(([key, label]) =>
            runs.map(({ letter }) => (
              <th key={`${key} ${letter}`} scope="col" data-figure={key}>
                <span className="visually-hidden">{label} </span>
                <Badge letter={letter} />
              </th>
            )),
          )}
        </tr>
      )}
    </thead>
  )
}

function Row({ runs, row }: Pick<CallsProps, 'runs'> & { readonly row: CallRow }) {
  const times = row.sums.map((sum, i) => sum && timeOf(sum, runs[i]?.used))
  return (
    <tr>
      <th scope="row">{row.name}</th>
      {row.sums.map((sum, i) => (
        <td key={`kib ${runs[i]?.letter}`} data-figure="kib">
          {sum ? count(Math.round(sum.bytes / 1024)) : NONE}
        </td>
      ))}
      {row.sums.map((sum, i) => (
        <td key={`requests ${runs[i]?.letter}`} data-figure="requests">
          {sum ? count(sum.requests) : NONE}
        </td>
      ))}
      {times.map((time, i) => (
        <td key={`time ${runs[i]?.letter}`} data-figure="time">
          {time !== undefined && (
            <span className="files-bar" aria-hidden="true">
              <i style={{ width: `${time * 100}%`, background: 'var(--st-d2c)' }} />
            </span>
          )}
          <span className="files-share">{time === undefined ? NONE : `${fixed(time * 100, 1)}%`}</span>
        </td>
      ))}
    </tr>
  )
}
