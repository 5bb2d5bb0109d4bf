/** Results of benchmarks without a trace: what of them is stored and shared, and how they are laid out. */
import type { ResultLayout, ResultRun, ResultsDocument, ResultTable, TextChoices } from '../../engine/protocol'
import type { MatrixLayout } from '../types'

interface StoredResults {
  /** Include the paths of their files. */
  readonly files: boolean
  /** Include the distributions of latencies, which are most of a report of fio. */
  readonly distributions: boolean
}

/** The tables without their cells, which the engine computes again. */
export function storedTables(
  { tables }: ResultsDocument,
  { files, distributions }: StoredResults,
): readonly ResultTable[] {
  const all = [...new Set(tables.flatMap(table => table.files))]
  const displayName = (file: string) => (files ? file : `text ${all.indexOf(file) + 1}`)
  return tables.map(({ title, tool, files, common, zero, dimensions, runs, rows, columns, base, evidence }) => ({
    title,
    tool,
    files: files.map(displayName),
    common,
    ...(zero && { zero }),
    dimensions,
    runs: runs.map(({ distributions: bins, figures, ...run }) => ({
      ...run,
      figures: figures.map(({ place: _, ...figure }) => figure),
      file: displayName(run.file),
      ...(distributions && bins && { distributions: bins }),
    })),
    rows,
    columns,
    ...(base && { base }),
    ...(evidence && { evidence }),
  }))
}

/** Tables of a link, without those that the added files contain themselves. */
export function linkedTables(
  { tables }: ResultsDocument,
  linked: ResultsDocument['tables'] = [],
): ResultsDocument['tables'] {
  const labels = (runs: readonly ResultRun[]) => JSON.stringify(runs.map(run => run.label))
  return linked.filter(
    table => !tables.some(added => added.title === table.title && labels(added.runs) === labels(table.runs)),
  )
}

/** Results of texts with the tables of a link, which come first. */
export function besideLinked(
  results: ResultsDocument,
  linked: ResultsDocument['tables'] = [],
): { readonly document: ResultsDocument; readonly linked?: ResultsDocument['tables'] } {
  const remaining = linkedTables(results, linked)
  return {
    document: { ...results, tables: [...remaining, ...results.tables] },
    ...(remaining.length > 0 && { linked: remaining }),
  }
}

/** Number of choices that differ from the guess. */
export const countChoices = ({ sides, blocks = [] }: TextChoices): number =>
  (sides === undefined ? 0 : 1) +
  blocks.reduce((sum, { label, excluded }) => sum + (label ? 1 : 0) + (excluded ? 1 : 0), 0)

/** The user's layout for the engine; absent where all is guessed. */
export function resultLayout({ table = 0, rows, columns, base, leftOut }: MatrixLayout): ResultLayout | undefined {
  if (rows === undefined && columns === undefined && base === undefined && leftOut === undefined) return undefined
  return {
    table,
    ...(rows && { rows }),
    ...(columns && { columns }),
    ...(leftOut && { leftOut }),
    ...(base === 'none' ? { noBase: true } : base && { base }),
  }
}
