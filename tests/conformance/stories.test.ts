import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadEngine } from '../../cli/input/read/engine'
import { runsOf } from '../../cli/input/runs'
import type { CompareDocument, Comparison } from '../../web/engine/protocol'
import { STORIES } from './stories'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { compare } = loadEngine()

describe.each(STORIES)('$cause', ({ paths, pairs }) => {
  const read = runsOf({ paths: paths.map(path => join(ROOT, path)), limited: true })
  /** The run of this name; without one, a group of all runs whose names begin with it. */
  const runs = async (name: string) => {
    const list = (await read).map(run => ({ ...run, label: basename(dirname(run.path)) }))
    const exact = list.filter(run => run.label === name)
    return exact.length > 0
      ? exact
      : list.filter(run => run.label.startsWith(`${name}-`)).map(run => ({ ...run, group: name }))
  }

  it.each(pairs)('%s against %s: %j', async (a, b, codes) => {
    const both = [...(await runs(a)), ...(await runs(b))]
    const document = compare(JSON.stringify({ runs: both, baseline: 0 })) as CompareDocument & Comparison
    expect(document.sides.map(side => side.label)).toEqual([a, b])
    expect(document.findings.map(finding => finding.code)).toEqual(codes)
    expect(document.findings.map(finding => finding.rank)).toEqual(codes.map((_, i) => i + 1))
    for (const { sentence, rule } of document.findings)
      expect([sentence, rule].join(' ')).not.toMatch(/NaN|inf|undefined|\$\{/)
    const { total, ...parts } = document.lost_ns ?? { total: 0 }
    expect(Object.values(parts).reduce((sum, ns) => sum + ns, 0) / 1e6).toBeCloseTo(total / 1e6, 3)
  })
})

it('finds the plugs of the newer kernel, and does not call the throughput different', async () => {
  const all = await runsOf({ paths: [join(ROOT, 'tests/stories/repeat.tar.xz')], limited: true })
  const grouped = all.map(run => ({ ...run, group: basename(dirname(run.path)).replace(/-run\d/, '') }))
  const { outcome, figures, findings } = compare(JSON.stringify({ runs: grouped, baseline: 0 })) as CompareDocument &
    Comparison
  expect(outcome).toBe('unsure')
  const figure = (key: string) => figures.find(f => f.key === key)
  expect(figure('events.P')).toMatchObject({ values: [455, 455, 455, 1536, 1536, 1536], real: true })
  expect(figure('i2d.mean')).toMatchObject({ real: true, groups: [{ n: 3 }, { n: 3 }] })
  expect(figure('bps')?.real).toBe(false)
  expect(findings[0]?.parts).toContainEqual({ name: 'after', value: 1536, unit: 'count' })
})
