/** Outputs of change points over builds: text, Markdown, JSON, and a table with one row per change and series. */
import { gzipSync } from 'node:zlib'
import type { BuildsFigure, ChangeFacts, PrintedBuilds } from '../../web/engine/protocol'
import { createTable, type DigestRow, ROWS_PER_GROUP } from '../../web/export/digests'
import type { FleetFigure, SeriesChange } from '../../web/fleet/changes/overBuilds'
import { csvQuoted, formulaSafe } from '../../web/lib/text/csv'
import { outputTarget, print } from '../output/output'
import { say } from '../output/progress'
import type { BuildsAnswer } from './answer'
import { buildsMarkdown, buildsText, tableNote, verdictOf } from './text'
import type { BuildsOptions, BuildsTable } from './values'

/** Columns of the table before those of the dimensions; docs/at-scale.md lists them. */
export const CHANGE_COLUMNS = [
  { name: 'figure', type: 'STRING' },
  { name: 'label', type: 'STRING' },
  { name: 'unit', type: 'STRING' },
  { name: 'kind', type: 'STRING' },
  { name: 'verdict', type: 'STRING' },
  { name: 'previous_build', type: 'STRING' },
  { name: 'build', type: 'STRING' },
  { name: 'first_build', type: 'STRING' },
  { name: 'last_build', type: 'STRING' },
  { name: 'before', type: 'DOUBLE' },
  { name: 'after', type: 'DOUBLE' },
  { name: 'ratio', type: 'DOUBLE' },
  { name: 'ratio_low', type: 'DOUBLE' },
  { name: 'ratio_high', type: 'DOUBLE' },
  { name: 'p', type: 'DOUBLE' },
  { name: 'fdr', type: 'DOUBLE' },
  { name: 'event', type: 'INT32' },
] as const

/** Columns of the dimensions; `series_` where a column has the name already. */
const dimensionColumns = ({ input }: BuildsAnswer) =>
  input.dimensions.map(name => ({
    name: CHANGE_COLUMNS.some(column => column.name === name) ? `series_${name}` : name,
    type: 'STRING' as const,
  }))

function factsOf({ input }: BuildsAnswer, figure: FleetFigure, change: SeriesChange): ChangeFacts {
  const { kind, previous, index, range, before, after, ratio, ci95, p, fdr } = change
  const build = (position: number) => input.builds[position] ?? ''
  return {
    kind,
    verdict: verdictOf(figure, change),
    previous_build: build(previous),
    build: build(index),
    first_build: build(range[0]),
    last_build: build(range[1]),
    before,
    after,
    ...(ratio !== undefined && { ratio }),
    ...(ci95 && { ratio_low: ci95[0], ratio_high: ci95[1] }),
    p,
    fdr,
  }
}

function rowsOf(answer: BuildsAnswer): readonly DigestRow[] {
  const names = dimensionColumns(answer)
  return answer.report.events.flatMap((event, i) =>
    event.changes.flatMap(({ figure, found }) => {
      const measured = answer.input.figures[figure]
      if (!measured) return []
      return found.map(change => ({
        figure: measured.key,
        label: measured.label,
        unit: measured.unit,
        ...factsOf(answer, measured, change),
        event: i,
        ...Object.fromEntries(names.map(({ name }, d) => [name, answer.input.series[change.series]?.[d] ?? ''])),
      }))
    }),
  )
}

async function writeTable(answer: BuildsAnswer, { path, format }: BuildsTable, raw: boolean): Promise<number> {
  const columns = [...CHANGE_COLUMNS, ...dimensionColumns(answer)]
  const rows = rowsOf(answer)
  const target = outputTarget(path)
  try {
    if (format === 'parquet') {
      const table = createTable(columns, gzipSync, target.write)
      for (let from = 0; from < rows.length; from += ROWS_PER_GROUP)
        await table.add(rows.slice(from, from + ROWS_PER_GROUP))
      await table.finish()
    } else if (format === 'jsonl') await target.write(Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join('')))
    else {
      const text = (cell: DigestRow[string]) =>
        cell === undefined ? '' : typeof cell === 'string' ? csvQuoted(raw ? cell : formulaSafe(cell)) : String(cell)
      const lines = [
        columns.map(({ name }) => csvQuoted(name)),
        ...rows.map(row => columns.map(({ name }) => text(row[name]))),
      ]
      await target.write(Buffer.from(lines.map(cells => `${cells.join(',')}\r\n`).join('')))
    }
    target.keep()
  } finally {
    target.drop()
  }
  return rows.length
}

function documentOf(answer: BuildsAnswer): PrintedBuilds {
  const { labelName, input, report, causes, unplaced, unreliable } = answer
  const dimensionsOf = (series: number) =>
    Object.fromEntries(input.dimensions.map((name, d) => [name, input.series[series]?.[d] ?? '']))
  return {
    schema: 1,
    by: labelName,
    builds: input.builds,
    dimensions: input.dimensions,
    series: input.series.map((_, i) => dimensionsOf(i)),
    short_series: report.short,
    runs: input.runs.length,
    runs_without_build: unplaced,
    unreliable_values: unreliable,
    tested: report.tested,
    figures: input.figures.map(({ values: _, ...figure }): BuildsFigure => figure),
    events: report.events.map(({ previous, index, changes }, i) => ({
      previous_build: input.builds[previous] ?? '',
      build: input.builds[index] ?? '',
      changes: changes.flatMap(change => {
        const { figure, found, ratio, without, where } = change
        const measured = input.figures[figure]
        if (!measured) return []
        return {
          figure: measured.key,
          ...(ratio !== undefined && { ratio }),
          series: found.map(seriesChange => ({
            series: seriesChange.series,
            ...factsOf(answer, measured, seriesChange),
          })),
          unchanged_series: without,
          where,
        }
      }),
      ...(causes[i] && { cause: causes[i] }),
    })),
  }
}

export async function printBuilds(answer: BuildsAnswer, { format, table, raw }: BuildsOptions): Promise<void> {
  if (table) say(tableNote(await writeTable(answer, table, raw), table.path))
  if (format === 'json') await print(`${JSON.stringify(documentOf(answer))}\n`)
  else await print(format === 'markdown' ? buildsMarkdown(answer) : buildsText(answer))
}
