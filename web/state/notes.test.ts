import { beforeEach, describe, expect, it } from 'vitest'
import { file, four, scriptedPage, two } from '../opening/testing'

let actions: ReturnType<typeof scriptedPage>['actions']
let engine: ReturnType<typeof scriptedPage>['engine']
let page: ReturnType<typeof scriptedPage>['page']
beforeEach(() => {
  ;({ actions, engine, page } = scriptedPage())
})

describe('notes', () => {
  const note = { file: 'dir/uname.txt', kind: 'uname' as const, what: 'kernel version', facts: [], kernel: '6.1.0' }
  const rejected = [{ index: 0, error: { code: 'not-a-trace', message: 'It looks like text.' } }]
  it('belong to the runs beside which they lay, with what they tell', async () => {
    const traces = two.traces.map((trace, i) => (i === 0 ? { ...trace, kernel: '6.1.0' } : trace))
    engine.answer.grouping = {
      ...two,
      traces,
      notes: [{ index: 3, note: { ...note, names: [['8,1', 'sda1']] }, traces: [0] }],
    }
    await actions.open(four)
    expect(page().runs.map(r => [r.kernel, r.deviceNames, r.notes?.length])).toEqual([
      ['6.1.0', { '8,1': 'sda1' }, 1],
      [undefined, undefined, undefined],
    ])
    expect(page().notRead).toEqual([])
  })
  it('that come later are about the open runs, and their kernel only where there is one run', async () => {
    engine.answer.grouping = { ...two, traces: two.traces.slice(0, 1) }
    await actions.open(four)
    engine.answer.grouping = { traces: [], rejected, notes: [{ index: 0, note, traces: [] }], unread: [] }
    await actions.open([file('uname.txt')])
    expect(page().runs.map(r => [r.kernel, r.notes?.map(n => n.file)])).toEqual([['6.1.0', ['dir/uname.txt']]])
    expect(page()).toMatchObject({ dialog: { kind: 'notes' }, notRead: [] })
  })
  it('are no trace where nothing is open', async () => {
    engine.answer.grouping = { traces: [], rejected, notes: [{ index: 0, note, traces: [] }], unread: [] }
    await actions.open([file('uname.txt')])
    expect(page().dialog).toMatchObject({ kind: 'errors', errors: [{ code: 'not-a-trace' }] })
  })
})
