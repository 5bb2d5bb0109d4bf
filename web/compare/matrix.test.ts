import { describe, expect, it } from 'vitest'
import { guessed, NO_LABELS } from '../state/labels'
import { axesOf, type MatrixFigure, withAxis } from './layout'
import { baseCell, changeOf, type Measured, marksOf, matrixOf } from './matrix'
import { asCsv, asText, asTsv, type Printed } from './matrixText'

const parts = [
  { key: 'scheduler', name: 'scheduler' },
  { key: 'idle', name: 'idle' },
  { key: 'writers', name: 'writers' },
  { key: 'repeat', name: 'repeat' },
]
const table = guessed(NO_LABELS, [], { parts, runs: [], groups: [] })
const axes = axesOf(table, {})

const run = (id: string, row: readonly string[], column: string, value?: number, spoiled = false): Measured => ({
  id,
  letter: id.toUpperCase(),
  label: id,
  row,
  column: [column],
  ...(value !== undefined && { value }),
  spoiled,
})
const runs = [
  run('a', ['bfq', 'idle0'], '10', 345),
  run('b', ['bfq', 'idle0'], '2', 257),
  run('c', ['bfq', 'idle8'], '10', 165),
  run('d', ['none', ''], '10', 400),
  run('e', ['none', ''], '10', 420),
]
const matrix = matrixOf(runs)
const base = { axis: 'row', key: matrix.rows[0]?.key ?? '' } as const
const figure: MatrixFigure = {
  key: 'iops',
  label: 'Requests completed',
  kind: 'per-second',
  good: 'more',
  values: [],
  spoiled: [],
  application: false,
}
const printed: Printed = { matrix, axes, figure, scale: { per: 1, unit: '1/s' }, base }

describe('the axes', () => {
  it('are guessed: counts in columns, repeats averaged, the rest in rows', () => {
    expect(axes.rows.map(a => a.key)).toEqual(['scheduler', 'idle'])
    expect(axes.columns.map(a => a.key)).toEqual(['writers'])
    expect(axes.averaged.map(a => a.key)).toEqual(['repeat', 'label'])
  })
  it('are the labels themselves where nothing tells runs apart', () => {
    expect(axesOf(NO_LABELS, {})).toMatchObject({ rows: [{ key: 'label' }], columns: [] })
    const one = guessed(NO_LABELS, [], { parts: parts.slice(0, 1), runs: [], groups: [] })
    expect(axesOf(one, {})).toMatchObject({ rows: [{ key: 'scheduler' }], columns: [] })
  })
  it('are guessed again where the labels know none of the chosen parts', () => {
    expect(axesOf(table, { rows: ['gone'], columns: [] })).toEqual(axes)
    expect(axesOf(table, { rows: [], columns: [] })).toMatchObject({ rows: [], columns: [] })
  })
  it('change place', () => {
    const turned = axesOf(table, withAxis(axes, 'idle', 'columns'))
    expect([turned.rows.map(a => a.key), turned.columns.map(a => a.key)]).toEqual([['scheduler'], ['idle', 'writers']])
    expect(axesOf(table, withAxis(turned, 'writers', 'averaged')).averaged.map(a => a.key)).toContain('writers')
  })
})

