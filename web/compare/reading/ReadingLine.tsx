/** A line of a text that was read, with its number, and the figures that were used of it. */
import type { ReactNode } from 'react'
import type { ResultsDocument, ResultsReading, TableReading, TextReading, UsedNumber } from '../../engine/protocol'
import { sideOf } from '../results/tableSides'
import { MAX_ROW, type SideLabel, type TextRow } from './rows'
import { letterOf } from './sides'

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
  readonly parameters: TextReading['parameters']
  readonly block: TableReading | undefined
  /** The number to which Tab goes. */
  readonly current: number
  /** Of its side. */
  readonly letter: string | undefined
  /** Of a heading: the side that it names. */
  readonly side: string | undefined
  /** Nothing of its block is used. */
  readonly dimmed: boolean
  /** Lower case; marked where they stand. */
  readonly words: readonly string[]
  /** Of a heading. */
  readonly menu: ReactNode
  showCell(number: number): void
}

/** A part of a line that is not plain text. */
interface NumberMark {
  readonly start: number
  readonly end: number
  draw(shown: string): ReactNode
}

/** A part of a line with its marks; of marks that overlap, the first one is drawn. */
function piecesOf(line: string, begin: number, end: number, marks: readonly NumberMark[]): readonly ReactNode[] {
  const pieces: ReactNode[] = []
  let at = begin
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    const [from, to] = [Math.max(mark.start, at), Math.min(mark.end, end)]
    if (from >= to) continue
    if (from > at) pieces.push(line.slice(at, from))
    pieces.push(mark.draw(line.slice(from, to)))
    at = to
  }
  if (at < end) pieces.push(line.slice(at, end))
  return pieces
}

/** Where words stand, outside of other marks. */
function foundMarks(line: string, words: readonly string[], others: readonly NumberMark[]): readonly NumberMark[] {
  const text = words.length > 0 ? line.toLowerCase() : ''
  const found: NumberMark[] = []
  for (const word of words)
    for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + word.length)) {
      const end = start + word.length
      if (others.some(mark => mark.start < end && start < mark.end)) continue
      found.push({ start, end, draw: shown => <mark key={`f${start}`}>{shown}</mark> })
    }
  return found
}

export function ReadingLine(props: ReadingLineProps) {
  const { row, line, number, digits, used, range, document, reading, lone, labels, parameters, block } = props
  const { current, letter, side, dimmed, words, menu, showCell } = props
  const end = Math.min(line.length, row.start + MAX_ROW)
  const marks: NumberMark[] = []
  for (let index = range[0]; index < range[1]; index++) {
    const place = used[index]
    if (!place) continue
    const [, start, stop, t, run, f] = place
    const table = document.tables[t]
    const figure = table?.runs[run]?.figures[f]
    if (!table || !figure) continue
    const own = sideOf(table, run)
    const its = reading.tables[t]
    const mark = its && letterOf(its, own)
    const title = `${figure.label}${own === undefined ? '' : `, ${mark ?? ''} ${own}`}`
    const draw = (shown: string) => (
      <button
        key={`n${start}`}
        type="button"
        className="reading-number"
        data-number={index}
        {...(mark !== undefined && { 'data-run': mark })}
        data-lone={lone[t]?.has(figure.key) ?? false}
        data-found={words.some(word => shown.toLowerCase().includes(word))}
        tabIndex={index === current ? 0 : -1}
        title={title}
        onClick={() => showCell(index)}
      >
        {shown}
        <span className="visually-hidden">: {title}. Show its cell</span>
      </button>
    )
    marks.push({ start, end: stop, draw })
  }
  for (const { start, end: stop, side: own } of labels) {
    const mark = block && letterOf(block, own)
    const draw = (shown: string) => (
      <b key={`l${start}`} className="reading-label" {...(mark !== undefined && { 'data-run': mark })}>
        {shown}
        <span className="visually-hidden"> side {mark}</span>
      </b>
    )
    marks.push({ start, end: stop, draw })
  }
  // A label that begins with a digit is a value of a dimension, too.
  for (const [, start, stop] of parameters) {
    const draw = (shown: string) => (
      <span key={`p${start}`} className="reading-parameter" title="parameter">
        {shown}
      </span>
    )
    marks.push({ start, end: stop, draw })
  }
  marks.push(...foundMarks(line, words, marks))
  const pieces = piecesOf(line, row.start, end, marks)
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
          <span aria-hidden="true">heading → </span>
          {menu || `side ${letter ?? side}`}
        </span>
      )}
    </div>
  )
}
