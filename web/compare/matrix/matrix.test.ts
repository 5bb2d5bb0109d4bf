import { describe, expect, it } from 'vitest'
import type { CellFigure, MatrixFigure, Verdict } from '../../engine/protocol'
import { applyGuess, NO_LABELS } from '../../state/runs/labels'
import { scaleIn } from '../scale'
import { axesOf, baseOf, moveAxis } from './layout'
import { arrange, cellsOf, fillCells, type MatrixBase, type PlacedRun, thresholdsOf } from './matrix'
import { asCsv, asText, asTsv, type MatrixView } from './matrixText'

const parts = [
  { key: 'scheduler', name: 'scheduler' },
  { key: 'idle', name: 'idle' },
  { key: 'writers', name: 'writers' },
  { key: 'repeat', name: 'repeat' },
]
const table = applyGuess(NO_LABELS, [], { parts, runs: [], groups: [] })
const axes = axesOf(table, {})

const run = (id: string, row: readonly string[], column: string): PlacedRun => ({
  id,
  letter: id.toUpperCase(),
  label: id,
  row,
  column: [column],
})
const runs = [
  run('a', ['bfq', 'idle0'], '10'),
  run('b', ['bfq', 'idle0'], '2'),
  run('c', ['bfq', 'idle8'], '10'),
  run('d', ['none', ''], '10'),
  run('e', ['none', ''], '10'),
]
const arrangement = arrange(runs)
const base: MatrixBase = { axis: 'row', key: arrangement.rows[0]?.key ?? '' }
const ids = runs.map(r => r.id)
const query = cellsOf(arrangement, base, ids)
const singleRun = (mean: number): CellFigure => ({ n: 1, mean, unreliable: false })
const NOTHING: CellFigure = { n: 0, unreliable: false }
const verdict = (verdict: Verdict, ratio: number) => ({ verdict, ratio })
/** An answer of the engine. Cells row by row: bfq idle0 with 2 and 10 writers, bfq idle8, none. */
const figure: MatrixFigure = {
  key: 'iops',
  label: 'Requests completed',
  unit: '1/s',
  good: 'more',
  application: false,
  values: [345, 257, 165, 400, 420],
  unreliable: [],
  cells: [
    singleRun(257),
    singleRun(345),
    NOTHING,
    { ...singleRun(165), mark: 'worst' },
    NOTHING,
    { n: 2, mean: 410, spread: { least: 400, most: 420, sd: Math.sqrt(200) }, unreliable: false, mark: 'best' },
  ],
  changes: [null, verdict('worse', 165 / 345), null, verdict('noise', 410 / 345)],
  thresholds: [0.25, 0.25, 0.25, 0.05],
  notation: { per: 1, unit: '1/s', decimals: 0 },
}
const matrix = fillCells({ arrangement, query, ids }, figure)
const view: MatrixView = { matrix, axes, figure, scale: scaleIn(figure.notation), base }