describe('the matrix', () => {
  it('has numbers by size and words as they come', () => {
    expect(matrix.columns.map(c => c.values)).toEqual([['2'], ['10']])
    expect(matrix.rows.map(r => r.values)).toEqual([
      ['bfq', 'idle0'],
      ['bfq', 'idle8'],
      ['none', ''],
    ])
  })
  it('averages the runs of a cell and tells their spread', () => {
    expect(matrix.cells[2]?.[1]).toMatchObject({ n: 2, mean: 410, spread: { least: 400, most: 420 } })
    expect(matrix.cells[2]?.[1]?.spread?.sd).toBeCloseTo(Math.sqrt(200))
    expect(matrix.cells[0]?.[1]?.spread).toBeUndefined()
  })
  it('tells a cell without a run from one without the figure', () => {
    expect(matrix.cells[1]?.[0]).toBeUndefined()
    expect(matrixOf([run('a', ['x'], '1')]).cells[0]?.[0]).toMatchObject({ n: 0, runs: [{ id: 'a' }] })
  })
  it('is compared with a row or a column', () => {
    const change = (r: number, c: number) => changeOf(matrix.cells[r]?.[c], baseCell(matrix, base, r, c), 'more')
    expect(change(1, 1)).toEqual({ text: '\u221252%', verdict: 'worse' })
    expect(change(2, 1)).toEqual({ text: '+19%', verdict: 'better' })
    expect([change(0, 1), change(2, 0)]).toEqual([undefined, undefined])
    const byColumn = { axis: 'column', key: '2' } as const
    expect(changeOf(matrix.cells[0]?.[1], baseCell(matrix, byColumn, 0, 1), undefined)).toEqual({ text: '+34%', verdict: 'changed' })
  })
  it('calls noise what lies among the runs of the other', () => {
    const two = matrixOf([run('a', ['x'], '1', 10), run('b', ['x'], '1', 20), run('c', ['y'], '1', 15), run('d', ['y'], '1', 30)])
    const cell = (r: number) => two.cells[r]?.[0]
    expect(changeOf(cell(1), cell(0), 'more')?.verdict).toBe('noise')
    expect(marksOf(two, 'more').flat()).toEqual([undefined, undefined])
  })
  it('marks best and worst of a column, most and least where there is no good side, and nothing that is spoiled', () => {
    expect(marksOf(matrix, 'more').map(row => row[1])).toEqual([undefined, 'worst', 'best'])
    expect(marksOf(matrix, 'less').map(row => row[1])).toEqual([undefined, 'best', 'worst'])
    expect(marksOf(matrix, undefined).map(row => row[1])).toEqual([undefined, 'least', 'most'])
    expect(marksOf(matrix, 'more').map(row => row[0])).toEqual([undefined, undefined, undefined])
    const lost = matrixOf([...runs, run('f', ['kyber', ''], '10', 999, true)])
    expect(marksOf(lost, 'more').map(row => row[1])).toEqual([undefined, 'worst', 'best', undefined])
    expect(changeOf(lost.cells[3]?.[1], lost.cells[0]?.[1], 'more')?.verdict).toBe('spoiled')
  })
})

describe('text, TSV and CSV', () => {
  it('prints as bug reports do', () => {
    expect(asText(printed)).toBe(
      [
        'Requests completed, 1/s',
        '',
        '                  writers 2  writers 10',
        'bfq idle0 (base)        257    345',
        'bfq idle8                 -    165',
        'none                      -    410 +-14',
        '',
        'Mean of the runs of a cell, +- their standard deviation.',
        '- no run',
        '',
      ].join('\n'),
    )
  })
  it('keeps to 72 columns of ASCII, in blocks', () => {
    const wide = matrixOf(
      Array.from({ length: 20 }, (_, i) => run(String(i), ['a scheduler with a name that is far too long for a table'], `${i + 1}`, i * 1000)),
    )
    const text = asText({ ...printed, matrix: wide })
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(72)
    expect(text).toContain('writers 20')
    expect([...asText({ ...printed, figure: { ...figure, label: 'Zeit \u00b5' } })].every(c => (c.codePointAt(0) ?? 0) < 128)).toBe(true)
  })
  it('gives spreadsheets full precision', () => {
    const lines = asTsv(printed).split('\n')
    expect(lines[0]).toBe('Requests completed, 1/s\twriters 2\twriters 10')
    expect(lines[3]).toBe('none\t\t410')
    const csv = asCsv(printed).split('\r\n')
    expect(csv[0]).toBe('scheduler,idle,writers,key,unit,runs,mean,sd,least,most,verdict,change,of')
    expect(csv).toContain('none,,10,iops,1/s,2,410,14.142135623730951,400,420,better,+19%,D d; E e')
    expect(csv.length).toBe(6)
  })
})
