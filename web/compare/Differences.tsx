/** All figures of the sides next to each other: value, difference, ratio with its interval, and verdict. */
import { useMemo, useState } from 'react'
import { laneText } from '../charts/counters/data'
import { deviceName } from '../charts/shared/answers/names'
import { UnreliableMark } from '../charts/shared/frame/LossIntervals'
import { saveFile } from '../charts/shared/menu/files'
import { useCopy } from '../charts/shared/menu/useCopy'
import { explained } from '../engine/findings'
import type { CompareDocument, ContextRow } from '../engine/protocol'
import { measuredAt } from '../lib/docs'
import { count, counted } from '../lib/format'
import { type CurrentComparison, comparisonsOf } from '../state/comparing/comparing'
import { deviceOf } from '../state/filter'
import { lettersOfSide } from '../state/runs/letters'
import type { ComparedRuns, Run } from '../state/types'
import './differences.css'
import { type FigureCharts, FigureName } from './FigureName'
import { type FigureGroup, groupFigures } from './figureGroups'
import {
  barShare,
  CHANCE,
  cell,
  type DifferenceRow,
  type FigureChange,
  intervalText,
  mayBeChance,
  ownIntervalText,
  rowsOf,
  signed,
  sortByCertainty,
  sortBySize,
  spreadCell,
  unreliableNote,
} from './rows'
import { asCsv, asText, type DifferenceTable, type TableSide } from './summary'
import { significantFrom, VERDICT_MARKS, VERDICT_WORDS, verdictInWords } from './verdicts'

/** Rows of all figures, and the heads of their columns. `allRuns` has the runs of the comparison, among others. */
export function useRows({ document, runs: ids }: ComparedRuns, allRuns: readonly Run[]) {
  return useMemo(() => {
    const runs = ids.map(id => allRuns.find(run => run.id === id))
    const rows = rowsOf(document, comparisonsOf(document))
    const sides = document.sides.map((side): TableSide => {
      const sideRuns = side.runs.flatMap(i => runs[i] ?? [])
      const letters = sideRuns.map(run => run.letter)
      return {
        letter: lettersOfSide(letters),
        label: side.label,
        device: [...new Set(sideRuns.map(run => deviceName(deviceOf(run)?.dev ?? '', run)))].join(', '),
      }
    })
    const table: DifferenceTable = {
      application: rows.filter(row => row.application),
      rows: rows.filter(row => !row.application),
      zero: document.zero?.map(figure => figure.label) ?? [],
    }
    return { table, sides }
  }, [document, ids, allRuns])
}

/** How certain the table's verdicts are, in a few words. */
function noiseWords({ document, comparison }: CurrentComparison): string {
  const groups = document.sides.every(side => side.runs.length > 1)
  const method = groups
    ? 'mean \u00b1 standard deviation (runs); 95% intervals from the spread between runs'
    : '95% intervals from the variation within each run; counts, extremes, and quantiles of depth and seeks have none'
  const total = comparison.figures.some(({ key }) => key.endsWith('bps')) ? 'throughput' : 'run time'
  const unsure = comparison.figures.some(({ verdict }) => verdict === 'unsure')
    ? `; ${VERDICT_MARKS.unsure} ${verdictInWords('unsure')}`
    : ''
  return `${method}; ${significantFrom([comparison.threshold], { figure: total })}${unsure}`
}

export interface DifferencesProps {
  readonly compared: ComparedRuns
  readonly current: CurrentComparison
  readonly runs: readonly Run[]
  /** Where the names of figures lead. */
  readonly charts: FigureCharts
}

