import { describe, expect, it } from 'vitest'
import type { CompareDocument, ComparedFigure, Comparison } from '../engine/protocol'
import {
  barShare,
  cell,
  intervalText,
  mayBeChance,
  ownIntervalText,
  rowsOf,
  signed,
  sortByCertainty,
  spreadCell,
} from './rows'
import { asCsv, asText, changeWords } from './summary'
import { significantFrom, verdictInWords } from './verdicts'

const figure = (
  key: string,
  label: string,
  unit: ComparedFigure['unit'],
  values: readonly (number | null)[],
  more: Partial<ComparedFigure> = {},
): ComparedFigure => ({ key, label, unit, values, real: false, ...more })

const FIGURES: readonly ComparedFigure[] = [
  figure('span', 'Run time, first Q to last C', 'ns', [4.03e9, 7.77e9], {
    good: 'less',
    ratio: 7.77 / 4.03,
    ci95: [1.55, 2.4],
    real: true,
    verdict: 'worse',
  }),
  figure('write_bps', 'Throughput, write', 'bytes/s', [1.3e6, 0.67e6], {
    good: 'more',
    ratio: 0.67 / 1.3,
    ci95: [0.44, 0.65],
    real: true,
    verdict: 'worse',
  }),
  figure('depth.mean', 'Queue depth, mean', 'requests', [2.37, 0.84], {
    ratio: 0.84 / 2.37,
    ci95: [0.27, 0.5],
    real: true,
    verdict: 'changed',
  }),
  figure('d2c.mean', 'D2C, mean', 'ns', [7.47e6, 5.09e6], {
    good: 'less',
    ratio: 0.68,
    ci95: [0.62, 0.79],
    real: true,
    verdict: 'better',
  }),
  figure('q2c.mean', 'Q2C, mean', 'ns', [7.4e6, 7.5e6], {
    good: 'less',
    ratio: 1.01,
    ci95: [0.9, 1.1],
    verdict: 'noise',
  }),
  figure('q2c.p99', 'Q2C, p99', 'ns', [19e6, 383e6], { good: 'less', ratio: 20.2, verdict: 'unsure' }),
  figure('events.P', 'Events P', 'count', [100, 110], { ratio: 1.1, verdict: 'noise' }),
  figure('flush.flush', 'Flush requests', 'count', [0, 40], { real: true, verdict: 'changed' }),
  figure('bytes.write', 'Written', 'bytes', [5_242_880, 5_242_880], { ratio: 1, verdict: 'equal' }),
]
const comparison = (figures: readonly ComparedFigure[], side = 1): Comparison => ({
  side,
  work: { same: true, why: '', parts: [] },
  outcome: 'slower',
  verdict: '',
  verdict_parts: [],
  threshold: 0.25,
  margin: 0.05,
  figures,
  findings: [],
})
const document: CompareDocument = {
  schema: 1,
  runs: [],
  sides: [
    { label: 'a', runs: [0] },
    { label: 'b', runs: [1] },
  ],
  baseline: 0,
}
const rows = rowsOf(document, [comparison(FIGURES)])
const row = (key: string, table = rows) => {
  const hit = table.find(r => r.key === key)
  if (hit === undefined) throw new Error(`no row ${key}`)
  return hit
}
const found = { application: [], rows, zero: [] }
const sides = [
  { letter: 'A', label: 'bfq, slice_idle 0', device: 'vda' },
  { letter: 'B', label: 'bfq, slice_idle 8 ms', device: 'vda' },
]

