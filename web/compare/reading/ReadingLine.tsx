/** A line of a text that was read, with its number, and the figures that were used of it. */
import type { ResultsDocument, ResultsReading, TableReading, UsedNumber } from '../../engine/protocol'
import { MAX_ROW, type SideLabel, type TextRow } from './rows'
import { letterOf, sideOf } from './sides'

export interface ReadingLineProps {
  readonly row: TextRow
  /** The complete line. */
  readonly line: string
  /** As people count them, and how many digits all numbers have. */
  readonly number: number
  readonly digits: number
  readonly used: readonly UsedNumber[]
  /** Indices of those in this line. */
  readonly range: readonly [number, number]
  readonly document: ResultsDocument
  readonly reading: ResultsReading
  /** Of each table, the keys of figures that one side alone has. */
  readonly lone: readonly ReadonlySet<string>[]
  /** Labels of sides in this line; of the table of its block. */
  readonly labels: readonly SideLabel[]
  readonly block: TableReading | undefined
  /** The number to which Tab goes. */
  readonly current: number
  /** Of its side. */
  readonly letter: string | undefined
  /** Of a heading: the side that it names. */
  readonly side: string | undefined
  /** Nothing of its block is used. */
  readonly dimmed: boolean
  showCell(number: number): void
}

export function ReadingLine(props: ReadingLineProps) {
  const { row, line, number, digits, used, range, document, reading, lone, labels, block, current } = props
  const { letter, side, dimmed, showCell } = props
  const end = Math.min(line.length, row.start + MAX_ROW)
  const pieces: React.ReactNode[] = []
  let at = row.start
  for (let index = range[0]; index < range[1]; index++) {
    const place = used[index]
    if (!place) continue
    const [, start, stop, t, run, f] = place
    const [from, to] = [Math.max(start, at), Math.min(stop, end)]
    if (from >= to) continue
    const table = document.tables[t]
    const figure = table?.runs[run]?.figures[f]
    if (!table || !figure) continue
    const own = sideOf(table, run)
    const its = reading.tables[t]
    const mark = its && letterOf(its, own)
    if (from > at) pieces.push(line.slice(at, from))
    const shown = line.slice(from, to)
    const words = `${figure.label}${own === undefined ? '' : `, ${mark ?? ''} ${own}`}`
    pieces.push(
      <button
        key={index}
        type="button"
        className="reading-number"
        data-number={index}
        {...(mark !== undefined && { 'data-run': mark })}
        data-lone={lone[t]?.has(figure.key) ?? false}
        tabIndex={index === current ? 0 : -1}
        title={words}
        onClick={() => showCell(index)}
      >
        {shown}
        <span className="visually-hidden">: {words}. Show its cell</span>
      </button>,
    )
    at = to
  }
  // A heading has labels and no numbers.
  for (const { start, end: stop, side: own } of range[0] === range[1] ? labels : []) {
    if (start < at || stop > end) continue
    pieces.push(
      line.slice(at, start),
      <b key={start} className="reading-label" data-run={block && letterOf(block, own)}>
        {own}
        <span className="visually-hidden"> side {block && letterOf(block, own)}</span>
      </b>,
    )
    at = stop
  }
  if (at < end) pieces.push(line.slice(at, end))
  return (
    <div
      className={row.kind === 'heading' ? 'reading-heading' : 'reading-line'}
      {...(letter !== undefined && { 'data-run': letter })}
      data-dimmed={dimmed}
      data-line={row.line}
    >
      <span className="reading-line-number" style={{ width: `${digits}ch` }} aria-hidden="true">
        {row.start === 0 ? number : ''}
      </span>
      {row.kind === 'heading' && letter !== undefined && <span className="badge">{letter}</span>}
      <span>{pieces}</span>
      {row.kind === 'heading' && side !== undefined && (
        <span className="reading-heading-side">
          <span aria-hidden="true">heading → </span>side {letter ?? side}
        </span>
      )}
    </div>
  )
}