export function Differences({ compared, current, runs, charts }: DifferencesProps) {
  const { table, sides } = useRows(compared, runs)
  const devices = [...new Set(sides.map(side => side.device))].join(', ')
  const [order, setOrder] = useState<FigureOrder>('groups')
  const [folded, setFolded] = useState(true)
  const { baseline } = current.document
  const context = compared.document.context ?? []
  const comparedSide = current.comparison.side
  const note = unreliableNote(
    [...table.rows],
    sides.map(side => side.letter),
  )
  const chance = chanceNote(table.rows, comparedSide)
  const unchanged = table.rows.filter(row => isUnchanged(row, comparedSide)).length
  return (
    <section className="differences" aria-labelledby="differences-title" data-chart="figures">
      <header>
        <h2 id="differences-title">Differences</h2>
        <span className="differences-what">{`${devices}; ${noiseWords(current)}`}</span>
        <DifferenceTools table={table} sides={sides} baseline={baseline} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="differences-scroll" tabIndex={0} aria-label="Table of differences">
        <table data-spread={current.document.sides.some(side => side.runs.length > 1)} data-folded={folded}>
          <TableHead sides={sides} baseline={baseline} comparedSide={comparedSide} order={order} onSort={setOrder} />
          {table.application.length > 0 && (
            <TableRows
              title={APPLICATION}
              rows={table.application}
              sides={sides}
              baseline={baseline}
              comparedSide={comparedSide}
              charts={charts}
            />
          )}
          {table.application.length > 0 && (
            <tbody>
              <tr className="differences-part">
                <th scope="rowgroup" colSpan={sides.length + 7}>
                  What the disk saw
                </th>
              </tr>
            </tbody>
          )}
          {orderedGroups(table.rows, order, comparedSide).map(({ heading, rows }) => (
            <TableRows
              key={heading}
              title={heading}
              rows={rows}
              sides={sides}
              baseline={baseline}
              comparedSide={comparedSide}
              charts={charts}
            />
          ))}
          {context.length > 0 && <ContextRows rows={context} document={compared.document} sides={sides} />}
        </table>
      </section>
      {unchanged > 0 && (
        <button
          type="button"
          className="link differences-fold"
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          {folded
            ? `Show ${counted(unchanged, 'figure')} that ${unchanged === 1 ? 'is' : 'are'} equal or within noise`
            : 'Hide figures that are equal or within noise'}
        </button>
      )}
      {chance !== undefined && <p className="differences-zero">{chance}</p>}
      {note !== undefined && <p className="differences-zero">† {note}</p>}
      {table.zero.length > 0 && (
        <p className="differences-zero">
          {`0 in ${compared.runs.length === 2 ? 'both' : 'all'} runs: ${table.zero.join('; ')}.`}
        </p>
      )}
    </section>
  )
}

const APPLICATION = 'What the application saw'

/** In groups with headings, by how large the change is, or by how certain it is. */
type FigureOrder = 'groups' | 'size' | 'certainty'

const isUnchanged = (row: DifferenceRow, side: number): boolean => {
  const verdict = row.changes[side]?.verdict
  return verdict === 'equal' || verdict === 'noise'
}

function orderedGroups(rows: readonly DifferenceRow[], order: FigureOrder, side: number): readonly FigureGroup[] {
  if (order === 'groups') return groupFigures(rows)
  if (order === 'certainty') return [{ heading: 'The most certain changes first', rows: sortByCertainty(rows, side) }]
  return [{ heading: 'The largest changes first', rows: sortBySize(rows, side) }]
}

interface TableHeadProps {
  readonly sides: readonly TableSide[]
  readonly baseline: number
  readonly comparedSide: number
  readonly order: FigureOrder
  onSort(order: FigureOrder): void
}

function TableHead({ sides, baseline, comparedSide, order, onSort }: TableHeadProps) {
  return (
    <thead>
      <tr>
        <SortHead order="groups" current={order} onSort={onSort} text="Metric" />
        <th scope="col">unit</th>
        {sides.map((side, i) => (
          <th key={side.letter} scope="col" data-figure="" title={side.label}>
            {side.letter}
            {i === baseline && sides.length > 2 ? ' (baseline)' : ''}
          </th>
        ))}
        <th scope="col" data-figure="">{`${sides[comparedSide]?.letter} − ${sides[baseline]?.letter}`}</th>
        <SortHead
          order="size"
          current={order}
          onSort={onSort}
          text={`${sides[comparedSide]?.letter} / ${sides[baseline]?.letter}`}
          isFigure
        />
        <th scope="col" data-figure="">
          95% interval
        </th>
        <th scope="col" className="differences-scale">
          <span>1/32</span>
          <span>same</span>
          <span>×32</span>
        </th>
        <SortHead
          order="certainty"
          current={order}
          onSort={onSort}
          text={sides.length > 2 ? `verdict on ${sides[comparedSide]?.letter}` : 'verdict'}
          className="differences-verdict"
        />
      </tr>
    </thead>
  )
}

