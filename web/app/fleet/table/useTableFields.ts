/** The shown columns of a fleet with their widths, formats and outliers. */
import { useMemo } from 'react'
import type { Outliers } from '../../../fleet/rows/outliers'
import { LISTED } from '../../../fleet/rows/select'
import type { Column } from '../../../fleet/table/columns'
import { columnFormat, type FleetField, type Written } from '../fields'
import { outliersIn } from '../outlying'
import type { OpenFleet } from '../useFleet'

const FIGURE_WIDTH = 98
/** Width of a character of a label, px. */
const CHAR = 7.2
/** Characters of the column of findings; more of them are counted. */
export const MAX_FINDINGS_CHARS = 44

export interface TableField {
  readonly field: FleetField
  readonly column: Column | undefined
  readonly written: Written
  readonly width: number
  readonly outliers?: Outliers
}

function widthOf(field: FleetField, column: Column | undefined, narrow: boolean): number {
  if (column?.type !== 'text') return Math.max(FIGURE_WIDTH, Math.min(field.title.length, 15) * CHAR + 20)
  const longest = column.words.slice(0, 2000).reduce((max, word) => Math.max(max, word.length), field.title.length + 2)
  const maxLength = field.name === 'run' ? (narrow ? 17 : 34) : field.name === LISTED ? MAX_FINDINGS_CHARS : 24
  return Math.min(maxLength, Math.max(7, longest)) * CHAR + 20
}

export function useTableFields(
  open: OpenFleet,
  groups: Uint32Array | undefined,
  narrow: boolean,
): readonly TableField[] {
  const { shownColumns, fields, columns, statistics } = open
  const shown = shownColumns.map(name => columns.get(name))
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the columns only the shown ones count
  return useMemo(
    () =>
      shownColumns.flatMap((name, i) => {
        const field = fields.find(name)
        if (!field) return []
        const column = shown[i]
        const outliers = field.kind === 'figure' ? outliersIn(statistics, column, groups) : undefined
        return [
          {
            field,
            column,
            written: columnFormat(field, column),
            width: widthOf(field, column, narrow),
            ...(outliers && { outliers }),
          },
        ]
      }),
    [shownColumns, fields, groups, statistics, narrow, ...shown],
  )
}
