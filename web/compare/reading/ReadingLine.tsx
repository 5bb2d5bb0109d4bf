/** A line of a text that was read, with its number, and the figures that were used of it. */
import type { ReactNode } from 'react'
import type { ResultsDocument, ResultsReading, TableReading, TextReading, UsedNumber } from '../../engine/protocol'
import { sideOf } from '../results/tableSides'
import { MAX_ROW, type SideLabel, type TextRow } from './rows'
import { letterOf } from './sides'

export interface ReadingLineProps {
  readonly row: TextRow
  readonly line: string
  /** Number of the line, from 1, and the number of digits that all line numbers get. */
  readonly number: number
  readonly digits: number
  readonly used: readonly UsedNumber[]
  /** Indices of the used numbers in this line, end exclusive. */
  readonly range: readonly [number, number]
  readonly document: ResultsDocument
  readonly reading: ResultsReading
  /** For each table, the keys of figures that only one side has. */
  readonly lone: readonly ReadonlySet<string>[]
  readonly labels: readonly SideLabel[]
  readonly parameters: TextReading['parameters']
  readonly block: TableReading | undefined
  /** Index of the number that is in the tab order. */
  readonly current: number
  /** Letter of the block's side. */
  readonly letter: string | undefined
  /** The side that a heading names; absent for other lines. */
  readonly side: string | undefined
  /** Set if nothing of the block is used. */
  readonly dimmed: boolean
  /** Words of the search, lower case; they are marked. */
  readonly words: readonly string[]
  /** Menu that replaces the words of a heading; empty for other lines. */
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
function markedNodes(line: string, begin: number, end: number, marks: readonly NumberMark[]): readonly ReactNode[] {
  const pieces: ReactNode[] = []
  let position = begin
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    const [start, stop] = [Math.max(mark.start, position), Math.min(mark.end, end)]
    if (start >= stop) continue
    if (start > position) pieces.push(line.slice(position, start))
    pieces.push(mark.draw(line.slice(start, stop)))
    position = stop
  }
  if (position < end) pieces.push(line.slice(position, end))
  return pieces
}

/** Marks for words of the search; a word that overlaps another mark is skipped, because marks cannot nest. */
function searchMarks(line: string, words: readonly string[], existing: readonly NumberMark[]): readonly NumberMark[] {
  const text = words.length > 0 ? line.toLowerCase() : ''
  const marks: NumberMark[] = []
  for (const word of words)
    for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + word.length)) {
      const end = start + word.length
      if (existing.some(mark => mark.start < end && start < mark.end)) continue
      marks.push({ start, end, draw: part => <mark key={`f${start}`}>{part}</mark> })
    }
  return marks
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
    const runSide = sideOf(table, run)
    const tableReading = reading.tables[t]
    const mark = tableReading && letterOf(tableReading, runSide)
    const title = `${figure.label}${runSide === undefined ? '' : `, ${mark ?? ''} ${runSide}`}`
    const draw = (text: string) => (
      <button
        key={`n${start}`}
        type="button"
        className="reading-number"
        data-number={index}
        {...(mark !== undefined && { 'data-run': mark })}
        data-lone={lone[t]?.has(figure.key) ?? false}
        data-found={words.some(word => text.toLowerCase().includes(word))}
        tabIndex={index === current ? 0 : -1}
        title={title}
        onClick={() => showCell(index)}
      >
        {text}
        <span className="visually-hidden">: {title}. Show its cell</span>
      </button>
    )
    marks.push({ start, end: stop, draw })
  }
  for (const { start, end: stop, side: labelSide } of labels) {
    const mark = block && letterOf(block, labelSide)
    const draw = (text: string) => (
      <b key={`l${start}`} className="reading-label" {...(mark !== undefined && { 'data-run': mark })}>
        {text}
        <span className="visually-hidden"> side {mark}</span>
      </b>
    )
    marks.push({ start, end: stop, draw })
  }
  // A label that begins with a digit is also a value of a dimension; the mark of the label was added first, and wins.
  for (const [, start, stop] of parameters) {
    const draw = (text: string) => (
      <span key={`p${start}`} className="reading-parameter" title="parameter">
        {text}
      </span>
    )
    marks.push({ start, end: stop, draw })
  }
  marks.push(...searchMarks(line, words, marks))
  const pieces = markedNodes(line, row.start, end, marks)
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
