/** The main figures of two groups: median and range of their runs, a dot for each run, interval and verdict. */
import { rangeInWords } from '../../../charts/shared/groups/sides'
import { medianOf } from '../../../charts/shared/groups/spread'
import { TermText } from '../../../charts/shared/term/Term'
import { Dagger } from '../../../compare/Differences'
import { cell, type DifferenceRow, intervalText } from '../../../compare/rows'
import { changeWords } from '../../../compare/summary'
import { ChangeVerdict } from '../head/FindingsSheet'
import { type BadgedSide, SideBadge } from '../head/SideSentence'
import { dotPlaces } from './dots'
import '../head/panel.css'
import './group-figures.css'

interface GroupFiguresProps {
  readonly rows: readonly DifferenceRow[]
  readonly sides: readonly BadgedSide[]
  readonly baseline: number
  readonly compared: number
  /** What the figures are of. */
  readonly title: string
}

export function GroupFigures({ rows, sides, baseline, compared, title }: GroupFiguresProps) {
  const shown = [baseline, compared].toSorted((a, b) => a - b)
  return (
    <table className="main-figures group-figures">
      <caption className="visually-hidden">Main figures</caption>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          {shown.map(side => {
            const runs = Math.max(0, ...rows.map(row => row.runs[side]?.length ?? 0))
            return (
              <th key={side} scope="col">
                {sides[side] && <SideBadge side={sides[side]} />}{' '}
                {runs > 1 && <span className="group-heading">{`median of ${runs}, range`}</span>}
              </th>
            )
          })}
          <th scope="col">unit</th>
          <th scope="col">each run a dot, from 0</th>
          <th scope="col">
            {sides[compared]?.letter} / {sides[baseline]?.letter}
          </th>
          <th scope="col">95% interval</th>
          <th scope="col">verdict</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <GroupRow key={row.key} row={row} shown={shown} compared={compared} sides={sides} />
        ))}
      </tbody>
    </table>
  )
}

interface GroupRowProps extends Pick<GroupFiguresProps, 'sides' | 'compared'> {
  readonly row: DifferenceRow
  readonly shown: readonly number[]
}

function GroupRow({ row, shown, compared, sides }: GroupRowProps) {
  const change = row.changes[compared]
  return (
    <tr data-key={row.key}>
      <th scope="row">
        <TermText text={row.label} />
        <span className="group-unit-below"> {row.unit}</span>
      </th>
      {shown.map(side => {
        const values = row.runs[side] ?? []
        return (
          <td key={side} data-other={side === compared}>
            {values.length > 0 && cell(medianOf(values))}
            <Dagger row={row} run={side} />
            {values.length > 1 && (
              <span className="group-range">{rangeInWords(cell(Math.min(...values)), cell(Math.max(...values)))}</span>
            )}
          </td>
        )
      })}
      <td className="group-unit">{row.unit}</td>
      <td className="group-dots">
        <Dots row={row} shown={shown} sides={sides} />
      </td>
      <td data-verdict={change?.verdict}>{changeWords(row, compared)}</td>
      <td>{change?.interval === undefined || change.verdict === 'equal' ? '' : intervalText(change.interval)}</td>
      <td>
        <ChangeVerdict change={change} />
      </td>
    </tr>
  )
}

/** Size of the picture of dots, px. */
const WIDTH = 208
const HEIGHT = 16
const RADIUS = 3.5

function Dots({ row, shown, sides }: Omit<GroupRowProps, 'compared'>) {
  const places = dotPlaces(
    shown.map(side => row.runs[side] ?? []),
    WIDTH - 2 * RADIUS - 2,
  )
  const words = shown.map(side => `${sides[side]?.letter}: ${(row.runs[side] ?? []).map(cell).join(', ')}`)
  const label = `${row.label}, each run: ${words.join('; ')} ${row.unit}`.trim()
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <line className="group-dots-axis" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      {places.flatMap((xs, i) =>
        xs.map((x, run) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a side keep their places
            key={`${i} ${run}`}
            data-run={sides[shown[i] ?? 0]?.letter}
            cx={RADIUS + 1 + x}
            cy={HEIGHT / 2}
            r={RADIUS}
          />
        )),
      )}
    </svg>
  )
}
