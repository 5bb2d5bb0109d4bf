/** Which pictures a table gets, and what is drawn of it: from texts, through the engine. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadEngine } from '../../../cli/input/read/engine'
import type { ResultMatrix } from '../../engine/protocol'
import { readResults } from '../../engine/texts'
import { gridOf } from './bins'
import { drawBars } from './drawBars'
import { drawHistogram } from './drawHistogram'
import { drawLines } from './drawLines'
import { type BoxMark, type LineMark, leftWords, type PictureDrawing, type TextMark, valueText } from './marks'
import { formName, tableOf, titleOf, wordsOf } from './pictureWords'
import { placeOn, quantityAxis } from './quantity'
import {
  type BarsPicture,
  histogramsOf,
  type LinesPicture,
  MAX_BARS,
  MAX_METRICS,
  picturesOf,
  type ResultPicture,
} from './shape'
import { MAX_PANELS, MAX_SIDES } from './sides'

const pathOf = (path: string) => fileURLToPath(new URL(`../../../tests/${path}`, import.meta.url))

function filesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesIn(join(path, name)))
}

const tablesOf = (texts: readonly (readonly [path: string, text: string | Uint8Array])[]): readonly ResultMatrix[] => {
  const results = texts.map(([path, text]) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text)
    return { path, size: bytes.length, bytes }
  })
  return readResults(loadEngine(), results).document.tables
}

/** The first table of files below `tests/`. */
const recordedTable = (...paths: readonly string[]): ResultMatrix => {
  const files = paths.flatMap(path => filesIn(pathOf(path))).filter(file => !/\.truth\.tsv$|\/cmd$/.test(file))
  const [table] = tablesOf(files.map(file => [file, readFileSync(file)]))
  if (!table) throw new Error(`no table in ${paths.join()}`)
  return table
}

const writtenTable = (text: string): ResultMatrix => {
  const [table] = tablesOf([['t.txt', text]])
  if (!table) throw new Error('no table')
  return table
}

const usualPictures = (table: ResultMatrix) => {
  const [figure] = table.figures
  return figure ? picturesOf(table, figure) : []
}

const measure = (text: string, isBold = false): number => text.length * (isBold ? 7 : 6.5)

const draw = (picture: ResultPicture, width: number): PictureDrawing => {
  switch (picture.kind) {
    case 'bars':
      return drawBars(picture, width, measure)
    case 'lines':
      return drawLines(picture, width, measure)
    case 'histogram':
      return drawHistogram(picture, 'histogram', width, measure)
  }
}

const threads = (rows: readonly string[]) => writtenTable(['kernel threads MB/s', ...rows, ''].join('\n'))
const SWEEP = threads(['6.1 1 100', '6.1 2 180', '6.1 4 320', '6.12 1 90', '6.12 2 200', '6.12 4 400'])

describe('a quantity', () => {
  const axis = (key: string, ...values: readonly string[]) => quantityAxis({ key, name: key }, values)
  it('is counted or measured: threads, sizes, times', () => {
    expect(axis('threads', '1', '16', '4')).toMatchObject({ scale: 'log2' })
    expect(axis('bs', '4k', '512', '1M')?.points.map(p => p.value)).toEqual(['512', '4k', '1M'])
    expect(axis('qd', 'qd1', 'qd 32', 'qd8')?.points.map(p => p.amount)).toEqual([1, 8, 32])
    expect(axis('time', '10 s', '500 ms')?.points.map(p => p.value)).toEqual(['500 ms', '10 s'])
    expect(axis('number-of-dds', '1', '2', '4')).toBeDefined()
    expect(axis('jobs', '1', '3', '5')).toMatchObject({ scale: 'linear' })
    expect(axis('jobs', '1', '10', '100')).toMatchObject({ scale: 'log' })
  })
  it('is no version, no number of a thing, no word, and nothing that is mixed', () => {
    expect(axis('kernel', '6.1', '6.10')).toBeUndefined()
    expect(axis('kernel-version', '5', '6')).toBeUndefined()
    expect(axis('run', '1', '2')).toBeUndefined()
    expect(axis('test-number', '1', '2')).toBeUndefined()
    expect(axis('op', 'read', 'write')).toBeUndefined()
    expect(axis('x', '1', '2', 'max')).toBeUndefined()
    expect(axis('x', '4k', '10 ms')).toBeUndefined()
    expect(axis('x', 'qd1', 'jobs 4')).toBeUndefined()
    expect(axis('threads', '4')).toBeUndefined()
  })
  it('has equal steps per factor of two on a logarithmic axis', () => {
    const quantity = axis('threads', '1', '2', '4', '8')
    if (!quantity) throw new Error('no axis')
    for (const [i, { amount }] of quantity.points.entries()) expect(placeOn(quantity, amount)).toBeCloseTo(i / 3)
  })
})

