/** The table and the metric of results that the page shows, laid out as the user chose. */
import { useEffect, useMemo, useState } from 'react'
import type { MatrixFigure, ResultMatrix, ResultsDocument } from '../../engine/protocol'
import { LETTERS, type RunLetter } from '../../link/view'
import { resultLayout, storedTables } from '../../state/comparing/results'
import type { PageResults } from '../../state/page'
import type { MatrixLayout } from '../../state/types'
import type { MatrixView } from '../matrix/matrixText'
import { viewOf } from './results'
import { sideNames } from './tableSides'

export interface ShownResults {
  readonly document: ResultsDocument
  readonly tableIndex: number
  /** What is shown of the table; absent if nothing was read. */
  readonly shown?: {
    readonly table: ResultMatrix
    readonly figure: MatrixFigure
    readonly view: MatrixView
  }
  /** The sides in the order of their letters, whatever the base is now. */
  readonly sides: readonly string[]
}

/** The tables, one of them as the user laid it out. The previous answer stays until the engine has answered. */
function useArranged({ document, client }: PageResults, layout: MatrixLayout): ResultsDocument {
  const [arranged, setArranged] = useState<ResultsDocument>()
  const layoutText = JSON.stringify(resultLayout(layout))
  useEffect(() => {
    let current = true
    const show = (next: ResultsDocument | undefined) => current && setArranged(next)
    if (layoutText === undefined) show(undefined)
    else {
      const tables = storedTables(document, { files: true, distributions: true })
      client.arrange({ tables, layout: JSON.parse(layoutText) }).then(show, () => show(undefined))
    }
    return () => {
      current = false
    }
  }, [document, client, layoutText])
  return arranged ?? document
}

export function useShownResults(results: PageResults, layout: MatrixLayout): ShownResults {
  const document = useArranged(results, layout)
  const tableIndex = document.tables[layout.table ?? 0] ? (layout.table ?? 0) : 0
  const table = document.tables[tableIndex]
  const figure = table?.figures.find(f => f.key === layout.figure) ?? table?.figures[0]
  const asRead = results.document.tables[tableIndex]
  const sides = useMemo(() => (asRead ? sideNames(asRead) : []), [asRead])
  const shown = useMemo(
    () => (table && figure ? { table, figure, view: viewOf(table, figure) } : undefined),
    [table, figure],
  )
  return { document, tableIndex, sides, ...(shown && { shown }) }
}

/** Letter of a side, `A` for the first; absent for what is no side, or if there are more sides than letters. */
export function letterIn(sides: readonly string[], side: string | undefined): RunLetter | undefined {
  return side === undefined ? undefined : LETTERS[sides.indexOf(side)]
}
