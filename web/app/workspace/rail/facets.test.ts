import { describe, expect, it } from 'vitest'
import type { Facets } from '../../../engine/protocol'
import { NOTHING_HIDDEN } from '../../../state/filter'
import { objectColours } from '../../../state/runs/objects'
import { processSlots } from '../../../state/runs/processes'
import type { Run } from '../../../state/types'
import { stacked } from './DeviceSwitch'
import { cpuRows, flagRows, largerCounts, mapWords, objectRows, opRows, processRows, writerRows } from './facets'

const run = (id: string, absent?: string[]) => ({ id, info: { absent, processes: [] } }) as unknown as Run
const facets = { ops: { read: 5 }, flags: { sync: 2 }, cpus: [{ cpu: 0, n: 5 }], processes: [] } as unknown as Facets
const input = (...runs: Run[]) => ({
  runs,
  facets: new Map(runs.map(r => [r.id, facets])),
  largest: new Map(runs.map(r => [r.id, facets])),
  hidden: NOTHING_HIDDEN,
  hide: () => undefined,
  layer: 'op' as const,
  objects: objectColours(runs),
})
const LOG = run('log', ['CPUs', 'sync, metadata and readahead flags', 'flushes and FUA'])

describe('what a format cannot tell', () => {
  it('has no count in the rail beside a run that has one', () => {
    expect(flagRows(input(run('trace'), LOG)).map(r => [r.key, r.counts])).toEqual([
      ['sync', [2, null]],
      ['fua', [0, null]],
    ])
    expect(opRows(input(run('trace'), LOG)).find(r => r.key === 'flush')?.counts).toEqual([0, null])
    expect(cpuRows(input(run('trace'), LOG)).map(r => r.counts)).toEqual([[5, null]])
  })
  it('has no row where no run has one', () => {
    expect(flagRows(input(LOG))).toEqual([])
    expect(cpuRows(input(LOG))).toEqual([])
  })
})

describe('a range without some values', () => {
  const all = {
    ops: { read: 1, write: 9 },
    flags: { sync: 2, meta: 3 },
    cpus: [
      { cpu: 0, n: 5 },
      { cpu: 3, n: 5 },
    ],
    processes: [],
  } as unknown as Facets
  const range = { ops: { read: 4, write: 0 }, flags: { sync: 2, meta: 0 }, cpus: [{ cpu: 3, n: 4 }], processes: [] }
  const part = {
    ...input(run('trace')),
    facets: new Map([['trace', range as unknown as Facets]]),
    largest: new Map([['trace', largerCounts(all, range as unknown as Facets)]]),
  }

  it('keeps their rows and the order', () => {
    const rows = (list: ReturnType<typeof opRows>) => list.map(r => [r.key, ...r.counts])
    expect(rows(opRows(part)).slice(0, 2)).toEqual([
      ['write', 0],
      ['read', 4],
    ])
    expect(rows(flagRows(part))).toEqual([
      ['sync', 2],
      ['fua', 0],
      ['meta', 0],
    ])
    expect(rows(cpuRows(part))).toEqual([
      ['0', 0],
      ['3', 4],
    ])
  })
})

describe('writers whose names were recorded before exec', () => {
  const writers = (id: string, ...names: string[]) =>
    ({
      id,
      info: {
        devices: [],
        processes: names.map((name, index) => ({
          index,
          pid: 700 + index,
          name,
          queued: 320,
          bytes: 1,
          via: `254,${index + 1}`,
        })),
      },
    }) as unknown as Run
  const processes = (...runs: Run[]) => {
    const counts = new Map(
      runs.map(r => [
        r.id,
        { processes: r.info?.processes.map(p => ({ index: p.index, n: p.queued })) } as unknown as Facets,
      ]),
    )
    return { ...input(...runs), facets: counts, largest: counts, layer: 'process' as const }
  }

  it('are one row with one colour', () => {
    const runs = [writers('a', 'dd', 'init'), writers('b', 'dd', 'dd')]
    expect(processRows(processes(...runs)).map(r => [r.label, r.extra, r.swatch, r.counts])).toEqual([
      ['dd', '254,1', '--proc-1', [320, 320]],
      ['dd', '254,2', '--proc-2', [320, 320]],
    ])
    expect([...processSlots(runs)]).toEqual([
      ['dd 254,1', 0],
      ['dd 254,2', 1],
      ['init 254,2', 1],
    ])
  })
  it('have both names where neither run shows which is right', () => {
    expect(processRows(processes(writers('a', 'init'), writers('b', 'dd'))).map(r => [r.label, r.counts])).toEqual([
      ['dd / init', [320, 320]],
    ])
  })
  it('are hidden under every name', () => {
    const hidden: string[] = []
    const runs = [writers('a', 'dd', 'init'), writers('b', 'dd', 'dd')]
    const rows = processRows({ ...processes(...runs), hide: (_facet, key) => hidden.push(String(key)) })
    rows[1]?.toggle?.(false)
    expect(hidden).toEqual(['dd 254,2', 'init 254,2'])
    expect(
      processRows({ ...processes(...runs), hidden: { ...NOTHING_HIDDEN, processes: hidden } }).map(r => r.shown),
    ).toEqual([true, false])
  })
  it('stay apart where a run has two processes for one device', () => {
    const two = writers('b', 'dd', 'dd')
    const runs = {
      ...two,
      info: {
        ...two.info,
        processes: two.info?.processes.map(p => ({ ...p, via: '254,2', name: p.index === 0 ? 'cp' : 'dd' })),
      },
    } as unknown as Run
    expect(processRows(processes(writers('a', 'dd', 'init'), runs)).map(r => r.label)).toEqual([
      'cp',
      'dd',
      'dd',
      'init',
    ])
  })
})