describe('the shape of a table', () => {
  it('with a quantity of three values asks for lines, and offers bars', () => {
    const [lines, bars] = usualPictures(SWEEP)
    expect(lines).toMatchObject({ kind: 'lines', over: { name: 'threads', scale: 'log2' } })
    expect(bars).toMatchObject({ kind: 'bars', isByMetric: false })
    const { panels, sides } = lines as LinesPicture
    expect(sides.map(({ letter, name, isBase }) => [letter, name, isBase])).toEqual([
      ['A', '6.1', true],
      ['B', '6.12', false],
    ])
    const values = panels.map(({ lines }) => lines.map(({ points }) => points.map(point => point?.cell.mean)))
    expect(values).toEqual([
      [
        [100e6, 180e6, 320e6],
        [90e6, 200e6, 400e6],
      ],
    ])
  })

  it('with two values of a quantity asks for bars, and offers lines', () => {
    const pictures = usualPictures(recordedTable('reports/tiobench/tiobench-one-file'))
    expect(pictures.map(formName)).toEqual(['Bars', 'Over threads'])
  })

  it('with other dimensions has a panel for each of their values', () => {
    const [lines] = usualPictures(recordedTable('reports/tables/two-heading-lines-aligned'))
    expect((lines as LinesPicture).panels.map(({ name }) => name)).toEqual(['read', 'write'])
  })

  it('never draws lines over kernels', () => {
    for (const name of ['four-kernels-over-columns-frame', 'kernel-links-in-cells', 'kernel-and-bs-columns-csv'])
      for (const picture of usualPictures(recordedTable(`reports/tables/${name}`)))
        expect(picture.kind === 'lines' ? picture.over.key : '').not.toMatch(/kernel/)
  })

  it('without any other place has one group per metric, the shown one always', () => {
    const table = recordedTable('reports/fio-text/two-files-fio-fio2')
    const last = table.figures.at(-1)
    if (!last) throw new Error('no figure')
    const [bars] = picturesOf(table, last)
    const { isByMetric, groups, left: omitted } = bars as BarsPicture
    expect(isByMetric).toBe(true)
    expect(groups).toHaveLength(MAX_METRICS)
    expect(groups.at(-1)?.metric.figure.key).toBe(last.key)
    expect(omitted).toEqual([{ count: table.figures.length - MAX_METRICS, kind: 'metric' }])
    expect(leftWords(omitted)).toBe(`Not drawn: ${table.figures.length - MAX_METRICS} more metrics.`)
  })

  it('has no picture for a single number, nor for one side with nothing beside it', () => {
    expect(usualPictures(writtenTable('2097152000 bytes (2.1 GB, 2.0 GiB) copied, 10 s, 210 MB/s\n'))).toEqual([])
    expect(usualPictures(recordedTable('tables/fio.txt')).length).toBe(0)
  })

  it('follows the base: its axis has the sides', () => {
    const table = recordedTable('tables/iostest.txt')
    const columns = { ...table, base: { axis: 'column' as const, key: table.column_values[0]?.join('\u0001') ?? '' } }
    const [lines, bars] = usualPictures(columns)
    expect((bars as BarsPicture).sides.map(({ isBase }) => isBase)).toEqual([true, false, false, false, false])
    // The quantity is on the axis of the base, so that the other one has the sides.
    expect((lines as LinesPicture).sides.map(({ name }) => name)).toEqual(['cfq', 'noop'])
  })

  it('has the base as its first side, wherever it stands in the table', () => {
    const [bars] = usualPictures(recordedTable('reports/tables/four-kernels-as-rows-tsv'))
    const { sides, groups } = bars as BarsPicture
    expect(sides.map(({ letter, name, isBase }) => `${letter} ${name}${isBase ? ' base' : ''}`)).toEqual([
      'A 5.4 base',
      'B 5.10',
      'C 5.15',
      'D 6.1',
    ])
    expect(groups[0]?.bars.map(({ side }) => side.letter)).toEqual(['A', 'B', 'C', 'D'])
  })

  it('is bounded, and says what is left out', () => {
    const rows = Array.from({ length: 40 }, (_, s) =>
      Array.from({ length: 12 }, (_, p) => `sched${s} test${p} ${100 + s + p}`),
    ).flat()
    const [bars] = usualPictures(writtenTable(['scheduler test MB/s', ...rows, ''].join('\n')))
    const { sides, groups, left: omitted } = bars as BarsPicture
    expect(sides).toHaveLength(MAX_SIDES)
    expect(groups.flatMap(group => group.bars).length).toBeLessThanOrEqual(MAX_BARS)
    expect(omitted.map(({ kind }) => kind)).toEqual(['side', 'group'])
    const panels = rows.flatMap(row => [`${row.replace(/(\d+)$/, '1 $1')}`, `${row.replace(/(\d+)$/, '8 $1')}`])
    const table = writtenTable(['scheduler test threads MB/s', ...panels, ''].join('\n'))
    const lines = usualPictures(table).find(picture => picture.kind === 'lines') as LinesPicture
    expect(lines.panels.length).toBeLessThanOrEqual(MAX_PANELS)
    expect(lines.left.map(({ kind }) => kind)).toContain('panel')
  })
})

