/**
 * The declarations that xtask makes are true and complete: real answers, written as literals, have exactly the declared
 * fields (the compiler refuses missing, additional and wrong ones), and nothing that the modules return is `any`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fixture, type OpenTrace, openTrace } from '../../tests/engine'
import { ns, sector } from '../lib/units'
import type { Query, QueryKind } from './protocol'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Brands and codes that JSON has not: plain numbers and texts. */
const declarations = readFileSync(pathOf('generated/protocol.ts'), 'utf8')
  .replaceAll(/import type \{ (\w+) \} from '[^']*units'/g, 'type $1 = number')
  .replaceAll(/import type \{ (\w+) \} from '[^']*docs'/g, 'type $1 = string')

/** A value as an expression. Lists of numbers become empty typed arrays: their contents have no type. */
function literal(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `new ${value.constructor.name}()`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' && !Number.isFinite(value) ? 'NaN' : JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{ ${fields.map(([key, field]) => `${JSON.stringify(key)}: ${literal(field)}`).join(', ')} }`
}

/** What the compiler says of constants of these types and values. */
function complaints(constants: readonly (readonly [type: string, value: unknown])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-protocol-'))
  try {
    const lines = constants.map(([type, value], i) => `export const c${i}: ${type} = ${literal(value)}`)
    writeFileSync(join(folder, 'answers.ts'), `${declarations}\n${lines.join('\n')}\n`)
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2023',
      types: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['answers.ts'] }))
    const compiler = pathOf('../../node_modules/typescript/bin/tsc')
    const { stdout, stderr } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', folder], {
      encoding: 'utf8',
    })
    return stdout + stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function answers({ info, ask }: OpenTrace): Promise<(readonly [string, unknown])[]> {
  const device = info.devices.find(({ role }) => role === 'disk')?.index ?? 0
  const [filter, range] = [{ device }, { t0: ns(0), t1: info.span }]
  const geometry = { level: 'raid5', unit: sector(512), dataDisks: 4, start: sector(0) } as const
  const bands = [{ lba0: sector(0), lba1: sector(2 ** 32), y0: 0, y1: 30 }]
  const grid = { filter, range, w: 8, h: 8 }
  const list = { filter: {}, offset: 0, limit: 20 }
  const asked: { readonly [K in QueryKind]?: Query<K> } = {
    summary: { geometry },
    digest: { geometry },
    facets: { filter: { ...filter, geometry }, range },
    bands: { filter, range, most: 4, gapShare: 0.02 },
    seekMap: { ...grid, bands, layer: 'op', marks: 0 },
    failures: { ...grid, bands },
    depth: { device, range, n: 4 },
    starved: { device, range, most: 4 },
    lanes: {},
    rate: { filter, range, n: 4 },
    latencyGrid: { ...grid, stage: 'd2c', low: ns(1e3), high: ns(1e9) },
    distribution: { filter, range, stage: 'd2c' },
    stages: { filter, range },
    sizes: { filter, range, at: 'issued' },
    alignment: { filter, range, geometry },
    stripeTime: { ...grid, geometry },
    hit: { filter, t: ns(0), lba: sector(0), dt: info.span, dlba: sector(2 ** 40) },
    tail: { filter, range, percentile: 0.99 },
    slowest: { filter, range, stage: 'd2c', low: ns(0) },
    playback: { filter, at: ns(0), step: ns(1e6), n: 2, window: ns(1e6), layer: 'op', most: 10 },
    nextStep: { filter, t: ns(0), by: 1 },
    life: { row: 0, geometry },
    requests: { filter, range, sort: 'latency', descending: true, offset: 0, limit: 5 },
    columns: { from: 0, limit: 5 },
    events: list,
    eventText: list,
    findEvent: { filter: {}, time: ns(0) },
    eventRequest: { entry: 0 },
    nativeText: { tool: 'btt' },
  }
  const found: (readonly [string, unknown])[] = [['TraceInfo', info]]
  for (const [kind, query] of Object.entries(asked))
    found.push([`TraceQueries['${kind}']['answer']`, await ask(kind as QueryKind, query as Query<QueryKind>)])
  const marks = await ask('seekMap', { ...grid, bands, layer: 'op', marks: 60_000 })
  const trace = await ask('digest', {})
  const runs = [
    { label: 'a', trace },
    { label: 'b', trace },
  ]
  const snapshot = await ask('snapshot', {
    filters: [filter],
    ranges: [[0, info.span]],
    stage: 'd2c',
    layers: ['density', 'op'],
    names: true,
    files: true,
    size: 'File',
    step: 0,
  })
  return [
    ...found,
    ['Marks', marks],
    ['CompareDocument', await ask('compare', { runs, baseline: 0 })],
    ['CompareDocument', await ask('compare', { runs: runs.slice(0, 1), baseline: 0 })],
    ['MatrixAnswer', await ask('compareMatrix', { runs, cells: [[0], [1]], pairs: [[0, 1]], columns: [[0], [1]] })],
    ['TraceSnapshot', snapshot],
  ]
}

it('declares what the engine answers, field by field', async () => {
  const found = [
    ...(await answers(await openTrace(fixture('raid5-misaligned')))),
    ...(await answers(await openTrace(fixture('io-errors')))),
  ]
  expect(complaints(found)).toBe('')
})

it('notices a field that is missing, one too many, and a wrong word', () => {
  const lane = { file: 'iostat.txt', what: 'iostat -x' }
  const found = complaints([
    ['LaneSource', lane],
    ['LaneSource', { file: 'iostat.txt' }],
    ['LaneSource', { ...lane, more: 1 }],
    ['LaneKind', 'gouge'],
  ])
  expect(found.match(/^\S.*error TS.*$/gm)).toHaveLength(3)
  expect(found).toMatch(/'what' is missing.*more.*does not exist.*'"gouge"' is not assignable/s)
})

it('leaves no result of the modules without a type', () => {
  for (const name of ['seekscope', 'statistics']) {
    const bindings = readFileSync(pathOf(`generated/${name}.d.ts`), 'utf8')
    const api = bindings.slice(0, bindings.indexOf('export type InitInput'))
    expect(api.match(/^.*: any\b.*$/gm) ?? []).toEqual([])
  }
})