interface SortHeadProps {
  readonly order: FigureOrder
  readonly current: FigureOrder
  onSort(order: FigureOrder): void
  readonly text: string
  readonly isFigure?: boolean
  readonly className?: string
}

/** A heading that sorts the table. */
function SortHead({ order, current, onSort, text, isFigure, className }: SortHeadProps) {
  const isCurrent = order === current
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isCurrent ? (order === 'groups' ? 'other' : 'descending') : undefined}
      {...(isFigure && { 'data-figure': '' })}
    >
      <button type="button" className="differences-sort" onClick={() => onSort(order)}>
        {text}
        <span aria-hidden="true">{isCurrent ? ' \u25be' : ''}</span>
      </button>
    </th>
  )
}

interface ContextRowsProps {
  readonly rows: readonly ContextRow[]
  readonly document: CompareDocument
  readonly sides: readonly TableSide[]
}

/** Counters of other tools, as means only: they are not figures of the trace, and get no verdict. */
function ContextRows({ rows, document, sides }: ContextRowsProps) {
  const mean = (row: ContextRow, runs: readonly number[]) => {
    const values = runs.flatMap(run => row.values[run] ?? [])
    return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : undefined
  }
  return (
    <tbody data-context="">
      <tr className="differences-part">
        <th scope="rowgroup" colSpan={sides.length + 7}>
          <a href={measuredAt('counters')} target="_blank" rel="noopener">
            Counters of other tools, mean over the run
          </a>
        </th>
      </tr>
      {rows.map(row => (
        <tr key={`${row.tool} ${row.of} ${row.name}`}>
          <th scope="row">{`${row.of === 'machine' ? '' : `${row.of} `}${row.name}`}</th>
          <td className="differences-unit">{row.tool}</td>
          {document.sides.map((side, i) => (
            <td key={sides[i]?.letter} data-figure="">
              {laneText(row.unit, mean(row, side.runs))}
            </td>
          ))}
          <td colSpan={5} />
        </tr>
      ))}
    </tbody>
  )
}

interface TableRowsProps {
  readonly title: string | undefined
  readonly rows: readonly DifferenceRow[]
  readonly sides: readonly TableSide[]
  readonly baseline: number
  readonly comparedSide: number
  readonly charts: FigureCharts
}

function TableRows({ title, rows, sides, baseline, comparedSide, charts }: TableRowsProps) {
  return (
    <tbody>
      {title !== undefined && (
        <tr className="differences-part">
          <th scope="rowgroup" colSpan={sides.length + 7}>
            {title === APPLICATION ? (
              <a href={measuredAt('what-the-application-saw')} target="_blank" rel="noopener">
                {title}
              </a>
            ) : (
              title
            )}
          </th>
        </tr>
      )}
      {rows.map(row => (
        <tr key={row.key} data-key={row.key} data-unchanged={isUnchanged(row, comparedSide)}>
          <th scope="row">
            <FigureName figureKey={row.key} label={row.label} charts={charts} />
          </th>
          <td className="differences-unit">{row.unit}</td>
          {row.values.map((_, i) => (
            <td key={sides[i]?.letter} data-figure="" title={ownIntervalText(row, i)}>
              {spreadCell(row, i)}
              <Dagger row={row} run={i} />
              {sides.length > 2 && row.changes[i] && (
                <small data-verdict={row.changes[i].verdict}>
                  {VERDICT_MARKS[row.changes[i].verdict]} {row.changes[i].text}
                </small>
              )}
            </td>
          ))}
          <PairCells row={row} baseline={baseline} comparedSide={comparedSide} />
        </tr>
      ))}
    </tbody>
  )
}

/** A number rounded to two digits: `3,700`. */
const roundedCount = (requests: number): string => count(Number(requests.toPrecision(2)))