describe('histograms', () => {
  const grid = (...bounds: readonly number[]) => gridOf([bounds.map(bound => [bound, 1] as const)])
  it('keep the buckets of the program: factors of two, also with gaps, and equal widths', () => {
    const octaves = grid(256e3, 512e3, 2048e3)
    expect([256e3, 512e3, 2048e3].map(bound => octaves.indexOf(bound) - octaves.indexOf(256e3))).toEqual([0, 1, 3])
    expect([octaves.from(3), octaves.to(3)]).toEqual([1024e3, 2048e3])
    const linear = grid(10e6, 20e6, 50e6)
    expect([linear.from(linear.indexOf(50e6)), linear.to(5)]).toEqual([40e6, 50e6])
    expect(grid(1064, 1112, 1128, 12992, 5.6e6)).toMatchObject({ isGiven: false })
  })

  it('have a curve per side with all its I/Os', () => {
    for (const path of ['reports/histograms/biolatency-two-headings', 'reports/fio-json/jsonplus-files']) {
      const table = recordedTable(path)
      const [picture] = histogramsOf(table)
      const curves = picture?.panels.flatMap(panel => panel.curves) ?? []
      expect(curves.map(({ side }) => side.letter)).toEqual(['A', 'B'])
      for (const [i, { n, counts }] of curves.entries()) {
        const bins = table.runs[i]?.distributions?.[0]?.bins ?? []
        expect(n).toBe(bins.reduce((sum, [, count]) => sum + count, 0))
        expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(n)
      }
    }
  })

  it('rise to 100 % where they are cumulative', () => {
    const [picture] = histogramsOf(recordedTable('reports/histograms/bpftrace-two-files'))
    if (!picture) throw new Error('no histogram')
    const { marks } = drawHistogram(picture, 'cumulative', 700, measure)
    const curves = marks.filter((mark): mark is LineMark => mark.kind === 'line' && mark.dashOf !== undefined)
    const ends = curves.map(({ paths }) => paths[0]?.at(-1)?.[1])
    expect(ends).toEqual([ends[0], ends[0]])
    for (const { paths } of curves) {
      const ys = paths[0]?.map(([, y]) => y) ?? []
      expect(ys).toEqual(ys.toSorted((a, b) => b - a))
    }
  })
})

