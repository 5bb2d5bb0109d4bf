/**
 * Links are kept for years: those in tests/links-v1 were made by an older version, and must open with the figures that
 * it gave.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engineModule } from '../../tests/engine'
import expected from '../../tests/links-v1/figures.json'
import { initSync, openSnapshot, Shot } from '../engine/generated/seekscope.js'
import type { SnapshotContents, TraceSnapshot } from '../engine/protocol'
import { decodeLink } from '../link/link'

const textOf = (name: string) =>
  readFileSync(new URL(`../../tests/links-v1/${name}.txt`, import.meta.url), 'utf8').trim()

/** Of an answer; typed arrays as lists. */
const checksum = (answer: unknown): string => {
  const json = JSON.stringify(answer, (_, value) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  )
  return createHash('sha256').update(json).digest('hex').slice(0, 16)
}

/** What the page asks of a snapshot, with the parameters that the expected answers had. */
function queriesOf({
  pictures,
  ...snapshot
}: TraceSnapshot & { readonly geometry?: object | null }): Readonly<Record<string, object>> {
  const [picture] = pictures
  const map = picture?.map as { readonly bands: readonly (readonly [number, number])[]; readonly layers: object }
  const [t0, t1] = picture?.range ?? [0, 0]
  const geometry = snapshot.geometry ? { geometry: snapshot.geometry } : {}
  const common = { filter: picture?.filter, device: picture?.filter.device, range: { t0, t1 }, ...geometry }
  const bands = map.bands.map(([lba0, lba1], i) => ({ lba0, lba1, y0: i * 20, y1: i * 20 + 20 }))
  const grid = { w: 150, h: Math.max(20, bands.length * 20) }
  return {
    info: {},
    summary: geometry,
    digest: geometry,
    facets: common,
    rate: { ...common, n: 100 },
    depth: { ...common, n: 100 },
    starved: { ...common, most: 50 },
    stages: common,
    bands: { ...common, most: 6, gapShare: 0.02 },
    sizes: { ...common, at: 'issued' },
    distribution: { ...common, stage: 'q2c' },
    latencyGrid: { ...common, stage: 'q2c', w: 60, h: 30, low: 1e3, high: 1e9 },
    seekMap: {
      ...common,
      bands,
      ...grid,
      layer: Object.keys(map.layers)[0] ?? 'density',
      slots: [0, 1, 2, 3, 4, 5],
      marks: 0,
    },
    alignment: common,
    stripeTime: { ...common, w: 60, h: 30 },
    hit: { ...common, t: 0, lba: 0, dt: 1, dlba: 1 },
    life: { row: 1 },
  }
}

/** The checksum of an answer, or the code of the error. */
function answered(shot: Shot, kind: string, query: object): string {
  try {
    return checksum(shot.query(kind, JSON.stringify(query)))
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('a link of version 1', () => {
  initSync({ module: engineModule() })
  it.each(Object.entries(expected))('opens with the same figures: %s', (name, was) => {
    const { link, problems } = decodeLink(textOf(name))
    expect(problems).toEqual([])
    const opened: SnapshotContents = openSnapshot(link.snapshot ?? '')
    expect(opened.problems).toEqual([])
    const { head, document, traces } = opened.snapshot
    expect(head.runs.map(run => run.label)).toEqual(was.runs)
    expect(traces.map(trace => trace?.info.events)).toEqual(was.events)
    expect((document?.findings ?? []).map(finding => finding.code)).toEqual(was.findings)
    expect(Object.fromEntries((document?.figures ?? []).map(figure => [figure.key, figure.values]))).toEqual(
      was.figures,
    )
    for (const [i, trace] of traces.entries()) {
      if (trace === null) throw new Error('the trace is missing')
      const shot = new Shot(JSON.stringify(trace))
      const answers = Object.entries(queriesOf(trace)).map(([kind, query]) => [kind, answered(shot, kind, query)])
      expect(Object.fromEntries(answers)).toEqual(was.answers[i])
      shot.free()
    }
  })
})
