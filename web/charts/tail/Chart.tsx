/**
 * Why the slowest requests were slow: causes with their shares, and the slowest requests of each run with their parts.
 */
import { useCallback } from 'react'
import type { SlowRequest, SummaryTail } from '../../engine/summary'
import { count, counted, duration, share } from '../../lib/format'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { Panel } from '../shared/frame/Panel'
import { Step } from '../shared/groups/Step'
import { runToken } from '../shared/paint/palette'
import { SortedColumn, useSorted } from '../shared/table/SortedColumn'
import { CAUSE, limitOf, othersInFlight, slowest, subjectOf, TABLE_TITLE, tailWords } from './spec'
import { causesOf, causeToken, labelsOf, partsInWords, slowestFirst } from './summary'
import { useTails } from './useTails'
import './tail.css'

/** Requests that are listed per run before the list is opened. */
const LISTED = 5

export function SlowestRequests({ frame }: { readonly frame: ChartFrame }) {
  const { runs, what, missing } = useTails(frame)
  if (runs.length === 0 && missing.length === 0) return undefined
  const causes = causesOf(runs.map(({ tail }) => tail))
  const labels = labelsOf(runs.map(({ tail }) => tail))
  const table = (): Table => ({
    title: TABLE_TITLE,
    columns: [
      { label: CAUSE.toLowerCase(), text: true },
      ...runs.map(({ run }) => ({ label: `${run.letter}, share` })),
      ...runs.map(({ run }) => ({ label: `${run.letter}, ms` })),
    ],
    rows: causes.map(cause => {
      const found = runs.map(({ tail }) => tail.causes.find(c => c.cause === cause))
      return [labels.get(cause) ?? cause, ...found.map(c => c?.share ?? 0), ...found.map(c => (c?.ns ?? 0) / 1e6)]
    }),
  })
  return (
    <Panel
      frame={frame}
      title={slowest.title}
      what={runs.length > 0 ? what : ''}
      words={runs.map(({ run, tail }) => tailWords(run.letter, tail))}
      measured={slowest.measured}
      {...(runs.length > 0 && { table })}
    >
      {missing.map(sentence => (
        <p key={sentence} className="chart-sentence">
          {sentence}
        </p>
      ))}
      {runs.length > 0 && (
        <div className="tail">
          <CauseTable runs={runs} causes={causes} labels={labels} />
          <div className="tail-lists">
            {frame.shown.map((shown, i) => {
              const side = frame.sides?.[i]
              const found = runs.find(({ run }) => run.id === shown.id)
              return (
                <div key={side?.runs[0]?.id ?? shown.id}>
                  {side && <Step side={side} />}
                  {found && (
                    <RequestList {...found} labels={labels} select={row => frame.actions.select(shown.id, row)} />
                  )}
                </div>
              )
            })}
          </div>
        </div>
      )}
    </Panel>
  )
}

interface CauseTableProps {
  readonly runs: ReturnType<typeof useTails>['runs']
  readonly causes: readonly string[]
  readonly labels: ReadonlyMap<string, string>
}

/** The shares of the causes in each run. */
function CauseTable({ runs, causes, labels }: CauseTableProps) {
  const rankOf = useCallback(
    (cause: string, column: number) =>
      column === 0 ? (labels.get(cause) ?? cause) : runs[column - 1]?.tail.causes.find(c => c.cause === cause)?.share,
    [runs, labels],
  )
  const [sorted, sorting] = useSorted(causes, rankOf)
  return (
    <table className="tail-causes">
      <thead>
        <tr>
          <SortedColumn column={0} sorting={sorting} isText>
            {CAUSE}
          </SortedColumn>
          {runs.map(({ run, tail }, i) => (
            <SortedColumn
              key={run.id}
              column={i + 1}
              sorting={sorting}
              style={{ color: `var(--${runToken(run.letter)})` }}
            >
              {run.letter}
              <small>{limitOf(tail)}</small>
            </SortedColumn>
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.map(cause => (
          <tr key={cause}>
            <th scope="row">
              <i style={{ background: `var(--${causeToken(cause)})` }} aria-hidden="true" />
              {labels.get(cause) ?? cause}
            </th>
            {runs.map(({ run, tail }) => {
              const found = tail.causes.find(c => c.cause === cause)
              return (
                <td key={run.id} title={found && duration(found.ns)}>
                  {found ? share(found.share) : (tail.absent?.[cause] ?? '0%')}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface RequestListProps {
  readonly run: Shown
  readonly tail: SummaryTail
  readonly labels: ReadonlyMap<string, string>
  readonly select: (row: number) => void
}

function RequestList({ run, tail, labels, select }: RequestListProps) {
  const [first, rest] = slowestFirst(tail.slowest, LISTED)
  if (first.length === 0) return undefined
  const longest = first[0]?.ns ?? 1
  const item = (slow: SlowRequest) => (
    <li key={slow.row}>
      <button
        type="button"
        onClick={() => select(slow.row)}
        title={`${partsInWords(slow, labels)}; ${othersInFlight(slow)}`}
      >
        <span>{`${slow.op}${slow.sector === undefined ? '' : ` ${count(slow.sector)}`}`}</span>
        <span>{duration(slow.ns)}</span>
        <span className="tail-bar" role="img" aria-label={partsInWords(slow, labels)}>
          {slow.parts.map(part => (
            <i
              key={part.cause}
              style={{ width: `${(100 * part.ns) / longest}%`, background: `var(--${causeToken(part.cause)})` }}
            />
          ))}
        </span>
      </button>
    </li>
  )
  return (
    <section aria-label={subjectOf(run.letter)}>
      <h4>{`${run.letter}: ${counted(tail.requests, 'request')}${tail.percentile > 0 ? ` ${limitOf(tail)}` : ''}`}</h4>
      <ol>{first.map(item)}</ol>
      {rest.length > 0 && (
        <details>
          <summary>{`${rest.length} more`}</summary>
          <ol>{rest.map(item)}</ol>
        </details>
      )}
    </section>
  )
}