describe('rows', () => {
  it('share one unit, that of the largest value', () => {
    expect(row('span')).toMatchObject({ unit: 's', values: [4.03, 7.77] })
    expect(row('d2c.mean')).toMatchObject({ unit: 'ms', values: [7.47, 5.09] })
    expect(row('write_bps')).toMatchObject({ unit: 'MB/s', values: [1.3, 0.67] })
    expect(row('bytes.write')).toMatchObject({ unit: 'MiB', values: [5, 5] })
  })
  it('have the verdicts of the engine', () => {
    expect(row('span').changes).toMatchObject([undefined, { verdict: 'worse', interval: [1.55, 2.4] }])
    expect(row('q2c.p99').changes[1]?.verdict).toBe('unsure')
  })
  it('say how many requests the interval of a percentile needs', () => {
    const few = figure('q2c.p999', 'Q2C, p99.9', 'ns', [2e8, 4e8], { ratio: 2, verdict: 'unsure', needs: [null, 4210] })
    const enough = figure('q2c.p90', 'Q2C, p90', 'ns', [2e8, 4e8], {
      ratio: 2,
      ci95: [1.2, null],
      real: true,
      verdict: 'worse',
      needs: [null, 90],
    })
    const table = rowsOf(document, [comparison([few, enough])])
    expect(row('q2c.p999', table).changes[1]).toMatchObject({ needs: 4210 })
    expect(row('q2c.p999', table).changes[1]).not.toHaveProperty('interval')
    expect(row('q2c.p90', table).changes[1]).toMatchObject({ interval: [1.2, null] })
    expect(row('q2c.p90', table).changes[1]).not.toHaveProperty('needs')
    expect(asCsv({ application: [], rows: table, zero: [] }, sides, 0)).toContain(
      'q2c.p90,"Q2C, p90",ms,200,400,2,1.2,,,worse',
    )
  })
  it('have no ratio to 0', () => {
    expect(row('flush.flush').changes[1]).toEqual({ text: 'new', verdict: 'changed' })
  })
  it('of groups hold mean, deviation and number', () => {
    const grouped: CompareDocument = {
      ...document,
      sides: [
        { label: 'old', runs: [0, 2] },
        { label: 'new', runs: [1] },
      ],
    }
    const spans = figure('span', 'Run time', 'ns', [4e9, 8e9, 5e9], {
      groups: [{ n: 2, mean: 4.5e9, sd: 0.5e9 }, null],
      ratio: 8 / 4.5,
    })
    const [only] = rowsOf(grouped, [comparison([spans])])
    expect(only?.values).toEqual([4.5, 8])
    expect(only && [spreadCell(only, 0), spreadCell(only, 1)]).toEqual(['4.50 ± 0.500 (2)', '8'])
  })
  it('compare each side with the baseline, whichever it is', () => {
    const three: CompareDocument = {
      ...document,
      sides: [0, 1, 2].map(i => ({ label: `${i}`, runs: [i] })),
      baseline: 1,
    }
    const spans = (ratio: number) =>
      figure('span', 'Run time', 'ns', [4e9, 8e9, 2e9], {
        good: 'less',
        ratio,
        ci95: [ratio / 1.1, ratio * 1.1],
        real: true,
        verdict: 'better',
      })
    const [only] = rowsOf(three, [comparison([spans(0.5)], 0), comparison([spans(0.25)], 2)])
    expect(only?.changes.map(c => c && [c.text, c.verdict])).toEqual([
      ['−50%', 'better'],
      undefined,
      ['−75%', 'better'],
    ])
  })
  it('have the interval within each single run', () => {
    const depth = figure('depth.mean', 'Queue depth, mean', 'requests', [2, 4], {
      ratio: 2,
      verdict: 'changed',
      intervals: [
        [1.5, 2.5],
        [3.5, null],
      ],
    })
    const [only] = rowsOf(document, [comparison([depth])])
    expect(only && [ownIntervalText(only, 0), ownIntervalText(only, 1)]).toEqual([
      '95% interval within the run: 1.50 to 2.50 requests',
      '95% interval within the run: 3.50 or more requests',
    ])
    expect(ownIntervalText(row('span'), 0)).toBeUndefined()
  })
  it('say by how much repeats differ where a difference is noise', () => {
    const noise = (unit: ComparedFigure['unit'], least_change: number) => {
      const [only] = rowsOf(document, [
        comparison([figure('q2c.p99', 'p99', unit, [0.1, 0.6], { ratio: 6, verdict: 'noise', least_change })]),
      ])
      const { verdict, noise } = only?.changes[1] ?? {}
      return verdict && verdictInWords(verdict, noise)
    }
    expect(noise('ns', 5.5)).toBe('within noise; repeats differ by up to \u00d76.50')
    expect(noise('share', 0.025)).toBe('within noise; repeats differ by up to 2.50 percentage points')
  })
  it('are marked where chance can explain one of so many', () => {
    const isMarked = (fdr: number, verdict: 'worse' | 'noise') => {
      const [only] = rowsOf(document, [
        comparison([figure('q2c.mean', 'Q2C, mean', 'ns', [1e6, 2e6], { ratio: 2, verdict, fdr })]),
      ])
      const change = only?.changes[1]
      return change && mayBeChance(change)
    }
    expect([isMarked(0.2, 'worse'), isMarked(0.01, 'worse'), isMarked(0.2, 'noise')]).toEqual([true, false, false])
  })
  it('are sorted by certainty, then by size', () => {
    const ratioFigure = (key: string, ratio: number, fields: Partial<ComparedFigure>) =>
      figure(key, key, 'ns', [1, ratio], { ratio, ...fields })
    const table = rowsOf(document, [
      comparison([
        ratioFigure('noise', 1.1, { verdict: 'noise', fdr: 0.9 }),
        ratioFigure('chance', 3, { verdict: 'worse', fdr: 0.2 }),
        ratioFigure('unsure', 5, { verdict: 'unsure' }),
        ratioFigure('small', 1.5, { verdict: 'worse', fdr: 0.001 }),
        ratioFigure('large', 0.2, { verdict: 'better', fdr: 0.001 }),
      ]),
    ])
    expect(sortByCertainty(table, 1).map(r => r.key)).toEqual(['large', 'small', 'chance', 'unsure', 'noise'])
  })
  it('mark figures that lost events make unreliable', () => {
    const figures = FIGURES.map(
      (f): ComparedFigure => (f.key === 'depth.mean' ? { ...f, verdict: 'unreliable', unreliable: [1] } : f),
    )
    const lost = rowsOf(document, [comparison(figures)])
    expect(row('depth.mean', lost).unreliable).toEqual([false, true])
    const text = asText({ ...found, rows: lost }, sides, 0)
    expect(text).toContain('0.840*')
    expect(text).toContain('* Unreliable in B: events were lost, or times cannot be trusted.')
  })
})

