/** The difference table as text for a mail and as CSV. */
import { ascii, type Table, toCsv, wrap } from '../charts/shared/table'
import { barShare, cell, type Differences, type Row, signed, spoiledNote, verdictOf } from './rows'

export interface Named {
  readonly letter: string
  readonly label: string
  readonly device: string
}

const LABEL = 30

/** Fixed width ASCII. */
export function asText({ rows, zero, application = [] }: Differences, runs: readonly Named[], baseline: number): string {
  const two = runs.length === 2 ? 1 - baseline : undefined
  const heads = runs.map(run => run.letter.padStart(9))
  const base = runs[baseline]?.letter ?? ''
  const other = two === undefined ? '' : `${`${runs[two]?.letter}-${base}`.padStart(8)}${`${runs[two]?.letter}/${base}`.padStart(7)}`
  const line = (row: Row) => {
    const values = row.values.map((v, i) => `${ascii(cell(v)).replaceAll(',', '')}${row.spoiled[i] ? '*' : ''}`.padStart(9))
    const change =
      two === undefined
        ? ''
        : `${ascii(signed(row.values[baseline], row.values[two])).replaceAll(',', '').padStart(8)}${ascii(row.changes[two] ?? '').padStart(7)}`
    const label = row.label.length > LABEL ? `${row.label.slice(0, LABEL - 1)}~` : row.label.padEnd(LABEL)
    return `${label}${ascii(row.unit).slice(0, 8).padStart(9)}${values.join('')}${change}`.trimEnd()
  }
  const parts =
    application.length === 0 ? rows.map(line) : ['What the application saw', ...application.map(line), '', 'What the disk saw', ...rows.map(line)]
  const head = `${'Measure'.padEnd(LABEL)}${'unit'.padStart(9)}${heads.join('')}${other}`
  const names = runs.map(run => `${run.letter}: ${ascii(run.label)}, ${run.device}`)
  const nothing = zero.length === 0 ? [] : ['', wrap(ascii(`Zero in all runs: ${zero.join('; ')}.`))]
  const note = spoiledNote(
    rows,
    runs.map(run => run.letter),
  )
  const spoiled = note === undefined ? [] : ['', wrap(`* ${note}`)]
  return [...names, '', head, ...parts, ...spoiled, ...nothing, ''].join('\n')
}

/** Full precision; ratio and verdict by run against the baseline. */
export function asCsv({ rows, application = [] }: Differences, runs: readonly Named[], baseline: number): string {
  const others = runs.flatMap((run, i) => (i === baseline ? [] : [{ run, i }]))
  const table: Table = {
    title: '',
    columns: [
      { label: 'key' },
      { label: 'measure' },
      { label: 'unit' },
      ...runs.map(run => ({ label: `${run.letter} ${run.label}` })),
      ...others.flatMap(({ run }) => [{ label: `${run.letter}/${runs[baseline]?.letter}` }, { label: `${run.letter} verdict` }]),
    ],
    rows: [...application, ...rows].map(row => [
      row.key,
      row.label,
      row.unit,
      ...row.values.map(v => v ?? ''),
      ...others.flatMap(({ i }) => {
        const [before, after] = [row.values[baseline], row.values[i]]
        const ratio = barShare(before, after) === undefined ? '' : (after ?? 0) / (before ?? 1)
        return [ratio, verdictOf(row, baseline, i) ?? '']
      }),
    ]),
  }
  return toCsv(table)
}
