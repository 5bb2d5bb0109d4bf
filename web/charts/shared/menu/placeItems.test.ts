import { describe, expect, it } from 'vitest'
import type { Life } from '../../../engine/protocol'
import { ns } from '../../../lib/units'
import { NOTHING_HIDDEN } from '../../../state/filter'
import { onlyOp } from '../../../state/hidden'
import type { LegendFilters } from '../answers/legendFilters'
import { onShownInTable } from '../answers/objectRow'
import { placeItems } from './placeItems'

type Plot = Parameters<typeof placeItems>[0]

const LIFE = { op: 'write', process: 'dd', via: '254,1', queued: ns(100), completed: ns(5100) } as Life
const EXTENT = { t0: ns(0), t1: ns(10_000) }

function plot(more: { readonly range?: typeof EXTENT; readonly hidden?: typeof NOTHING_HIDDEN } = {}) {
  const { range = EXTENT, hidden = NOTHING_HIDDEN } = more
  const done: unknown[] = []
  const processes = new Map([
    ['dd 254,1', 0],
    ['init 254,1', 0],
    ['cp', 5],
    ['mv', 5],
  ])
  const target = {
    frame: {
      ...{ processes, extent: EXTENT, view: { range, hidden } },
      live: { get: () => ({}) },
      actions: {
        commit: (to: unknown) => done.push(to),
        whole: () => done.push('whole'),
        clearFilters: () => undefined,
      },
    },
    run: { shift: 1000, filter: {}, run: {}, info: {}, client: { query: async () => LIFE } },
    request: async () => 3,
  } as unknown as Plot
  const filters: LegendFilters = { hidden, leaveOut: values => done.push(values) }
  return { target, filters, done }
}

const labels = async (target: Plot, filters: LegendFilters | undefined) =>
  (await placeItems(target, filters, 0, 0)).map(({ label }) => label)

describe('entries of a menu at a request', () => {
  it('filter to its operation and to its writer, under all names of it, and zoom', async () => {
    const { target, filters, done } = plot()
    const items = await placeItems(target, filters, 0, 0)
    expect(items.map(({ label }) => label)).toEqual(['Show only write', 'Show only dd 254,1', 'Zoom to this request'])
    for (const { run } of items) run()
    // The zoom is on the axis, where the run is later, and does not leave it.
    expect(done).toEqual([onlyOp('write'), { processes: ['cp', 'mv'] }, { t0: 0, t1: 10_000 }])
  })

  it('leave out what is shown alone already; the full run only while zoomed', async () => {
    const { target, filters } = plot({
      hidden: { ...NOTHING_HIDDEN, ...onlyOp('write') },
      range: { t0: ns(5), t1: ns(9) },
    })
    expect(await labels(target, filters)).toEqual([
      'Show only dd 254,1',
      'Clear filters',
      'Zoom to this request',
      'Full run',
    ])
  })

  it('are none without a request, and no filters in a snapshot', async () => {
    const { target, filters } = plot()
    expect(await labels({ ...target, request: async () => undefined }, filters)).toEqual([])
    const fails = async () => {
      throw new Error('not in this snapshot')
    }
    expect(await labels({ ...target, request: fails }, filters)).toEqual([])
    expect(await labels(target, undefined)).toEqual(['Zoom to this request'])
  })
})

describe('entries of a menu at a request of a file', () => {
  const SLOTS = new Map([
    ['/d/rnd.0.0', 0],
    ['journal', 3],
  ])
  const withObjects = (hidden = NOTHING_HIDDEN) => {
    const { target, filters, done } = plot({ hidden })
    const info = { objects: [...SLOTS.keys()].map((name, index) => ({ name, index })) }
    const client = { query: async () => ({ ...LIFE, object: 0 }) }
    const frame = { ...target.frame, objects: { slots: SLOTS } }
    return { target: { ...target, frame, run: { ...target.run, info, client } } as unknown as Plot, filters, done }
  }

  it('show it alone, hide it, and find it in the table', async () => {
    const { target, filters, done } = withObjects()
    const items = (await placeItems(target, filters, 0, 0)).filter(({ label }) => label.includes('rnd'))
    expect(items.map(({ label }) => label)).toEqual(['Show only rnd.0.0', 'Hide rnd.0.0', 'Show rnd.0.0 in the table'])
    const asked: string[] = []
    const end = onShownInTable(name => asked.push(name))
    for (const { run } of items) run()
    end()
    expect(done).toEqual([{ objects: ['journal'] }, { objects: ['/d/rnd.0.0'] }])
    expect(asked).toEqual(['/d/rnd.0.0'])
  })

  it('only find it in the table, if it is alone already', async () => {
    const { target, filters } = withObjects({ ...NOTHING_HIDDEN, objects: ['journal'] })
    const labels = (await placeItems(target, filters, 0, 0)).map(({ label }) => label)
    expect(labels.filter(label => label.includes('rnd'))).toEqual(['Show rnd.0.0 in the table'])
  })
})