describe('what is drawn', () => {
  it('of bars is as long as its value, from 0, and the base is where its bar ends', () => {
    const bars = usualPictures(SWEEP).find(picture => picture.kind === 'bars') as BarsPicture
    const { marks } = drawBars(bars, 900, measure)
    const boxes = marks.filter((mark): mark is BoxMark => mark.kind === 'box' && mark.h === 10)
    const values = bars.groups.flatMap(group => group.bars.map(bar => bar.placed.cell.mean ?? 0))
    const scale = (boxes[0]?.w ?? 0) / (values[0] ?? 1)
    expect(boxes.map(box => box.w / scale / 1e6).map(Math.round)).toEqual(values.map(value => value / 1e6))
    const dotted = marks.filter((mark): mark is LineMark => mark.kind === 'line' && mark.isDotted === true)
    const ends = boxes.filter((_, i) => i % 2 === 0).map(box => box.x + box.w)
    expect(dotted.map(({ paths }) => paths[0]?.[0]?.[0])).toEqual(ends)
  })

  it('has whiskers where a spread is known, and says of what', () => {
    const isWhisker = (mark: { readonly kind: string; readonly token: string }) =>
      mark.kind === 'line' && mark.token === 'ink'
    const [plain] = usualPictures(threads(['6.1 1 100', '6.12 1 90']))
    const [single] = usualPictures(recordedTable('reports/fio-text/two-files-fio-fio2'))
    const [repeated] = usualPictures(recordedTable('reports/fio-text/three-runs-each-files'))
    if (!plain || !single || !repeated) throw new Error('no picture')
    expect(draw(plain, 900).marks.filter(isWhisker)).toEqual([])
    expect(wordsOf(plain).join(' ')).not.toContain('whiskers')
    expect(draw(single, 900).marks.filter(isWhisker).length).toBeGreaterThan(0)
    expect(draw(repeated, 900).marks.filter(isWhisker).length).toBeGreaterThan(0)
    expect(wordsOf(repeated).join(' ')).toContain('whiskers: minimum to maximum of the runs')
    expect(wordsOf(single).join(' ')).toContain('whiskers of single runs: minimum to maximum within the run')
    expect(wordsOf(single).join(' ')).not.toContain('maximum of the runs')
  })

  it('breaks a line where a value is missing', () => {
    const rows = ['6.1 1 100', '6.1 2 180', '6.1 4 320', '6.1 8 500', '6.12 1 90', '6.12 2 95', '6.12 8 600']
    const lines = usualPictures(threads(rows)).find(picture => picture.kind === 'lines') as LinesPicture
    const { marks } = drawLines(lines, 700, measure)
    const dashes = marks.filter((mark): mark is LineMark => mark.kind === 'line' && mark.dashOf !== undefined)
    expect(dashes.map(({ paths }) => paths.map(path => path.length))).toEqual([[4], [2]])
  })

  it('has the digits of the matrix, in the picture, its words, its tips', () => {
    const [lines] = usualPictures(recordedTable('tables/iostest.txt')) as [LinesPicture]
    const last = lines.panels[0]?.lines[1]?.points.at(-1)
    if (!last) throw new Error('no point')
    expect(valueText(last, lines.metric)).toBe('349')
    expect(wordsOf(lines).join(' ')).toContain('16: 349')
    expect(draw(lines, 700).targets.at(-1)?.tip.rows[1]).toEqual([
      'B',
      '349 MB/s',
      'n 1',
      expect.stringContaining('\u00d72.68'),
    ])
  })

  it('is complete as a table', () => {
    const [lines] = usualPictures(SWEEP) as [LinesPicture]
    const { rows } = tableOf(lines)
    expect(rows.map(row => row.slice(1, 5))).toContainEqual(['B 6.12', '4', 1, 400])
    expect(rows).toHaveLength(6)
  })

  const names = [
    'reports/tables/schedulers-over-columns',
    'reports/tables/two-heading-lines-aligned',
    'reports/fio-text/three-runs-each-files',
    'reports/tiobench/tiotest-two-files',
    'reports/iostat/new-columns-two-files',
    'reports/iozone/two-files',
    'reports/lkp/three-commits',
    'reports/histograms/biolatency-D-two-files',
    'reports/fio-json/jsonplus-files',
    'tables/dds.txt',
  ]
  it.each(names)('of %s is inside of its frame at any width, and no text is on another', name => {
    const table = recordedTable(name)
    const pictures = [...table.figures.flatMap(figure => picturesOf(table, figure)), ...histogramsOf(table)]
    expect(pictures.length).toBeGreaterThan(0)
    for (const picture of pictures)
      for (const width of [280, 358, 640, 976, 1392]) {
        const { marks, targets, height } = draw(picture, width)
        expect(targets.length).toBeGreaterThan(0)
        const texts = marks
          .filter((mark): mark is TextMark => mark.kind === 'text' && mark.token !== 'surface')
          .map(mark => {
            const wide = measure(mark.text, mark.isBold)
            const left = mark.x - (mark.anchor === 'end' ? wide : mark.anchor === 'middle' ? wide / 2 : 0)
            return { text: mark.text, left, right: left + wide, y: mark.y }
          })
        const place = `${titleOf(picture)} at ${width}`
        for (const { text, left, right, y } of texts) {
          expect(left, `${place}: ${text}`).toBeGreaterThanOrEqual(-1)
          expect(right, `${place}: ${text}`).toBeLessThanOrEqual(width + 1)
          expect(y, `${place}: ${text}`).toBeLessThanOrEqual(height)
        }
        const onAnother = texts.flatMap((a, i) =>
          texts
            .slice(i + 1)
            .filter(b => Math.abs(a.y - b.y) < 9 && a.left < b.right - 1 && b.left < a.right - 1)
            .map(b => `${a.text} and ${b.text}`),
        )
        expect(onAnother, place).toEqual([])
      }
  })
})