describe('files and structures', () => {
  const mapped = (id: string, ...names: string[]) =>
    ({
      id,
      info: {
        processes: [],
        objects: names.map((name, index) => ({ index, name, kind: name.startsWith('/') ? 'file' : 'unknown' })),
      },
    }) as unknown as Run
  const counted = (...counts: number[]) => ({ objects: counts.map((n, index) => ({ index, n })) }) as unknown as Facets
  const runs = [mapped('a', '/d/x', 'unknown', '/d/y'), mapped('b', '/d/y', 'unknown'), run('c')]
  const facets = new Map([
    ['a', counted(5, 0, 0)],
    ['b', counted(7, 1)],
    ['c', {} as Facets],
  ])
  const objects = { ...input(...runs), facets, largest: facets, layer: 'object' as const }

  it('are counted by name, with a dash where there is no map, and what is unknown is always listed', () => {
    expect(objectRows(objects).map(r => [r.label, r.swatch, r.counts, r.pinned])).toEqual([
      ['x', '--ob-1', [5, 0, null], undefined],
      ['y', '--ob-2', [0, 7, null], undefined],
      ['unknown', '--ob-none', [0, 1, null], true],
    ])
    expect(objectRows(input(run('c')))).toEqual([])
  })
  it('without requests have no row unless they are hidden', () => {
    const alone = { ...objects, runs: [runs[0] as Run] }
    expect(objectRows(alone).map(r => r.key)).toEqual(['/d/x', 'unknown'])
    const hidden = { ...NOTHING_HIDDEN, objects: ['/d/y'] }
    expect(objectRows({ ...alone, hidden }).map(r => [r.key, r.shown])).toEqual([
      ['/d/x', true],
      ['/d/y', false],
      ['unknown', true],
    ])
  })
  it('keep the largest counts, too', () => {
    const some = (...counts: number[]) =>
      ({ cpus: [], processes: [], objects: counted(...counts).objects }) as unknown as Facets
    expect(largerCounts(some(5, 1), some(2, 4)).objects).toEqual(counted(5, 4).objects)
  })
})

describe('who dirtied the data', () => {
  const mapped = {
    id: 'm',
    letter: 'A',
    info: { processes: [], writers: ['fio', 'jbd2', 'unknown'], map: { atStart: true, atEnd: true, moved: 2 } },
  } as unknown as Run
  const counts = { ...facets, writers: [{ index: 1, n: 4 }] } as unknown as Facets

  it('is listed by requests, with what is unknown last', () => {
    const rows = writerRows({ ...input(mapped), facets: new Map([['m', counts]]), largest: new Map([['m', counts]]) })
    expect(rows.map(({ key, counts: n }) => [key, ...n])).toEqual([
      ['jbd2', 4],
      ['unknown', 0],
    ])
    expect(writerRows(input(run('trace')))).toEqual([])
  })
  it('comes with the maps of the disk', () => {
    expect(mapWords([mapped])).toBe('A: at the start and the end, 2 files moved')
  })
})

it('lists devices of a stack below the one that lies on them', () => {
  const devices = [
    { index: 0, name: 'vda' },
    { index: 1, name: 'md0', below: [0, 2] },
    { index: 2, name: 'vdb' },
  ]
  expect(stacked([{ info: { devices } } as unknown as Run])).toEqual([
    { name: 'md0', depth: 0 },
    { name: 'vda', depth: 1 },
    { name: 'vdb', depth: 1 },
  ])
})
