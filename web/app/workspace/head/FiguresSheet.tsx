/** The main figures of both sides in two columns; with more sides, a column for each. */
import { listed } from '../../../charts/shared/answers/shown'
import { Dagger, useRows } from '../../../compare/Differences'
import { type FigureCharts, FigureName } from '../../../compare/FigureName'
import type { DifferenceRow } from '../../../compare/rows'
import { changeWords } from '../../../compare/summary'
import { figure } from '../../../lib/format'
import type { CurrentComparison } from '../../../state/comparing/comparing'
import type { ComparedRuns } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { useFigureCharts } from '../findings/chartPlaces'
import { mainFigures, withUnit } from '../findings/mainFigures'
import { GroupFigures } from '../groups/GroupFigures'
import { ChangeVerdict } from './FindingsSheet'
import { useShownRange } from './RangeFact'
import { type BadgedSide, badgedSides, SideBadge } from './SideSentence'

/** More sides are in the matrix. */
const MAX_SIDES = 5

/** The shown columns in words: `A to E of 12`, `A to E and J of 12`. */
function rangeWords(shown: readonly number[], letters: readonly string[]): string {
  const gap = shown.findIndex((side, i) => side !== i)
  const row = gap < 0 ? shown : shown.slice(0, gap)
  const rest = gap < 0 ? [] : shown.slice(gap)
  const name = (side: number | undefined) => (side === undefined ? '' : (letters[side] ?? ''))
  const first = row.length > 1 ? `${name(row[0])} to ${name(row.at(-1))}` : name(row[0])
  return `${listed([first, ...rest.map(name)])} of ${letters.length}`
}

interface FiguresSheetProps {
  readonly current: CurrentComparison
  readonly compared: ComparedRuns
}

export function FiguresSheet({ current, compared }: FiguresSheetProps) {
  const actions = useActions()
  const range = useShownRange()
  const runs = usePage(p => p.runs)
  const { table } = useRows(compared, runs)
  const charts = useFigureCharts()
  const sides = badgedSides(compared, runs)
  const rows = mainFigures(table.rows)
  const { document, comparison } = current
  const shown = sides.map((_, i) => i).filter(i => i < MAX_SIDES || i === comparison.side || i === document.baseline)
  const title = range === 'complete' ? 'Of the complete run' : 'Main figures'
  if (document.sides.some(side => side.runs.length > 1))
    return (
      <div className="panel-columns" data-one>
        <GroupFigures rows={rows} sides={sides} baseline={document.baseline} compared={comparison.side} title={title} />
      </div>
    )
  // Two sides leave room for two columns of rows.
  const half = Math.ceil(rows.length / 2)
  const halves = shown.length > 2 || rows.length < 4 ? [rows] : [rows.slice(0, half), rows.slice(half)]
  return (
    <>
      <div className="panel-columns" data-one={halves.length === 1}>
        {halves.map((half, i) => (
          <table key={half[0]?.key} className="main-figures">
            <caption className="visually-hidden">{i === 0 ? 'Main figures' : 'Main figures, continued'}</caption>
            <FigureHead sides={sides} shown={shown} current={current} title={i > 0 ? '' : title} />
            <tbody>
              {half.map(row => (
                <FigureRow
                  key={row.key}
                  row={row}
                  shown={shown}
                  comparedSide={comparison.side}
                  sides={sides}
                  charts={charts}
                />
              ))}
            </tbody>
          </table>
        ))}
      </div>
      {shown.length < sides.length && (
        <p className="panel-words">
          {rangeWords(
            shown,
            sides.map(({ letter }) => letter),
          )}
          , all in{' '}
          <button type="button" className="link" onClick={() => actions.setLayout('matrix')}>
            Matrix
          </button>
        </p>
      )}
    </>
  )
}

interface FigureHeadProps {
  readonly sides: readonly BadgedSide[]
  readonly shown: readonly number[]
  readonly current: CurrentComparison
  readonly title: string
}

function FigureHead({ sides, shown, current: { document, comparison }, title }: FigureHeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">{title === '' ? <span className="visually-hidden">figure</span> : title}</th>
        {shown.map(i => (
          <th key={sides[i]?.letter} scope="col">
            {sides[i] && <SideBadge side={sides[i]} />}
          </th>
        ))}
        <th scope="col">
          {sides[comparison.side]?.letter} / {sides[document.baseline]?.letter}
        </th>
        <th scope="col">verdict</th>
      </tr>
    </thead>
  )
}

interface FigureRowProps {
  readonly row: DifferenceRow
  readonly shown: readonly number[]
  readonly comparedSide: number
  readonly sides: readonly BadgedSide[]
  readonly charts: FigureCharts
}

function FigureRow({ row, shown, comparedSide, sides, charts }: FigureRowProps) {
  const change = row.changes[comparedSide]
  return (
    <tr data-key={row.key}>
      <th scope="row">
        <FigureName figureKey={row.key} label={row.label} charts={charts} />
      </th>
      {shown.map(i => (
        <td
          key={sides[i]?.letter}
          data-other={i === comparedSide}
          title={row.spreads[i] && `± ${figure(row.spreads[i].sd)} ${row.unit}`}
        >
          {withUnit(row, row.values[i])}
          <Dagger row={row} run={i} />
        </td>
      ))}
      <td data-verdict={change?.verdict}>{changeWords(row, comparedSide)}</td>
      <td>
        <ChangeVerdict change={change} />
      </td>
    </tr>
  )
}
