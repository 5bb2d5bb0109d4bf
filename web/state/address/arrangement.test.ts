import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ns, sector } from '../../lib/units'
import { decodeLink, encodeLink } from '../../link/link'
import { groupRuns, groupsOf } from '../runs/grouping'
import { changeRun, moveRun, placeRuns, rowWithout, toggleRun, withBaseline, withCompared } from '../runs/runs'
import { joinDevices, splitRun } from '../runs/split'
import type { Run } from '../types'
import { arrangementOf, arrangeRuns } from './arrangement'

const device = (index: number, name: string, requests = 1) => ({
  index,
  dev: `9,${index}`,
  name,
  role: 'disk' as const,
  events: 1,
  requests,
  lba: [sector(0), sector(8)] as const,
  active: [ns(0), ns(8e9)] as const,
})

/** A trace as it was opened: an array, a member and a device without a request. */
const opened = (trace: number): Run => ({
  id: `run-${trace}`,
  trace,
  letter: 'A',
  linkLetter: 'A',
  label: `t${trace}`,
  baseline: false,
  hidden: false,
  status: { kind: 'ready' },
  client: { query: () => new Promise(() => undefined) },
  device: 0,
  info: {
    name: 't',
    label: `t${trace}`,
    format: '',
    absent: [],
    files: [],
    complete: true,
    span: ns(8e9),
    events: 1,
    requests: 1,
    messages: 0,
    cpus: [0],
    devices: [device(0, 'md0'), device(1, 'vda'), device(2, 'vdb', 0)],
    processes: [],
    quality: {
      lostEvents: 0,
      truncatedBytes: 0,
      unknownRecords: 0,
      unmatched: { Q: 0, D: 0, C: 0 },
      holes: [],
      warnings: [],
    },
  },
})
const row = (n: number): readonly Run[] => placeRuns(Array.from({ length: n }, (_, i) => opened(i + 1)))
/** All that a reader sees of the row. */
const seen = (runs: readonly Run[]) =>
  runs.map(r => [
    r.trace,
    r.letter,
    r.label,
    r.baseline,
    r.hidden,
    r.group ?? '',
    r.info?.devices[r.device]?.name,
    r.alone ?? false,
    r.compared ?? false,
  ])

describe('the devices of a trace as runs', () => {
  it('of a trace that replaced its snapshot keeps its place in the snapshot', () => {
    const held = row(2).map((run, i) => ({ ...run, snapshotIndex: i }))
    expect(arrangementOf(held.map((run, i) => (i === 0 ? { ...run, trace: 3 } : run)))).toEqual({})
    expect(arrangementOf([...held].reverse())).toEqual({ order: [{ trace: 2 }, { trace: 1 }] })
  })

  it('stand in its place, each asks on channels of its own, and those without a request are left out', () => {
    const asked: (string | undefined)[] = []
    const client: Run['client'] = { query: (_kind, _ask, channel) => new Promise(() => asked.push(channel)) }
    const runs = splitRun(changeRun(row(3), 'run-2', { client }), 'run-2', 10)
    expect(runs.map(r => `${r.letter} ${r.label}`)).toEqual(['A t1', 'B t2 md0', 'C t2 vda', 'D t3'])
    for (const run of runs.slice(1, 3)) run.client.query('info', {}, 'map')
    expect(new Set(asked).size).toBe(2)
  })
  it('become one run again, which stays the baseline', () => {
    const before = withBaseline(row(2), 'run-2')
    expect(seen(joinDevices(splitRun(before, 'run-2', 10), 2))).toEqual(seen(before))
    const parts = splitRun(row(2), 'run-1', 10)
    expect(joinDevices(withBaseline(parts, parts[1]?.id ?? ''), 1)[0]?.baseline).toBe(true)
  })
  it('are as many as there is room for', () => expect(splitRun(row(1), 'run-1', 0)).toHaveLength(1))
  it('of a single device there is nothing to split', () => {
    const runs = row(1).map(r => ({ ...r, ...(r.info && { info: { ...r.info, devices: r.info.devices.slice(1) } }) }))
    expect(splitRun(runs, 'run-1', 5)).toBe(runs)
  })
})

