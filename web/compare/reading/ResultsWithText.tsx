/** Results beside the texts that they were read from: from a cell to its line, and back. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MatrixText } from '../matrix/MatrixTable'
import { Results, type ResultsProps } from '../results/Results'
import { type PlacedNumber, type ReadingActions, ReadingPanel } from './ReadingPanel'
import './results-text.css'
import { resultsView, rowOfFigure } from '../figures/rows'
import { sideOfLine } from '../results/tableSides'
import { letterIn } from '../results/useResults'

interface ResultsWithTextProps extends ResultsProps {
  readonly actions?: ReadingActions
}

/** A cell that gets the focus once it is drawn. */
interface SoughtCell {
  readonly table: number
  readonly run: number
  readonly figure: string
}

export function ResultsWithText({ actions, ...props }: ResultsWithTextProps) {
  const { results, layout, setLayout, show } = props
  const { document, texts, linked = [], files } = results
  const box = useRef<HTMLDivElement>(null)
  const [target, setTarget] = useState<PlacedNumber>()
  const [sought, setSought] = useState<SoughtCell>()
  const tableIndex = document.tables[layout.table ?? 0] ? (layout.table ?? 0) : 0
  const ownIndex = tableIndex - linked.length
  const table = document.tables[tableIndex]

  /** Places of figures in the texts, by table, run and figure. */
  const places = useMemo(() => {
    const byKey = (texts?.reading.texts ?? []).flatMap(({ used }, text) =>
      used.map(([, , , t, run, figure], number) => [`${t} ${run} ${figure}`, { text, number }] as const),
    )
    return new Map<string, PlacedNumber>(byKey)
  }, [texts])

  useEffect(() => {
    if (!sought || sought.table !== tableIndex) return
    const cells = box.current?.querySelectorAll<HTMLElement>(`[data-cell][data-runs~="${sought.run}"]`)
    const cell = [...(cells ?? [])].find(candidate => candidate.dataset.cell === sought.figure)
    cell?.focus()
    if (cell) setSought(undefined)
  })

  const placeOf = (figure: string, runs: readonly string[]): PlacedNumber | undefined => {
    for (const run of runs) {
      const index = table?.runs[Number(run)]?.figures.findIndex(({ key }) => key === figure) ?? -1
      const place = places.get(`${ownIndex} ${run} ${index}`)
      if (place) return place
    }
    return undefined
  }
  const text: MatrixText = {
    canShow: (figure, runs) => placeOf(figure, runs) !== undefined,
    show(figure, runs) {
      const place = placeOf(figure, runs)
      if (place) setTarget({ ...place })
    },
    badge: (axis, values) =>
      props.shown.shown && letterIn(props.shown.sides, sideOfLine(props.shown.shown.table, axis, { key: '', values })),
  }
  const showCell = useCallback(
    ({ text, number }: PlacedNumber) => {
      const [, , , t = 0, run = 0, figure = 0] = texts?.reading.texts[text]?.used[number] ?? []
      const index = t + linked.length
      const key = document.tables[index]?.runs[run]?.figures[figure]?.key
      if (key === undefined) return
      const { table: _, ...rest } = index === tableIndex ? layout : {}
      const next = { ...rest, ...(index > 0 && { table: index }), figure: key }
      const matrix = props.shown.document.tables[index]
      const row = matrix ? rowOfFigure(matrix, key) : key
      const view = show && resultsView(next, matrix)
      const isTable = view === 'table' || view === 'text'
      setLayout({
        ...next,
        ...(view !== undefined && view !== 'matrix' && { show: 'table' }),
        ...(next.hidden && { hidden: next.hidden.filter(hiddenRow => hiddenRow !== row) }),
      })
      setSought({ table: index, run, figure: isTable || view === 'chart' ? row : key })
    },
    [texts, linked.length, document, tableIndex, layout, setLayout, show, props.shown.document],
  )
  return (
    <div className="results-read-box" data-alone={show !== undefined} data-show={show}>
      <div className="results-read" ref={box}>
        {show !== 'text' && <Results {...props} text={text} sought={sought?.figure} />}
        {texts ? (
          <ReadingPanel
            results={results}
            texts={texts}
            table={ownIndex}
            target={target}
            actions={files.length > 0 ? actions : undefined}
            showCell={showCell}
            search={props.search ?? ''}
            onShown={() => setTarget(undefined)}
          />
        ) : (
          linked.length > 0 && (
            <section className="results-read-linked" aria-labelledby="reading-title">
              <h2 id="reading-title">How this text was read</h2>
              <p>
                {table?.evidence && `Read ${table.evidence}. `}The text is not in the link or report: they carry the
                tables only.
              </p>
            </section>
          )
        )}
      </div>
    </div>
  )
}
