/** The text that was read: lines with their numbers, used figures marked. Only the rows in sight are in the page. */
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ResultsDocument, ResultsReading, TextChoices, TextReading } from '../../engine/protocol'
import { wordsOfSearch } from '../figures/rows'
import { BlockControls } from './BlockControls'
import { HeadingMenu } from './HeadingMenu'
import { ReadingLine } from './ReadingLine'
import { lineNumber, placesIn, type RowHeights, rowAt, rowOf, rowsOf, sideLabels, type TextRows } from './rows'
import { letterOf, loneFigures } from './sides'

const NARROW: RowHeights = { line: 22, heading: 32, controls: 112 }
const WIDE: RowHeights = { line: 18, heading: 24, controls: 36 }
/** Width of phones; keep equal to the query in reading.css. */
const PHONE = '(max-width: 720px)'
/** Number of rows drawn above and below those in sight. */
const MARGIN = 12

export interface ReadingTextProps {
  readonly text: TextReading
  readonly document: ResultsDocument
  readonly reading: ResultsReading
  /**
   * Index of the number that gets the focus. Every request must be a new object, or the same number gets it only
   * once.
   */
  readonly target: { readonly number: number } | undefined
  /** Absent if the text cannot be read again. */
  readonly edit: { readonly choices: TextChoices; choose(choices: TextChoices): void } | undefined
  /** Whether blocks have controls above them. */
  readonly isChanging: boolean
  readonly search: string
  /** Shows the cell that has the number. */
  showCell(number: number): void
  /** Called when the target is in sight. */
  onShown(): void
}

interface Sight {
  readonly top: number
  readonly height: number
  readonly narrow: boolean
}

export function ReadingText(props: ReadingTextProps) {
  const { text, document, reading, target, edit, isChanging, search, showCell, onShown } = props
  const box = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState<Sight>({ top: 0, height: 600, narrow: false })
  const { narrow } = sight
  const rows = useMemo(() => rowsOf(text, narrow ? NARROW : WIDE, isChanging), [text, isChanging, narrow])
  const labels = useMemo(() => sideLabels(rows.lines, text), [rows, text])
  const lone = useMemo(() => document.tables.map(loneFigures), [document])
  const [active, setActive] = useState(0)
  const current = Math.min(active, Math.max(0, text.used.length - 1))
  const words = useMemo(() => wordsOfSearch(search), [search])
  useSight(box, setSight)
  useSearch(box, rows, words)
  useFirstBlock(box, text, rows)
  const goTo = useFocus(box, text, rows, setActive)
  useEffect(() => {
    if (!target) return
    goTo(target.number)
    onShown()
  }, [target, goTo, onShown])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target as Element).closest('[data-number]')) return
    const step: Record<string, number> = {
      ArrowRight: current + 1,
      ArrowDown: current + 1,
      ArrowLeft: current - 1,
      ArrowUp: current - 1,
      Home: 0,
      End: text.used.length - 1,
    }
    const next = step[event.key]
    if (next !== undefined) goTo(Math.max(0, Math.min(text.used.length - 1, next)))
    else if (event.key === 'Escape') showCell(current)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const first = Math.max(0, rowAt(rows, sight.top) - MARGIN)
  const end = Math.min(rows.rows.length, rowAt(rows, sight.top + sight.height) + 1 + MARGIN)
  const digits = String(lineNumber(text, rows.lines.length - 1)).length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section ref={box} className="reading-text" tabIndex={0} aria-label={`Text of ${text.path}`} onKeyDown={onKeyDown}>
      <div className="reading-rows" style={{ height: rows.tops[rows.rows.length] }}>
        <div className="reading-window" style={{ top: rows.tops[first] }}>
          {rows.rows.slice(first, end).map(row => {
            const block = row.block === undefined ? undefined : text.blocks[row.block]
            const table = block?.table === undefined ? undefined : reading.tables[block.table]
            const side = block?.sides.length === 1 ? block.sides[0] : undefined
            if (row.kind === 'controls')
              return (
                <div key={`c${row.line}`} className="reading-controls">
                  {edit && block && <BlockControls text={text} block={block} table={table} {...edit} />}
                </div>
              )
            return (
              <ReadingLine
                key={`${row.line}:${row.start}`}
                row={row}
                line={rows.lines[row.line] ?? ''}
                number={lineNumber(text, row.line)}
                digits={digits}
                used={text.used}
                range={placesIn(text.used, row.line)}
                parameters={text.parameters.slice(...placesIn(text.parameters, row.line))}
                document={document}
                reading={reading}
                lone={lone}
                labels={labels.filter(({ line }) => line === row.line)}
                block={table}
                current={current}
                letter={table && letterOf(table, side)}
                side={row.kind === 'heading' ? side : undefined}
                dimmed={block !== undefined && block.table === undefined}
                words={words}
                menu={
                  row.kind === 'heading' &&
                  edit &&
                  block && <HeadingMenu key={side} text={text} block={block} table={table} {...edit} />
                }
                showCell={showCell}
              />
            )
          })}
        </div>
      </div>
    </section>
  )
}