/** The mark behind a value that lost events make unreliable. */
export function Dagger({ row, run }: { readonly row: DifferenceRow; readonly run: number }) {
  return <UnreliableMark spoiled={row.unreliable[run] ? [row.key] : undefined} names={[row.key]} />
}

/** A line from end to end, with a stroke at each end that is within the scale. */
function whisker([low, high]: NonNullable<FigureChange['interval']>): string {
  const position = (ratio: number | null, open: number) => (ratio === null ? open : (barShare(ratio) ?? -1) * 100)
  const [from, to] = [position(low, -100), position(high, 100)]
  const endStroke = (x: number) => (Math.abs(x) < 100 ? `M${x} 3v6` : '')
  return `M${from} 6H${to}${endStroke(from)}${endStroke(to)}`
}

/** Explains the mark of figures that may be chance, among those tested at once; `undefined` if none is marked. */
function chanceNote(rows: readonly DifferenceRow[], side: number): string | undefined {
  const tested = rows.filter(row => row.changes[side]?.fdr !== undefined).length
  const marked = rows.filter(row => row.changes[side] && mayBeChance(row.changes[side])).length
  if (marked === 0) return undefined
  return [
    `May be chance: ${tested} figures are tested at once, and of those that are called different`,
    `more than ${CHANCE * 100}% would be so by chance (false discovery rate)`,
    `if ${marked === 1 ? 'this one' : `these ${marked}`} counted.`,
  ].join(' ')
}

function PairCells({
  row,
  baseline,
  comparedSide,
}: {
  readonly row: DifferenceRow
  readonly baseline: number
  readonly comparedSide: number
}) {
  const change = row.changes[comparedSide]
  const { text, ratio, interval, needs, verdict, noise } = change ?? {}
  const share = barShare(ratio)
  const chance = change !== undefined && mayBeChance(change)
  return (
    <>
      <td data-figure="">{signed(row.values[baseline], row.values[comparedSide])}</td>
      <td data-figure="">
        <b>{text ?? cell(undefined)}</b>
      </td>
      {needs === undefined || verdict === 'equal' ? (
        <td data-figure="">{interval === undefined || verdict === 'equal' ? '' : intervalText(interval)}</td>
      ) : (
        <td
          className="differences-needs"
          title="The slowest requests come together: too few independent ones for an interval."
        >
          needs about {roundedCount(needs)} requests
        </td>
      )}
      <td className="differences-bar">
        <svg viewBox="-100 0 200 12" preserveAspectRatio="none" aria-hidden="true">
          <path className="differences-grid" d="M-99.5 0v12M99.5 0v12" />
          {share !== undefined && (
            <rect
              className="differences-change"
              data-change={verdict}
              x={Math.min(0, share * 100)}
              y={0}
              width={Math.abs(share) * 100}
              height={12}
            />
          )}
          <path className="differences-same" d="M0 0v12" />
          {interval !== undefined && verdict !== 'equal' && (
            <path className="differences-whisker" d={whisker(interval)} />
          )}
        </svg>
      </td>
      <td className="differences-verdict" data-verdict={verdict} title={verdict && verdictInWords(verdict, noise)}>
        {verdict === undefined
          ? ''
          : `${VERDICT_MARKS[verdict]} ${VERDICT_WORDS[verdict]}${chance ? ', may be chance' : ''}`}
      </td>
    </>
  )
}

function DifferenceTools({
  table,
  sides,
  baseline,
}: {
  readonly table: DifferenceTable
  readonly sides: readonly TableSide[]
  readonly baseline: number
}) {
  const { notice, copy } = useCopy()
  return (
    <span className="differences-tools">
      <a href={explained('how-noise-is-judged')} target="_blank" rel="noopener">
        How noise is judged
      </a>
      <a href={measuredAt('figures')} target="_blank" rel="noopener">
        How this is measured
      </a>
      <button type="button" onClick={() => copy(asText(table, sides, baseline))}>
        <span aria-live="polite">{notice ?? 'Copy as text'}</span>
      </button>
      <button
        type="button"
        onClick={() => saveFile('differences.csv', new Blob([asCsv(table, sides, baseline)], { type: 'text/csv' }))}
      >
        CSV
      </button>
    </span>
  )
}