it('one text has the thresholds of a figure', () => {
  expect(significantFrom([0.254, 0.25])).toMatch(/\(25%\)$/)
  expect(significantFrom([0.25, 0.05], { figure: 'throughput' })).toMatch(/\(throughput: 5 to 25%\)$/)
  expect(significantFrom([0.02], { unit: 'share' })).toMatch(/\(2 percentage points\)$/)
  expect(significantFrom([])).toBe('')
})

describe('cells', () => {
  it('have their digits and their sign', () => {
    expect([4, 0.84, 19.03, 383.4, 1181, undefined].map(cell)).toEqual(['4', '0.840', '19.0', '383', '1,181', '-'])
    expect(signed(2.37, 0.84)).toBe('−1.53')
    expect(signed(4.03, 7.77)).toBe('+3.74')
  })
  it('have a bar from 1/32 to x32', () => {
    expect(barShare(1)).toBe(0)
    expect(barShare(2)).toBeCloseTo(0.2)
    expect(barShare(1 / 1000)).toBe(-1)
    expect(barShare(undefined)).toBeUndefined()
  })
  it('have an interval in the words of the change', () => {
    expect(intervalText([0.44, 0.65])).toBe('−56 to −35%')
    expect(intervalText([6.6, 16])).toBe('×6.60 to ×16')
    expect(intervalText([0.97, 2.1])).toBe('−3% to ×2.10')
  })
  it('have intervals with an open end', () => {
    expect(intervalText([1.2, null])).toBe('+20% or more')
    expect(intervalText([2.2, null])).toBe('×2.20 or more')
    expect(intervalText([0, 0.8])).toBe('−20% or less')
    expect(intervalText([0, null])).toBe('open')
  })
  it('call noise by its name', () => {
    expect(['span', 'q2c.mean', 'q2c.p99', 'bytes.write'].map(key => changeWords(row(key), 1))).toEqual([
      '+93%',
      '+1%, noise',
      '×20.2?',
      'same',
    ])
  })
})

describe('text and CSV', () => {
  it('fit 72 columns of ASCII', () => {
    const text = asText(found, sides, 0)
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(72)
    expect([...text].every(c => (c.codePointAt(0) ?? 0) < 128)).toBe(true)
    expect(text).toMatch(/Run time, first Q to last~ +s +4\.03 +7\.77 \+93% \(\+55% \.\. x2\.40\)/)
  })
  it('keep full precision in CSV', () => {
    const csv = asCsv(found, sides, 0)
    expect(csv.split('\r\n')[0]).toBe(
      'key,metric,unit,"A bfq, slice_idle 0","B bfq, slice_idle 8 ms",B/A,B/A 95% from,B/A 95% to,B/A false discovery rate,B verdict',
    )
    expect(csv).toContain(`span,"Run time, first Q to last C",s,4.03,7.77,${7.77 / 4.03},1.55,2.4,,worse`)
  })
  it('list what the application saw before what the disk saw', () => {
    const application = rowsOf(document, [
      comparison([
        figure('bench.dd.rate', 'dd rate', 'bytes/s', [4e6, 2e6], {
          good: 'more',
          ratio: 0.5,
          verdict: 'unsure',
          application: true,
        }),
      ]),
    ])
    const text = asText({ ...found, application }, sides, 0)
    expect(text.indexOf('What the application saw')).toBeLessThan(text.indexOf('What the disk saw'))
    expect(text).toMatch(/dd rate +MB\/s +4 +2 -50%\?/)
    expect(asCsv({ ...found, application }, sides, 0)).toContain('bench.dd.rate,dd rate,MB/s,4,2,0.5,,,,unsure')
  })
})