/** Scrolls to the first line that has a word of the search. */
function useSearch(box: RefObject<HTMLDivElement | null>, rows: TextRows, words: readonly string[]) {
  useEffect(() => {
    if (words.length === 0 || !box.current) return
    const line = rows.lines.findIndex(text => words.every(word => text.toLowerCase().includes(word)))
    const top = line < 0 ? undefined : rows.tops[rowOf(rows, line, 0)]
    if (top !== undefined) box.current.scrollTop = Math.max(0, top - box.current.clientHeight / 3)
  }, [box, rows, words])
}

/** Follows which part of the text is in sight. */
function useSight(box: RefObject<HTMLDivElement | null>, setSight: (change: (sight: Sight) => Sight) => void) {
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () =>
      setSight(sight => {
        const next = {
          top: element.scrollTop,
          height: element.clientHeight,
          narrow: matchMedia(PHONE).matches,
        }
        const isSame = sight.top === next.top && sight.height === next.height && sight.narrow === next.narrow
        return isSame ? sight : next
      })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [box, setSight])
}

/** A text opens where its first block begins. */
function useFirstBlock(box: RefObject<HTMLDivElement | null>, { path, blocks }: TextReading, rows: TextRows) {
  const shown = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (shown.current === path || !box.current) return
    shown.current = path
    const [block] = blocks
    const line = Math.min(block?.heading?.[0] ?? block?.lines[0] ?? 0, block?.lines[0] ?? 0)
    box.current.scrollTop = rows.tops[Math.max(0, rowOf(rows, line, 0) - 3)] ?? 0
  }, [box, path, blocks, rows])
}

/**
 * Returns a function that moves the focus to a number.
 *
 * Only the rows in sight are in the page, so this takes two renders: the function scrolls to the row and stores the
 * number as `pending`; the effect, which runs after every render, focuses the number once its element exists.
 * `latest` holds the current rows, so that the returned function stays the same and can be a dependency of other
 * effects.
 */
function useFocus(
  box: RefObject<HTMLDivElement | null>,
  { used }: TextReading,
  rows: TextRows,
  setActive: (number: number) => void,
) {
  const latest = useRef({ used, rows })
  latest.current = { used, rows }
  const [pending, setPending] = useState<{ readonly number: number }>()
  useEffect(() => {
    if (!pending) return
    const element = box.current?.querySelector<HTMLElement>(`[data-number="${pending.number}"]`)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // Not drawn yet: the scroll event renders these rows, and this effect runs again.
    if (element) setPending(undefined)
  })
  const [goTo] = useState(() => (number: number) => {
    const { used: numbers, rows: textRows } = latest.current
    const place = numbers[number]
    const element = box.current
    if (!place || !element) return
    const row = rowOf(textRows, place[0], place[1])
    const [top = 0, bottom = 0] = [textRows.tops[row], textRows.tops[row + 1]]
    if (top < element.scrollTop || bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = Math.max(0, top - element.clientHeight / 3)
    setActive(number)
    setPending({ number })
  })
  return goTo
}
