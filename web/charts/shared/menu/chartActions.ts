/** What can be done with a chart: the one list from which its data menu and its menu at the pointer take. */
import { type RefObject, useContext } from 'react'
import { pictureOf, rasterize } from '../../picture/picture'
import { ascii, type Table, toCsv, toText, withLabels, wrap } from '../answers/table'
import { COPY_AS_TEXT } from '../answers/words'
import { HeadingContext } from '../paint/heading'
import { fileName, saveFile } from './files'
import { useCopy } from './useCopy'

export interface ActingChart {
  readonly title: string
  readonly words: readonly string[]
  /** A function, because the table is only built when it is opened, copied or saved. */
  readonly table: () => Table
  /** All drawn data for CSV, where the table is only a summary. */
  readonly data?: (() => Table) | undefined
  /** The element whose picture is saved; absent where the chart is text. */
  readonly section?: RefObject<HTMLElement | null> | undefined
}

interface ChartAction {
  readonly label: string
  run(): void
}

export interface ChartActions {
  readonly copyText: ChartAction
  readonly copyCsv: ChartAction
  readonly saveCsv: ChartAction
  /** Absent where the chart is text. */
  readonly picture?: { readonly copy: ChartAction; readonly savePng: ChartAction; readonly saveSvg: ChartAction }
  /** Whether the last copy worked, for a moment. */
  readonly notice: string | undefined
}

export function useChartActions({ title, words, table, data = table, section }: ActingChart): ChartActions {
  const heading = useContext(HeadingContext)
  const { notice, copy, copyPicture } = useCopy()
  const file = fileName(heading.title, title)
  const csv = () => toCsv(withLabels(data(), heading.runs))
  const picture = () => {
    if (!section?.current) throw new Error('The chart is no longer shown')
    return pictureOf(section.current, heading)
  }
  const savePng = async () => saveFile(`${file}.png`, await rasterize(picture()))
  return {
    copyText: {
      label: COPY_AS_TEXT,
      run: () => void copy(`${wrap(ascii(words.join(' ')))}\n\n${toText(table())}`),
    },
    copyCsv: { label: 'Copy data as CSV', run: () => void copy(csv()) },
    saveCsv: { label: 'CSV', run: () => saveFile(`${file}.csv`, new Blob([csv()], { type: 'text/csv' })) },
    ...(section !== undefined && {
      picture: {
        copy: { label: 'Copy as image', run: () => void copyPicture(rasterize(picture())) },
        savePng: { label: 'PNG', run: () => void savePng() },
        saveSvg: {
          label: 'SVG',
          run: () => saveFile(`${file}.svg`, new Blob([picture().source], { type: 'image/svg+xml' })),
        },
      },
    }),
    notice,
  }
}
