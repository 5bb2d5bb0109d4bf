/** The findings as rows: what each is about, its main figure on both sides, and how certain the difference is. */
import type { KeyboardEvent } from 'react'
import { TermText } from '../../../charts/shared/term/Term'
import { Dagger, useRows } from '../../../compare/Differences'
import { type DifferenceRow, type FigureChange, intervalText } from '../../../compare/rows'
import { VERDICT_MARKS, VERDICT_WORDS, verdictInWords } from '../../../compare/verdicts'
import { FINDING_TITLES, type Finding } from '../../../engine/protocol'
import { share } from '../../../lib/format'
import type { CurrentComparison } from '../../../state/comparing/comparing'
import type { ComparedRuns } from '../../../state/types'
import { useActions, usePage } from '../../context'
import '../findings/findings.css'
import { withUnit } from '../findings/mainFigures'
import { FindingRule } from './FindingRule'
import { type BadgedSide, badgedSides, SideBadge, SideSentence } from './SideSentence'

interface FindingsSheetProps {
  readonly current: CurrentComparison
  readonly compared: ComparedRuns
}

export function FindingsSheet({ current, compared }: FindingsSheetProps) {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const { table } = useRows(compared, runs)
  const sides = badgedSides(compared, runs)
  const { comparison, document, finding } = current
  const [base, other] = [sides[document.baseline], sides[comparison.side]]
  if (comparison.findings.length === 0)
    return <p className="panel-words">No rule explains the difference. The table of differences has every figure.</p>
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    actions.nextFinding(step)
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.finding-row')]
    rows[rows.indexOf(event.target as HTMLElement) + step]?.focus()
  }
  return (
    <>
      <div className="finding-head" aria-hidden="true">
        <span>The sentence of the page is marked; click or ↑ ↓ to change it</span>
        {base && <SideBadge side={base} />}
        {other && <SideBadge side={other} />}
        <span>
          {other?.letter} / {base?.letter}
        </span>
        <span className="interval-scale">
          <span>÷64</span>
          <span>95% interval</span>
          <span>×64</span>
        </span>
        <span>verdict</span>
      </div>
      <ol className="finding-rows" aria-label="All findings" onKeyDown={onKeyDown}>
        {comparison.findings.map(listed => (
          <li key={listed.code}>
            <FindingRow
              finding={listed}
              isShown={listed === finding}
              row={table.rows.find(({ key }) => key === listed.figure)}
              current={current}
              sides={sides}
            />
          </li>
        ))}
      </ol>
      {finding && <FindingRule current={current} finding={finding} sides={sides} />}
    </>
  )
}

interface FindingRowProps {
  readonly finding: Finding
  readonly isShown: boolean
  /** Its main figure in the table of differences. */
  readonly row: DifferenceRow | undefined
  readonly current: CurrentComparison
  readonly sides: readonly BadgedSide[]
}

function FindingRow({ finding, isShown, row, current: { comparison, document }, sides }: FindingRowProps) {
  const actions = useActions()
  const { code, rank, accounts_for: part } = finding
  const change = row?.changes[comparison.side]
  return (
    <button type="button" className="finding-row" aria-current={isShown} onClick={() => actions.showFinding(rank)}>
      <span className="finding-rank">{code === 'no-real-difference' ? '=' : rank}</span>
      <span className="finding-title">
        <b>{FINDING_TITLES[code]}</b>
        <span className="finding-figure" aria-hidden="true">
          {row && ' '}
          {row && <TermText text={row.label} isInControl />}
          {part !== undefined && ` · accounts for up to ${share(part)} of the lost time`}
        </span>
        <span className="visually-hidden">
          : <SideSentence parts={finding.parts} plain={finding.sentence} sides={sides} />
        </span>
      </span>
      <span className="finding-value">
        {row && withUnit(row, row.values[document.baseline])}
        {row && <Dagger row={row} run={document.baseline} />}
      </span>
      <span className="finding-value" data-other="">
        {row && withUnit(row, row.values[comparison.side])}
        {row && <Dagger row={row} run={comparison.side} />}
      </span>
      <span className="finding-change" data-verdict={change?.verdict}>
        {change?.text}
      </span>
      <IntervalPlot change={change} />
      <ChangeVerdict change={change} />
    </button>
  )
}

/** `▲ worse`, with what follows from it as a tooltip. */
export function ChangeVerdict({ change }: { readonly change: FigureChange | undefined }) {
  if (!change) return <span className="finding-verdict" />
  const { verdict, noise, interval } = change
  const words = [interval && `95% interval ${intervalText(interval)}`, verdictInWords(verdict, noise)]
  return (
    <span className="finding-verdict" data-verdict={verdict} title={words.filter(Boolean).join('; ')}>
      {VERDICT_MARKS[verdict]} {VERDICT_WORDS[verdict]}
    </span>
  )
}

/** Half the width of the plot, in units of its view box; its ends are ÷64 and ×64. */
const HALF = 66
const MAX_DOUBLINGS = 6

const positionOf = (ratio: number): number =>
  HALF * Math.max(-1, Math.min(1, Math.log2(Math.max(ratio, Number.MIN_VALUE)) / MAX_DOUBLINGS))

/** The ratio of both sides with its 95% interval on a logarithmic axis from ÷64 to ×64; the line in the middle is 1. */
function IntervalPlot({ change }: { readonly change: FigureChange | undefined }) {
  const { ratio, interval, verdict } = change ?? {}
  if (ratio === undefined) return <span className="interval-plot" />
  const [low, high] = interval ?? [ratio, ratio]
  const [from, to] = [positionOf(low), high === null ? HALF : positionOf(high)]
  return (
    <svg className="interval-plot" data-verdict={verdict} viewBox="-68 0 136 12" aria-hidden="true">
      <path className="interval-one" d="M0 0v12" />
      <path d={`M${from} 6H${to}M${from} 3v6M${to} 3v6`} />
      <circle cx={positionOf(ratio)} cy={6} r={3} />
    </svg>
  )
}