describe('intervals', () => {
  /** fio's averaged log: a line per 500 ms, begun a bit later each time; `skipped` intervals are missing. */
  const log = (late: number, skipped: readonly number[] = [], intervals = 40) =>
    Array.from({ length: intervals }, (_, i) => i + 1)
      .filter(i => !skipped.includes(i))
      .map(i => `${i * 500 + late}, ${16_000 + ((i * 37) % 11) * 100}, 0, 0\n`)
      .join('')
  const overTime = (...texts: readonly (readonly [string, string])[]): LinesPicture => {
    const [table] = tablesOf(texts)
    const [picture] = table ? usualPictures(table) : []
    if (picture?.kind !== 'lines') throw new Error('no lines')
    return picture
  }

  it('of two logs are two lines over time, with the values of their lines', () => {
    const picture = overTime(['6.1/rr_iops.1.log', log(0)], ['6.12/rr_iops.1.log', log(3)])
    expect(picture.over).toMatchObject({ key: 'time', scale: 'linear' })
    expect(picture.sides.map(({ name }) => name)).toEqual(['6.1', '6.12'])
    const [a, b] = picture.panels[0]?.lines ?? []
    const means = (line = a) => line?.points.flatMap(point => point?.cell.mean ?? [])
    expect(means(a)).toHaveLength(40)
    expect(means(b)).toEqual(means(a))
    expect(means(a)?.[2]).toBe(16_000 + ((3 * 37) % 11) * 100)
    const { marks } = drawLines(picture, 900, text => text.length * 6)
    const lines = marks.filter((mark): mark is LineMark => mark.kind === 'line' && mark.dashOf !== undefined)
    // Times of the other log do not cut a line into pieces.
    expect(lines.map(({ paths }) => paths.map(path => path.length))).toEqual([[40], [40]])
    expect(wordsOf(picture).join(' ')).toContain('40 intervals from 500 ms to 20000 ms')
    expect(tableOf(picture).rows).toHaveLength(80)
  })

  it('that are missing are a gap', () => {
    const picture = overTime(['6.1/rr_iops.1.log', log(0, [20, 21, 22])], ['6.12/rr_iops.1.log', log(3)])
    const { marks } = drawLines(picture, 900, text => text.length * 6)
    const [first] = marks.filter((mark): mark is LineMark => mark.kind === 'line' && mark.dashOf !== undefined)
    expect(first?.paths.map(path => path.length)).toEqual([19, 18])
  })

  it('of iostat are lines on request, repeats are none', () => {
    const iostat = recordedTable('reports/iostat/new-columns-two-files')
    const lines = usualPictures(iostat).filter(picture => picture.kind === 'lines')
    expect(lines.map(titleOf)).toEqual([expect.stringMatching(/over interval$/)])
    expect(usualPictures(iostat)[0]?.kind).toBe('bars')
    const repeats = recordedTable('reports/fio-text/three-runs-each-files')
    expect(usualPictures(repeats).filter(picture => picture.kind === 'lines')).toEqual([])
  })
})