describe('groups', () => {
  it('stand together, behind their first run', () => {
    const runs = groupRuns(row(4), [{ label: '6.1', runs: ['run-1', 'run-3'] }])
    expect(runs.map(r => r.label)).toEqual(['t1', 't3', 't2', 't4'])
    expect(moveRun(runs, 'run-2', 0).map(r => r.label)).toEqual(['t2', 't1', 't3', 't4'])
    // A run does not come to stand within a group that is not its own.
    expect(moveRun(runs, 'run-4', 1).map(r => r.label)).toEqual(['t1', 't3', 't4', 't2'])
    expect(groupRuns(runs, [{ label: '6.1', runs: ['run-1'] }]).map(r => r.group)).toEqual([
      '6.1',
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a link about the row of runs', () => {
  const idAt = (runs: readonly Run[], i: number) => runs[i % runs.length]?.id ?? ''
  const step = fc
    .tuple(
      fc.constantFrom('move', 'base', 'hide', 'name', 'group', 'device', 'split', 'join', 'remove', 'compare'),
      fc.nat(19),
      fc.nat(19),
    )
    .map(([what, i, j]) => (runs: readonly Run[]): readonly Run[] => {
      const id = idAt(runs, i)
      const run = runs.find(r => r.id === id)
      switch (what) {
        case 'move':
          return moveRun(runs, id, j % runs.length)
        case 'base':
          return withBaseline(runs, id)
        case 'hide':
          return toggleRun(runs, id)
        case 'name':
          return changeRun(runs, id, { label: `my ${j}` })
        case 'group':
          return groupRuns(runs, [
            ...groupsOf(runs).map(({ label, runs }) => ({ label, runs: runs.map(run => run.id) })),
            { label: `g${j % 3}`, runs: [id] },
          ])
        case 'device':
          return run?.alone ? runs : changeRun(runs, id, { device: j % 3 })
        case 'split':
          return splitRun(runs, id, 20 - runs.length)
        case 'compare':
          return withCompared(runs, id)
        case 'join':
          return joinDevices(runs, run?.trace ?? 0)
        default:
          return run?.alone && runs.filter(r => r.trace === run.trace).length > 1 ? rowWithout(runs, id) : runs
      }
    })
  it('brings back whatever was done to it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 12 }), (n, steps) => {
        const done = steps.reduce((runs, act) => act(runs), row(n))
        const { link } = decodeLink(encodeLink(arrangementOf(done)))
        expect(seen(arrangeRuns(row(n), link) ?? [])).toEqual(seen(done))
      }),
    )
  })
  it('says nothing of a row as it was opened', () => expect(arrangementOf(row(3))).toEqual({}))
  it('names a run that was renamed before anything of it was read', () => {
    const unread = row(2).map(({ info: _, ...run }): Run => ({ ...run, openedAs: run.label }))
    expect(arrangementOf(unread)).toEqual({})
    expect(arrangementOf(unread.map((run, i) => (i === 0 ? { ...run, label: 'slow' } : run)))).toEqual({
      labels: { A: 'slow' },
    })
  })
  it('waits for the runs and devices that it names', () => {
    expect(arrangeRuns([], {})).toBeUndefined()
    expect(arrangeRuns(row(1), { baseline: 'B' })).toBeUndefined()
    expect(arrangeRuns(row(2), { order: [{ trace: 3 }] })).toBeUndefined()
    const reading = row(1).map(
      ({ info: _, ...r }): Run => ({
        ...r,
        status: {
          kind: 'reading',
          progress: { bytes: 0, totalBytes: 1, events: 0, requests: 0, span: 0, elapsedMs: 0 },
        },
      }),
    )
    expect(arrangeRuns(reading, { device: 'vda' })).toBeUndefined()
    expect(arrangeRuns(reading, { labels: { A: 'mine' } })?.[0]?.label).toBe('mine')
  })
  it('that names what is not there is followed as far as it can be', () => {
    const runs =
      arrangeRuns(row(2), { order: [{ trace: 2 }, { trace: 1, device: 'sda' }], device: 'sdb', off: ['A', 'B'] }) ?? []
    expect(runs.map(r => [r.trace, r.hidden])).toEqual([[2, false]])
  })
})