describe('the axes', () => {
  it('are guessed: counts in columns, repeats averaged, the rest in rows', () => {
    expect(axes.rows.map(a => a.key)).toEqual(['scheduler', 'idle'])
    expect(axes.columns.map(a => a.key)).toEqual(['writers'])
    expect(axes.averaged.map(a => a.key)).toEqual(['repeat', 'label'])
  })
  const guessedAxes = (keys: readonly string[], rows: readonly (readonly string[])[]) => {
    const dimensions = keys.map(key => ({ key, name: key }))
    const ids = rows.map((_, i) => `run-${i}`)
    const { rows: rowAxes, columns } = axesOf(
      applyGuess(NO_LABELS, ids, { parts: dimensions, runs: rows, groups: [] }),
      {},
    )
    return [rowAxes.map(axis => axis.key), columns.map(axis => axis.key)]
  }
  it('leave out a dimension that follows from another one', () => {
    const sweep = [
      ['bfq', '1w', '1'],
      ['bfq', '2w', '2'],
      ['none', '1w', '1'],
      ['none', '2w', '2'],
    ]
    expect(guessedAxes(['scheduler', 'workload', 'writers'], sweep)).toEqual([['scheduler'], ['writers']])
    // Two of one kernel: a row of their own would have one run each.
    const kernels = [
      ['6.1', 'deb', 'a'],
      ['6.12', 'deb', 'a'],
      ['5.4', 'old', 'a'],
      ['6.1', 'deb', 'b'],
      ['6.12', 'deb', 'b'],
      ['5.4', 'old', 'b'],
    ]
    expect(guessedAxes(['kernel', 'distribution', 'jobs'], kernels)).toEqual([['kernel', 'distribution'], ['jobs']])
    // Everything differs between two runs: one dimension tells them apart.
    expect(
      guessedAxes(
        ['kernel', 'workload'],
        [
          ['6.1', 'old'],
          ['6.12', 'new'],
        ],
      ),
    ).toEqual([['kernel'], []])
  })
  it('never make a diagonal of names', () => {
    const names = [
      ['bfq', 'idle0'],
      ['bfq', 'idle8'],
      ['none', ''],
    ]
    expect(guessedAxes(['scheduler', 'idle'], names)).toEqual([['scheduler', 'idle'], []])
  })
  it('are the labels themselves where nothing distinguishes runs', () => {
    expect(axesOf(NO_LABELS, {})).toMatchObject({ rows: [{ key: 'label' }], columns: [] })
    const oneDimension = applyGuess(NO_LABELS, [], { parts: parts.slice(0, 1), runs: [], groups: [] })
    expect(axesOf(oneDimension, {})).toMatchObject({ rows: [{ key: 'scheduler' }], columns: [] })
  })
  it('are guessed again where the labels have none of the chosen dimensions', () => {
    expect(axesOf(table, { rows: ['gone'], columns: [] })).toEqual(axes)
    expect(axesOf(table, { rows: [], columns: [] })).toMatchObject({ rows: [], columns: [] })
  })
  it('change place', () => {
    const turned = axesOf(table, moveAxis(axes, 'idle', 'columns'))
    expect([turned.rows.map(a => a.key), turned.columns.map(a => a.key)]).toEqual([['scheduler'], ['idle', 'writers']])
    expect(axesOf(table, moveAxis(turned, 'writers', 'averaged')).averaged.map(a => a.key)).toContain('writers')
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
  it('queries each cell against the cell of the base, and each column', () => {
    expect(query).toEqual({
      cells: [[1], [0], [], [2], [], [3, 4]],
      pairs: [
        [0, 2],
        [1, 3],
        [0, 4],
        [1, 5],
      ],
      columns: [
        [0, 2, 4],
        [1, 3, 5],
      ],
      sweeps: [
        [0, 1],
        [2, 3],
      ],
    })
    expect(cellsOf(arrangement, { axis: 'column', key: '2' }, ids).pairs).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ])
    expect(cellsOf(arrangement, { axis: 'column', key: '2' }, ids).sweeps).toEqual([[0, 1, 2]])
    expect(cellsOf(arrangement, undefined, ids).sweeps).toEqual([])
    expect(cellsOf(arrangement, base, ['c']).cells).toEqual([[], [], [], [0], [], []])
  })
  it('fills the cells with what the engine answers', () => {
    expect(matrix.cells[2]?.[1]).toMatchObject({
      n: 2,
      mean: 410,
      mark: 'best',
      runs: [{ id: 'd', value: 400 }, { id: 'e' }],
    })
    expect(matrix.cells[2]?.[1]?.change).toMatchObject({ text: '+19%', verdict: 'noise' })
    expect(matrix.cells[1]?.[1]).toMatchObject({
      mark: 'worst',
      base: { mean: 345 },
      change: { text: '\u221252%', verdict: 'worse' },
    })
    expect(matrix.cells[0]?.[1]?.change).toBeUndefined()
  })
  it('has no cell without a run, and one without the figure', () => {
    expect(matrix.cells[1]?.[0]).toBeUndefined()
    const unknown = fillCells({ arrangement, query, ids: [] }, undefined)
    expect(unknown.cells[0]?.[0]).toMatchObject({ n: 0, runs: [{ id: 'b' }] })
  })
  it('has the thresholds of the pairs that have the figure', () => {
    expect(thresholdsOf(figure)).toEqual([0.25, 0.05])
  })
  it('compares with the chosen base, else with the row of the baseline', () => {
    expect(baseOf({ arrangement, axes, base: undefined, baseline: 'c' })).toEqual({
      axis: 'row',
      key: arrangement.rows[1]?.key,
    })
    expect(baseOf({ arrangement, axes, base: { axis: 'column', key: '2' }, baseline: 'c' })).toEqual({
      axis: 'column',
      key: '2',
    })
    expect(baseOf({ arrangement, axes, base: 'none', baseline: 'c' })).toBeUndefined()
    const kernels = { rows: [{ key: 'bs', name: 'bs' }], columns: [{ key: 'kernel', name: 'kernel' }], averaged: [] }
    expect(baseOf({ arrangement, axes: kernels, base: undefined, baseline: 'c' })?.axis).toBe('column')
  })
})

describe('text, TSV and CSV', () => {
  it('prints as bug reports do', () => {
    expect(asText(view)).toBe(
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
    const manyRuns = Array.from({ length: 20 }, (_, i) =>
      run(String(i), ['a scheduler with a name that is far too long for a table'], `${i + 1}`),
    )
    const wide = arrange(manyRuns)
    const cells = manyRuns.map((_, i) => singleRun(i * 1000))
    const filling = { arrangement: wide, query: cellsOf(wide, undefined, []), ids: [] }
    const text = asText({ ...view, matrix: fillCells(filling, { ...figure, cells }) })
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(72)
    expect(text).toContain('writers 20')
    expect(
      [...asText({ ...view, figure: { ...figure, label: 'Zeit \u00b5' } })].every(c => (c.codePointAt(0) ?? 0) < 128),
    ).toBe(true)
  })
  it('numbers rows whose names differ only where they would be cut', () => {
    const longName = ['1', '2'].map(n =>
      run(n, [`a setup with a name that is too long for a column of a table ${n}`], '1'),
    )
    const arrangement = arrange(longName)
    const filling = { arrangement, query: cellsOf(arrangement, undefined, []), ids: [] }
    const lines = asText({
      ...view,
      matrix: fillCells(filling, { ...figure, cells: [singleRun(1000), singleRun(2000)] }),
    }).split('\n')
    expect(lines.filter(line => /^row [12] /.test(line))).toHaveLength(2)
    expect(lines.filter(line => /^row [12]: a setup/.test(line))).toHaveLength(2)
  })
  it('gives spreadsheets full precision', () => {
    const lines = asTsv(view).split('\n')
    expect(lines[0]).toBe('Requests completed, 1/s\twriters 2\twriters 10')
    expect(lines[3]).toBe('none\t\t410')
    const csv = asCsv(view).split('\r\n')
    expect(csv[0]).toBe('scheduler,idle,writers,key,unit,runs,mean,sd,least,most,verdict,change,of')
    expect(csv).toContain('none,,10,iops,1/s,2,410,14.142135623730951,400,420,noise,+19%,D d; E e')
    expect(csv.length).toBe(6)
  })
})
